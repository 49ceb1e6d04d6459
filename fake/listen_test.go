package fake_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fake/internal/wire"
	"example.com/campaignfake/fixtures"
)

// listening returns a server outside of tests, which listens on a port of every interface until
// the test ends.
func listening(t *testing.T, options ...fake.Option) *fake.Server {
	t.Helper()
	srv := newHandler(t, options...)
	listener, err := net.Listen("tcp", "0.0.0.0:0")
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error)
	go func() { served <- srv.Serve(listener) }()
	t.Cleanup(func() {
		srv.Close()
		if err := <-served; err != nil {
			t.Errorf("Serve returns %v after Close", err)
		}
	})
	for srv.BaseURL() == "/api" { // until Serve has the listener
		runtime.Gosched()
	}
	return srv
}

// A server that listens can be reached, and shared, at once, until it is closed.
func TestListen(t *testing.T) {
	t.Parallel()
	srv := newHandler(t, fake.WithUser("alice", fixtures.User{}))
	if err := srv.Listen("127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(srv.BaseURL(), "http://127.0.0.1:") {
		t.Errorf("the base URL is %s", srv.BaseURL())
	}
	response, _ := ask(t, srv, "GET", listPath, bearer("alice"))
	if response.StatusCode != 200 || !response.Close {
		t.Errorf("the answer is %s; want that its connection is closed: %t",
			response.Status, response.Close)
	}
	c := srv.For(t)
	expectStatuses(t, srv, c.Like("alice").Token(), "200")

	address := strings.TrimPrefix(rootOf(srv), "http://")
	err := newHandler(t).Listen(address)
	if err == nil ||
		!strings.HasSuffix(err.Error(),
			"; give another address, as 127.0.0.1:0 for any free port") {
		t.Errorf("where another server listens, Listen returns %v", err)
	}
	srv.Close()
	if _, err := srv.Client().Do(listRequest(t, srv, "alice")); err == nil {
		t.Error("a closed server answers")
	}
	const want = "listening on 127.0.0.1:0: the server is closed; make another server"
	if err := srv.Listen("127.0.0.1:0"); fmt.Sprint(err) != want {
		t.Errorf("of a closed server, Listen returns %v, want %s", err, want)
	}
}

// The base URL is one that clients reach. Close may be called again.
func TestServeListens(t *testing.T) {
	t.Parallel()
	srv := listening(t, fake.WithUser("alice", fixtures.User{}))
	if !strings.HasPrefix(srv.BaseURL(), "http://127.0.0.1:") {
		t.Errorf("the base URL is %s", srv.BaseURL())
	}
	expectStatuses(t, srv, "alice", "200")
	srv.Close()
}

// A connection that was used, and is not used again, is closed after two minutes.
func TestIdleConnections(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		srv := newHandler(t, fake.WithUser("alice", fixtures.User{}))
		listener := wire.NewMemoryListener()
		go srv.Serve(listener)
		conn, err := listener.DialContext(t.Context(), "tcp", wire.MemoryHost+":80")
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		answers := bufio.NewReader(conn)
		for range 2 {
			go io.WriteString(conn, getAlice+"\r\n")
			response, err := http.ReadResponse(answers, nil)
			if err != nil {
				t.Fatal(err)
			}
			io.Copy(io.Discard, response.Body)
		}
		begin := time.Now()
		_, err = answers.ReadByte()
		if took := time.Since(begin); err != io.EOF || took != 2*time.Minute {
			t.Errorf("after %s, the connection ends with %v", took, err)
		}
	})
}
