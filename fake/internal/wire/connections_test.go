package wire_test

import (
	"bufio"
	"crypto/tls"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"example.com/campaignfake/fake/internal/wire"
)

// A tracked server has a limit of connections, which are in memory.
type tracked struct {
	t           *testing.T
	connections *wire.Connections
	listener    *wire.MemoryListener
	forRoom     atomic.Int64 // requests whose connection was closed to make room
}

// track serves until the bubble ends, over HTTP/2 if it gets a certificate.
func track(t *testing.T, c wire.Config, certificates ...tls.Certificate) *tracked {
	t.Helper()
	s := &tracked{t: t, listener: wire.NewMemoryListener(), connections: wire.NewConnections(c)}
	server := &http.Server{Handler: http.HandlerFunc(s.answer), ErrorLog: wire.ErrorLog(slog.New(slog.DiscardHandler))}
	wire.Track(server)
	serve := server.Serve
	if len(certificates) > 0 {
		server.TLSConfig = &tls.Config{Certificates: certificates}
		serve = func(l net.Listener) error { return server.ServeTLS(l, "", "") }
	}
	go serve(s.connections.Listener(s.listener))
	t.Cleanup(func() { server.Close() })
	return s
}

// answer does what the path names.
func (s *tracked) answer(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/delay":
		time.Sleep(2 * time.Second)
	case "/large":
		w.Write(make([]byte, 1<<20))
	case "/wait":
		<-r.Context().Done()
	case "/hijack":
		conn := wire.Hijack(w)
		<-wire.Watch(s.t.Context(), conn).Done()
		conn.Close()
	case "/keep":
		release := wire.KeepOpen(r.Context())
		time.Sleep(time.Second)
		release()
	}
	if wire.ClosedForRoom(r.Context()) {
		s.forRoom.Add(1)
	}
}

// connect makes a connection, and returns when the server has done what it can.
func (s *tracked) connect() net.Conn {
	s.t.Helper()
	conn, err := s.listener.DialContext(s.t.Context(), "tcp", memoryAddress)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { conn.Close() })
	synctest.Wait()
	return conn
}

// send sends a request, and returns when the server has done what it can.
func send(conn net.Conn, path string) {
	write(conn, path)
	synctest.Wait()
}

// write sends a request.
func write(conn net.Conn, path string) {
	fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: a.test\r\n\r\n", path)
}

// isOpen reports whether the server has left a connection open. Nobody may be about to
// send anything on it.
func isOpen(conn net.Conn) bool {
	conn.SetReadDeadline(time.Now())
	_, err := conn.Read(make([]byte, 1))
	conn.SetReadDeadline(time.Time{})
	netError, ok := err.(net.Error)
	return ok && netError.Timeout()
}

// answered reads an answer, and returns its status, 0 if there is none.
func answered(conn net.Conn) int {
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		return 0
	}
	io.Copy(io.Discard, response.Body)
	return response.StatusCode
}

// Whatever the oldest connection does, it is closed for a new one.
func TestOldestConnectionIsClosed(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		sent    string
		forRoom int64
	}{
		"idle":               {"", 0},
		"slow headers":       {"GET / HTTP/1.1\r\nHost:", 0},
		"no answer yet":      {"GET /wait HTTP/1.1\r\nHost: a.test\r\n\r\n", 1},
		"hijacked":           {"GET /hijack HTTP/1.1\r\nHost: a.test\r\n\r\n", 1},
		"answer is not read": {"GET /large HTTP/1.1\r\nHost: a.test\r\n\r\n", 1},
		"body does not come": {"POST /wait HTTP/1.1\r\nHost: a.test\r\nContent-Length: 9\r\n\r\n", 1},
		"HTTP/2 without TLS": {"PRI * HTTP/2.0\r\n\r\n", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := track(t, wire.Config{Limit: 2})
				oldest, other := s.connect(), s.connect()
				go io.WriteString(oldest, tt.sent)
				synctest.Wait()
				send(other, "/wait") // its event is the newer one
				newcomer := s.connect()
				go write(newcomer, "/")
				if status := answered(newcomer); status != 200 {
					t.Errorf("the newcomer is answered %d", status)
				}
				if !isOpen(other) {
					t.Error("another connection is closed")
				}
				io.Copy(io.Discard, oldest) // it would not end if it were open
				synctest.Wait()
				if got := s.forRoom.Load(); got != tt.forRoom {
					t.Errorf("%d requests find their connection closed to make room, want %d", got, tt.forRoom)
				}
			})
		})
	}
}

// Each event makes a connection the newest.
func TestEventsOfConnections(t *testing.T) {
	t.Parallel()
	for name, event := range map[string]func(first, second net.Conn){
		"headers were read": func(first, _ net.Conn) { send(first, "/wait") },
		"an answer was completed": func(first, second net.Conn) {
			send(first, "/delay")
			send(second, "/wait")
			answered(first)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := track(t, wire.Config{Limit: 2})
				first, second := s.connect(), s.connect()
				event(first, second)
				s.connect()
				if !isOpen(first) || isOpen(second) {
					t.Errorf("the first is open: %v, the second: %v", isOpen(first), isOpen(second))
				}
			})
		})
	}
}

// A connection that its client has closed makes room by itself.
func TestClosedConnectionsDoNotCount(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := track(t, wire.Config{Limit: 2})
		first := s.connect()
		for range 5 {
			s.connect().Close()
			synctest.Wait()
		}
		if !isOpen(first) {
			t.Error("the first is closed, though there is room")
		}
	})
}

// Over HTTP/2, the events of all streams count.
func TestEventsOfStreams(t *testing.T) {
	t.Parallel()
	certificate := testCertificate()
	synctest.Test(t, func(t *testing.T) {
		s := track(t, wire.Config{Limit: 2, Secured: true}, certificate)
		newClient := func() *http.Client {
			transport := &http.Transport{DialContext: s.listener.DialContext, TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, ForceAttemptHTTP2: true}
			t.Cleanup(transport.CloseIdleConnections)
			return &http.Client{Transport: transport}
		}
		first, second := newClient(), newClient()
		waits := make(chan error)
		go func() {
			_, err := first.Get(http2URL + "/wait")
			waits <- err
		}()
		synctest.Wait()
		get(t, second, http2URL)
		get(t, first, http2URL)
		get(t, newClient(), http2URL)
		if got := s.forRoom.Load(); got != 0 {
			t.Error("the first connection is closed")
		}
		get(t, newClient(), http2URL) // now it is the oldest
		if err := <-waits; err == nil || s.forRoom.Load() != 1 {
			t.Errorf("the first connection is open, %v", err)
		}
	})
}

// A newcomer that waits for its answer is not closed before older ones, though many more
// come every second.
func TestNewcomerOutlivesOlderConnections(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const limit = 443
		s := track(t, wire.Config{Limit: limit})
		for range limit {
			send(s.connect(), "/hijack")
		}
		newcomer := s.connect()
		send(newcomer, "/delay")
		go func() {
			for range 300 {
				time.Sleep(10 * time.Millisecond)
				send(s.connect(), "/hijack")
			}
		}()
		if status := answered(newcomer); status != 200 {
			t.Errorf("the newcomer is answered %d", status)
		}
		time.Sleep(2 * time.Second) // until the others have come
		if got := s.forRoom.Load(); got != 301 {
			t.Errorf("%d requests find their connection closed to make room, want 301", got)
		}
	})
}

// A new connection waits until the one that was closed has ended, but not for long.
func TestNewcomerWaitsForRoom(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]time.Duration{"/wait": 0, "/delay": 100 * time.Millisecond} {
		synctest.Test(t, func(t *testing.T) {
			s := track(t, wire.Config{Limit: 1})
			send(s.connect(), path)
			start := time.Now()
			newcomer := s.connect()
			go write(newcomer, "/")
			if status := answered(newcomer); status != 200 || time.Since(start) != want {
				t.Errorf("%s: the newcomer is answered %d after %s, want 200 after %s", path, status, time.Since(start), want)
			}
			time.Sleep(2 * time.Second) // until all handlers have returned
		})
	}
}

// A connection that is kept open stays, and is one of the others when it is released.
func TestKeepOpen(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := track(t, wire.Config{Limit: 1})
		kept := s.connect()
		send(kept, "/keep")
		first, second := s.connect(), s.connect()
		if isOpen(first) || !isOpen(second) {
			t.Errorf("the first other is open: %v, the second: %v", isOpen(first), isOpen(second))
		}
		if status := answered(kept); status != 200 {
			t.Errorf("the one that is kept open is answered %d", status)
		}
		synctest.Wait()
		third := s.connect()
		if isOpen(kept) || isOpen(second) || !isOpen(third) {
			t.Errorf("once released it is open: %v; the second: %v, the third: %v", isOpen(kept), isOpen(second), isOpen(third))
		}
	})
}

// Without a limit no connection is closed. Requests that came over no such connection
// have nothing to keep open.
func TestConnectionsWithoutLimit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := track(t, wire.Config{})
		first := s.connect()
		for range 100 {
			s.connect()
		}
		if !isOpen(first) {
			t.Error("the first is closed")
		}
		wire.KeepOpen(t.Context())()
		if wire.ClosedForRoom(t.Context()) {
			t.Error("a context of no connection has a closed one")
		}
	})
}

// However many connections are closed, the log has one line in ten seconds.
func TestLogOfClosedConnections(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var log strings.Builder
		s := track(t, wire.Config{Limit: 2, Logger: slog.New(slog.NewTextHandler(&log, nil))})
		for range 1000 {
			s.connect()
		}
		time.Sleep(10 * time.Second)
		s.connect()
		got := log.String()
		for _, want := range []string{"level=WARN", "have clients close", "closed=1 limit=2\n", "closed=998 limit=2\n"} {
			if !strings.Contains(got, want) {
				t.Errorf("the log lacks %s: %s", want, got)
			}
		}
		if lines := strings.Count(got, "\n"); lines != 2 {
			t.Errorf("the log has %d lines", lines)
		}
	})
}

// Somebody who waits until there is no connection is told when the last is closed, though
// the server was told to close it before.
func TestNoConnectionLeft(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := track(t, wire.Config{Limit: 1})
		if s.connections.None() != nil {
			t.Error("there is one at the start")
		}
		send(s.connect(), "/delay")
		last := s.connect() // which has the server close the other, whose handler goes on
		last.Close()
		start := time.Now()
		<-s.connections.None()
		if waited := time.Since(start); waited != 2*time.Second {
			t.Errorf("there is none after %s", waited)
		}
		if s.connections.None() != nil {
			t.Error("there is one at the end")
		}
	})
}
