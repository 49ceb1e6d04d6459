package wire_test

import (
	"bufio"
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/campaignfake/fake/internal/wire"
)

// exchange sends a request to a handler, over a connection in memory, and then has the
// client do something. It returns the head of the answer, nil if there is none, and when
// it came.
func exchange(t *testing.T, request string, after func(client net.Conn), handler http.HandlerFunc) (*http.Response, time.Duration) {
	t.Helper()
	start := time.Now()
	listener := wire.NewMemoryListener()
	server := &http.Server{Handler: handler, ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelWarn)}
	go server.Serve(listener)
	defer server.Shutdown(context.Background()) // which waits for connections that linger
	client, err := listener.DialContext(t.Context(), "tcp", memoryAddress)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	go func() {
		io.WriteString(client, request)
		after(client)
	}()
	response, err := http.ReadResponse(bufio.NewReader(client), nil)
	if err != nil {
		return nil, 0
	}
	return response, time.Since(start)
}

func TestDrain(t *testing.T) {
	t.Parallel()
	nothing := func(net.Conn) {}
	for name, tt := range map[string]struct {
		headers, body string
		after         func(client net.Conn)
		gone, part    bool // the client has gone, or a part of the body is left
	}{
		"no body":        {"", "", nothing, false, false},
		"a body":         {"Content-Length: 4\r\n", "body", nothing, false, false},
		"chunks":         {"Transfer-Encoding: chunked\r\n", "4\r\nbody\r\n0\r\n\r\n", nothing, false, false},
		"no chunk":       {"Transfer-Encoding: chunked\r\n", "what?\r\n", nothing, false, true},
		"half a body":    {"Content-Length: 8\r\n", "body", nothing, false, true},
		"half, and gone": {"Content-Length: 8\r\n", "body", func(client net.Conn) { client.Close() }, true, false},
		"half, and going": {"Content-Length: 8\r\n", "body", func(client net.Conn) {
			time.Sleep(100 * time.Millisecond)
			client.Close()
		}, true, false},
		"8 MiB":           {"Content-Length: 8388608\r\n", strings.Repeat("x", 8<<20), nothing, false, false},
		"more than 8 MiB": {"Content-Length: 8388609\r\n", strings.Repeat("x", 8<<20+1), nothing, false, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				request := "GET / HTTP/1.1\r\nHost: a.test\r\n" + tt.headers + "\r\n" + tt.body
				response, _ := exchange(t, request, tt.after, func(w http.ResponseWriter, r *http.Request) {
					time.Sleep(time.Nanosecond) // until the client has done what it does at once
					start := time.Now()
					if gone := wire.Drain(w, r); gone != tt.gone {
						t.Errorf("Drain returns %t, want %t", gone, tt.gone)
					}
					if waited := time.Since(start); waited > 500*time.Millisecond {
						t.Errorf("it takes %s", waited)
					}
				})
				if response != nil && response.Close != tt.part {
					t.Errorf("that the answer closes the connection is %v", response.Close)
				}
				if response == nil && !tt.gone {
					t.Error("there is no answer")
				}
			})
		})
	}
}

// A body that comes over no connection is left alone.
func TestDrainWithoutAConnection(t *testing.T) {
	t.Parallel()
	body := strings.NewReader("body")
	if gone := wire.Drain(httptest.NewRecorder(), httptest.NewRequest("GET", "/", body)); gone || body.Len() != 4 {
		t.Errorf("Drain returns %t, and leaves %d bytes", gone, body.Len())
	}
}

// A handler can neither wait for a body that does not come, nor write what nobody
// reads.
func TestEndBy(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		exchange(t, "GET / HTTP/1.1\r\nHost: a.test\r\nContent-Length: 8\r\n\r\nhalf", func(net.Conn) {}, func(w http.ResponseWriter, r *http.Request) {
			wire.EndBy(w, r, start.Add(time.Second))
			if _, err := io.ReadAll(r.Body); err == nil {
				t.Error("the body can be read")
			}
			if _, err := w.Write(make([]byte, 1<<20)); err == nil {
				t.Error("the answer can be written")
			}
			if waited := time.Since(start); waited != time.Second {
				t.Errorf("they fail after %s", waited)
			}
		})
	})
}
