package fake_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	"example.com/campaignfake/fake"
)

// Whoever serves a server may be closed first, as deferred calls have it, and
// does not wait for answers that never come: over HTTP/1 their connections are
// the fake server's own.
func TestClosingTheOuterServerFirst(t *testing.T) {
	t.Parallel()
	const deadline = 20 * time.Second // nothing is expected to come near it
	for _, fault := range []string{"hang", "stall"} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			handler, err := fake.New(fake.WithUser("alice", faulty(fault)))
			if err != nil {
				t.Fatal(err)
			}
			outer := httptest.NewServer(handler)
			answered := make(chan struct{})
			go func() {
				defer close(answered)
				r, err := http.NewRequest("GET", outer.URL+listPath, nil)
				if err != nil {
					t.Error(err)
					return
				}
				r.Header = bearer("alice")
				client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
				response, err := client.Do(r)
				if err != nil {
					return
				}
				defer response.Body.Close()
				if _, err := io.ReadAll(response.Body); err == nil {
					t.Error("the client has an answer")
				}
			}()
			if err := handler.AwaitRequests(t.Context(), "alice", 1); err != nil {
				t.Error(err)
			}
			closed := make(chan struct{})
			go func() {
				defer close(closed)
				outer.Close()
			}()
			select {
			case <-closed:
			case <-time.After(deadline):
				t.Errorf("the outer server has not closed within %v", deadline)
			}
			handler.Close()
			<-closed
			<-answered
		})
	}
}

// A client that keeps its connection does not hold up the end of a test.
func TestCloseWaitsForNoIdleClient(t *testing.T) {
	t.Parallel()
	for name, options := range map[string][]fake.Option{
		"HTTP/1": {fake.WithKeepAlive()},
		"HTTP/2": {fake.WithKeepAlive(), fake.WithTLS()},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				srv := fake.NewTestServer(t, append(options, fake.WithInMemory(), fake.WithUser("alice", fake.User{}))...)
				if got := statuses(t, srv, "alice", 1); got != "200" {
					t.Fatal("the answer has status ", got)
				}
				before := time.Now()
				srv.Close()
				if took := time.Since(before); took > 0 {
					t.Errorf("Close takes %v", took)
				}
			})
		})
	}
}
