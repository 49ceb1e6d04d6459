package fake_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// fillPlaces has four clients ask for the user large. They do not read the answers, and so take all
// places for large answers.
func fillPlaces(t *testing.T, srv *fake.Server) {
	t.Helper()
	for range 4 {
		conn := dial(t, srv)
		t.Cleanup(func() { conn.Close() })
		_, err := fmt.Fprint(conn,
			"GET /_fake/users?token=large HTTP/1.1\r\nHost: localhost\r\n\r\n")
		if err != nil {
			t.Fatal(err)
		}
	}
}

// Large answers of the control plane take turns, so that few are in memory at once. Clients that do
// not read theirs hold up others for ten seconds at most, and small answers not at all.
func TestLargeAnswersTakeTurns(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		large := fixtures.User{Campaigns: []fixtures.Campaign{{Name: strings.Repeat("x", 100_000)}}}
		srv := fake.NewTestServer(t, fake.WithInMemory(),
			fake.WithUser("large", large), fake.WithUser("small", fixtures.User{}))
		fillPlaces(t, srv)
		synctest.Wait()
		start := time.Now()
		for _, path := range []string{
			"health", "users", "requests", "replies?token=large", "users?token=small&format=yaml",
		} {
			request := newRequest(t, "GET", rootOf(srv)+"/_fake/"+path, nil)
			response, said := send(t, srv.Client(), request)
			took := time.Since(start)
			if response.StatusCode != 200 || took != 0 {
				t.Errorf("%s is answered %s %.100s after %s", path, response.Status, said, took)
			}
		}
		for _, path := range []string{"users?token=large", "users?token=large&format=yaml"} {
			request := newRequest(t, "GET", rootOf(srv)+"/_fake/"+path, nil)
			response, said := send(t, srv.Client(), request)
			took := time.Since(start)
			if response.StatusCode != 200 || len(said) < 100_000 || took != 10*time.Second {
				t.Errorf("%s is answered %s with %d bytes after %s",
					path, response.Status, len(said), took)
			}
		}
	})
}

// A place that a call has waited for is free again when the call has ended: more calls than there
// are places wait, and all of them get one.
func TestPlacesForLargeAnswersAreGivenBack(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		large := fixtures.User{Campaigns: []fixtures.Campaign{{Name: strings.Repeat("x", 100_000)}}}
		srv := fake.NewTestServer(t, fake.WithInMemory(), fake.WithUser("large", large))
		fillPlaces(t, srv)
		synctest.Wait()
		var waiting sync.WaitGroup
		for range 5 {
			waiting.Go(func() {
				status, said := steer(t, srv, "GET", "users?token=large", "")
				if status != 200 || len(said) < 100_000 {
					t.Errorf("a call that waits is answered %d with %d bytes", status, len(said))
				}
			})
		}
		waiting.Wait()
	})
}

// A deadlineWriter is a writer of answers that can have deadlines. At the first one it calls a
// hook.
type deadlineWriter struct {
	*httptest.ResponseRecorder
	hasDeadline atomic.Bool
	hook        func()
}

func (w *deadlineWriter) SetReadDeadline(time.Time) error {
	if !w.hasDeadline.Swap(true) {
		w.hook()
	}
	return nil
}

func (w *deadlineWriter) SetWriteDeadline(deadline time.Time) error {
	return w.SetReadDeadline(deadline)
}

// If a server is closed just before a call sets a deadline of its own, which puts off that of the
// end, the call is refused, and its body is not read.
func TestCloseBeforeADeadline(t *testing.T) {
	t.Parallel()
	large := fixtures.User{Campaigns: []fixtures.Campaign{{Name: strings.Repeat("x", 100_000)}}}
	for name, tt := range map[string]struct{ method, path string }{
		"a body":           {"PUT", "users?token=alice"},
		"a large answer":   {"GET", "users?token=large"},
		"a file of a user": {"GET", "users?token=large&format=yaml"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				srv := newHandler(t, fake.WithUser("large", large))
				w := &deadlineWriter{ResponseRecorder: httptest.NewRecorder()}
				w.hook = func() {
					go srv.Close()
					synctest.Wait()
				}
				body := strings.NewReader("{}")
				srv.ServeHTTP(w,
					httptest.NewRequest(tt.method, "http://localhost/_fake/"+tt.path, body))
				if w.Code != 503 || body.Len() != len("{}") {
					t.Errorf("it is answered %d, and %d bytes of its body are left",
						w.Code, body.Len())
				}
			})
		})
	}
}

// A client that goes away is waited for by nobody: not while it waits for its turn, nor while it
// waits for a place for its answer.
func TestClientsThatWaitGoAway(t *testing.T) {
	t.Parallel()
	large := fixtures.User{Campaigns: []fixtures.Campaign{{Name: strings.Repeat("x", 100_000)}}}
	// goesAway sends a call by a client that goes away while it waits.
	goesAway := func(t *testing.T, srv *fake.Server, method, path string) {
		ctx, cancel := context.WithCancel(t.Context())
		request := httptest.NewRequestWithContext(ctx, method, "http://localhost/_fake/"+path,
			strings.NewReader("{}"))
		hasEnded := false
		go func() {
			srv.ServeHTTP(httptest.NewRecorder(), request)
			hasEnded = true
		}()
		synctest.Wait()
		if hasEnded {
			t.Errorf("%s %s does not wait", method, path)
		}
		cancel()
		synctest.Wait()
		if !hasEnded {
			t.Errorf("%s %s waits for a client that has gone away", method, path)
		}
	}
	t.Run("for a turn", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			loaded := make(chan bool)
			isFirst := true
			srv := newHandler(t, fake.WithLoader(func() (*fixtures.Set, error) {
				if !isFirst {
					<-loaded
				}
				isFirst = false
				return &fixtures.Set{Users: map[string]fixtures.User{"large": large}}, nil
			}))
			go srv.Reload()
			synctest.Wait()
			goesAway(t, srv, "PUT", "users?token=alice")
			goesAway(t, srv, "GET", "users?token=large")
			close(loaded)
		})
	})
	t.Run("for a place", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			srv := fake.NewTestServer(t, fake.WithInMemory(), fake.WithUser("large", large))
			fillPlaces(t, srv)
			synctest.Wait()
			goesAway(t, srv, "GET", "users?token=large")
			goesAway(t, srv, "GET", "users?token=large&format=yaml")
		})
	})
}

// On a connection that is kept, a large answer leaves no deadline for the answers after it.
func TestLargeAnswerLeavesNoDeadline(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		large := fixtures.User{Campaigns: []fixtures.Campaign{{Name: strings.Repeat("x", 100_000)}}}
		conn := serveOnPipes(t, newHandler(t, fake.WithUser("large", large))).dial()
		defer conn.Close()
		answers := bufio.NewReader(conn)
		for range 2 {
			_, err := fmt.Fprint(conn,
				"GET /_fake/users?token=large HTTP/1.1\r\nHost: localhost\r\n\r\n")
			if err != nil {
				t.Fatal(err)
			}
			response, err := http.ReadResponse(answers, nil)
			if err != nil {
				t.Fatal(err)
			}
			body, err := io.ReadAll(response.Body)
			if err != nil || response.StatusCode != 200 || len(body) < 100_000 {
				t.Fatalf("it is answered %s with %d bytes: %v", response.Status, len(body), err)
			}
			time.Sleep(15 * time.Second)
		}
		fmt.Fprint(conn, "GET /_fake/health HTTP/1.1\r\nHost: localhost\r\n\r\n")
		response, err := http.ReadResponse(answers, nil)
		if err != nil || response.StatusCode != 200 {
			t.Errorf("health is answered %v after large answers: %v", response, err)
		}
	})
}
