package fake_test

import (
	"fmt"
	"net"
	"runtime"
	"strings"
	"testing"

	"example.com/campaignfake/fake"
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
	for srv.BaseURL() == "/api" { // until Serve knows the listener
		runtime.Gosched()
	}
	return srv
}

// A server that listens can be reached until it is closed.
func TestListen(t *testing.T) {
	t.Parallel()
	srv := newHandler(t, fake.WithUser("alice", fixtures.User{}))
	if err := srv.Listen("127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(srv.BaseURL(), "http://127.0.0.1:") {
		t.Errorf("the base URL is %s", srv.BaseURL())
	}
	expectStatuses(t, srv, "alice", "200")
	err := newHandler(t).Listen(strings.TrimPrefix(rootOf(srv), "http://"))
	const advice = "; give another address, as 127.0.0.1:0 for any free port"
	if err == nil || !strings.HasSuffix(err.Error(), advice) {
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
