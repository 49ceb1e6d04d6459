package fake_test

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// A client that does not read its answer does not hold Close up, and a client that reads gets the
// whole answer.
func TestCloseEndsAnswers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		srv := fake.NewTestServer(t, fake.WithInMemory(), fake.WithUser("huge", generated(10_000)))
		unread(t, srv)
		response, err := srv.Client().Do(listRequest(t, srv, "huge"))
		if err != nil {
			t.Fatal(err)
		}
		whole := make(chan error)
		go func() {
			_, err := io.Copy(io.Discard, response.Body)
			whole <- err
		}()
		begin := time.Now()
		srv.Close()
		expectTook(t, "Close", begin, 500*time.Millisecond)
		if err := <-whole; err != nil {
			t.Errorf("an answer was cut off while it was read: %v", err)
		}
	})
}

// unread sends a request, does not read its long answer, and returns when the answer has begun.
func unread(t *testing.T, srv *fake.Server) {
	t.Helper()
	response, err := srv.Client().Do(listRequest(t, srv, "huge"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { response.Body.Close() })
}

// expectTook checks how long a call has taken on the clock of a bubble.
func expectTook(t *testing.T, call string, begin time.Time, want time.Duration) {
	t.Helper()
	if took := time.Since(begin); took != want {
		t.Errorf("%s has taken %s, want %s", call, took, want)
	}
}

// Answers that nobody reads end half a second after Close. A second Close meanwhile waits for this,
// too.
func TestCloseTwice(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		srv := fake.NewTestServer(t, fake.WithInMemory(), fake.WithUser("huge", generated(10_000)))
		unread(t, srv)
		begin := time.Now()
		go srv.Close()
		synctest.Wait()
		srv.Close()
		expectTook(t, "Close", begin, 500*time.Millisecond)
		srv.Close()
		expectTook(t, "Close", begin, 500*time.Millisecond)
	})
}

// A connection that has sent nothing is closed half a second after Close.
func TestCloseEndsConnections(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		srv := fake.NewTestServer(t, fake.WithInMemory())
		conn := dial(t, srv)
		defer conn.Close()
		synctest.Wait()
		begin := time.Now()
		srv.Close()
		expectTook(t, "Close", begin, 500*time.Millisecond)
		if _, err := conn.Read(make([]byte, 1)); err != io.EOF {
			t.Errorf("after Close, the connection ends with %v", err)
		}
		expectTook(t, "the end of the connection", begin, 500*time.Millisecond)
	})
}

// When Close returns, every handler has returned, also the handler of a request that came without a
// connection.
func TestCloseWaitsForHandlers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		srv := newHandler(t,
			fake.WithUser("alice", fixtures.User{Delay: &fixtures.Delay{Fixed: time.Hour}}))
		go func() {
			defer func() { recover() }() // without a connection, the handler panics to abort
			record(srv, "alice")
		}()
		synctest.Wait()
		srv.Close()
		r := srv.Requests()[0]
		if !r.Complete || !strings.HasSuffix(r.Reason, "the server was closed before that") {
			t.Errorf("after Close, the journal has %+v", r)
		}
	})
}

// Close returns even if another http.Server calls the handler, and a client does not read its
// answer.
func TestCloseInsideAnotherServer(t *testing.T) {
	t.Parallel()
	for name, reply := range map[string]fixtures.Reply{
		"a normal answer": {},
		"a stall":         {Fault: fixtures.FaultStall},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				alice := generated(fixtures.MaxCount)
				alice.Replies = []fixtures.Reply{reply}
				handler := newHandler(t, fake.WithUser("alice", alice))
				conn := serveOnPipes(t, handler).dial()
				defer conn.Close()
				io.WriteString(conn, getAlice+"\r\n")
				conn.Read(make([]byte, 1))
				begin := time.Now()
				handler.Close()
				expectTook(t, "Close", begin, 500*time.Millisecond)
			})
		})
	}
}

// The journal of a closed server can still be read in Go.
func TestClosedServerIsRead(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithUser("alice", scripted(fixtures.Reply{Status: 503})))
	expectStatuses(t, srv, "alice", "503")
	srv.Close()
	srv.CheckRequests(t, "alice", 1)
	if err := srv.AwaitAnswers(t.Context(), "alice", 1); err != nil {
		t.Error(err)
	}
	if got := srv.Tally(); got.Requests != 1 || srv.Service().Success.Status != 200 {
		t.Errorf("the tally is %+v, and the service %+v", got, srv.Service())
	}
	if answer := record(srv, "alice"); answer.Code != 503 || len(srv.Requests()) != 1 {
		t.Errorf("one more request is answered %d, and the journal has %d",
			answer.Code, len(srv.Requests()))
	}
}

// sendRaw sends bytes on a connection, and returns a channel that gets the status of the answer, 0
// for no answer.
func sendRaw(t *testing.T, conn net.Conn, text string) <-chan int {
	t.Helper()
	if _, err := io.WriteString(conn, text); err != nil {
		t.Fatal(err)
	}
	status := make(chan int, 1)
	go func() {
		response, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			status <- 0
			return
		}
		status <- response.StatusCode
	}()
	return status
}

// Pipes is a listener whose connections are pipes, which work in a bubble.
type pipes chan net.Conn

// serveOnPipes has another server call a handler until the test ends.
func serveOnPipes(t *testing.T, handler http.Handler) pipes {
	t.Helper()
	listener := make(pipes)
	t.Cleanup(func() { close(listener) })
	outer := &http.Server{Handler: handler}
	go outer.Serve(listener)
	return listener
}

func (p pipes) Accept() (net.Conn, error) {
	conn, isOpen := <-p
	if !isOpen {
		return nil, net.ErrClosed
	}
	return conn, nil
}

func (p pipes) Close() error   { return nil }
func (p pipes) Addr() net.Addr { return &net.UnixAddr{Name: "pipe", Net: "unix"} }

// dial connects to the server that accepts from these pipes.
func (p pipes) dial() net.Conn {
	client, server := net.Pipe()
	p <- server
	return client
}

// When a server is closed, a call that waits ends without an answer, since any answer would be
// wrong. The server does not wait for a body that does not come, on any kind of connection.
func TestCloseEndsCalls(t *testing.T) {
	t.Parallel()
	const awaiting = "GET /_fake/requests?token=alice&await=1 HTTP/1.1\r\nHost: localhost\r\n\r\n"
	const half = "PUT /_fake/users?token=bob HTTP/1.1\r\nHost: localhost\r\n" +
		"Content-Length: 100\r\n\r\n{"
	for name, tt := range map[string]struct {
		text   string
		within time.Duration
	}{
		"awaiting": {awaiting, 10 * time.Millisecond},
		"a body":   {half, time.Second},
	} {
		for _, isOwn := range []bool{true, false} {
			synctest.Test(t, func(t *testing.T) {
				srv := newHandler(t)
				connect := serveOnPipes(t, srv).dial
				if isOwn {
					srv = fake.NewTestServer(t, fake.WithInMemory())
					connect = func() net.Conn { return dial(t, srv) }
				}
				conn := connect()
				defer conn.Close()
				status := sendRaw(t, conn, tt.text)
				synctest.Wait()
				start := time.Now()
				srv.Close()
				if took := time.Since(start); took > tt.within {
					t.Errorf("%s: Close has taken %s", name, took)
				}
				if got := <-status; got != 0 && tt.text == awaiting {
					t.Errorf("what is awaited is answered %d", got)
				}
			})
		}
	}
}

// A handler of WithFallback that has begun an answer and goes on ends with its connection.
func TestCloseEndsFallback(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		srv := fake.NewTestServer(t, fake.WithInMemory(), fake.WithFallback(http.HandlerFunc(
			func(w http.ResponseWriter, r *http.Request) {
				io.WriteString(w, "begun")
				http.NewResponseController(w).Flush()
				<-r.Context().Done()
				panic(http.ErrAbortHandler)
			})))
		response, err := srv.Client().Get(srv.BaseURL() + "/me")
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		begin := time.Now()
		srv.Close()
		expectTook(t, "Close", begin, 500*time.Millisecond)
		const want = "; 5 of 5 bytes were sent before the server was closed"
		if got := srv.Requests()[0].Reason; !strings.HasSuffix(got, want) {
			t.Errorf("the reason is %s, want %s", got, want)
		}
	})
}

// A closed server says that it is closed.
func TestControlOfAClosedServer(t *testing.T) {
	t.Parallel()
	srv := newHandler(t)
	srv.Close()
	w := httptest.NewRecorder()
	srv.ServeHTTP(w, httptest.NewRequest("GET", "http://localhost/_fake/users", nil))
	if w.Code != 503 {
		t.Errorf("a closed server answers %d", w.Code)
	}
	expect(t, w.Body.String(), `"detail":"The server is closed."`)
}
