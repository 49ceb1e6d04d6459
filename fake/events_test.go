package fake_test

import (
	"bufio"
	"context"
	"fmt"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// A stream reads the events of the control plane.
type stream struct {
	lines *bufio.Scanner
	close context.CancelFunc
}

// follow begins to follow the events of a server. The first event comes at once.
func follow(t *testing.T, srv *fake.Server) *stream {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	response, err := srv.Client().Do(newRequest(t, "GET", rootOf(srv)+"/_fake/events",
		nil).WithContext(ctx))
	if err != nil {
		t.Fatal(err)
	}
	contentType := response.Header.Get("Content-Type")
	isFresh := response.Header.Get("Cache-Control") == "no-store"
	if response.StatusCode != 200 || contentType != "text/event-stream" || !isFresh {
		t.Fatalf("who follows is answered %d %v", response.StatusCode, response.Header)
	}
	s := &stream{
		lines: bufio.NewScanner(response.Body),
		close: cancel,
	}
	if got := s.next(); got != "retry: 1000" {
		t.Fatalf("the stream starts with %q", got)
	}
	if got := s.next(); got != changed {
		t.Fatalf("the first event is %q", got)
	}
	return s
}

// changed is the event that says that something has changed.
const changed = "event: changed data: {}"

// next waits for the lines of the next event. It returns "" at the end.
func (s *stream) next() string {
	var lines []string
	for s.lines.Scan() && s.lines.Text() != "" {
		lines = append(lines, s.lines.Text())
	}
	return strings.Join(lines, " ")
}

// Every change sends an event at once, and nothing else sends an event.
func TestEvents(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(t *testing.T, srv *fake.Server){
		"a request": func(t *testing.T, srv *fake.Server) { statuses(t, srv, "alice", 1) },
		"a user":    func(t *testing.T, srv *fake.Server) { srv.SetUser("bob", fixtures.User{}) },
		"a removal": func(t *testing.T, srv *fake.Server) { srv.RemoveUser("alice") },
		"a reply": func(t *testing.T, srv *fake.Server) {
			srv.Enqueue("alice", fixtures.Reply{})
		},
		"clearing": func(t *testing.T, srv *fake.Server) { srv.ClearRequests("alice") },
		"a reset":  func(t *testing.T, srv *fake.Server) { srv.Reset("alice") },
		"a reload": func(t *testing.T, srv *fake.Server) { srv.Reload() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				srv := fake.NewTestServer(t,
					fake.WithInMemory(),
					fake.WithLenient(),
					fake.WithUser("alice", fixtures.User{}))
				s := follow(t, srv)
				defer s.close()
				begin := time.Now()
				go func() {
					time.Sleep(time.Minute)
					steer(t, srv, "GET", "users", "")
					steer(t, srv, "PUT", "users?token=alice", "[]")
					time.Sleep(time.Minute)
					change(t, srv)
				}()
				if got := s.next(); got != changed || time.Since(begin) != 2*time.Minute {
					t.Errorf("after %s, what comes is %q", time.Since(begin), got)
				}
				synctest.Wait() // until the change has ended, too
			})
		})
	}
}

// Even with many changes, events come at most ten times a second, and the last change sends an
// event.
func TestEventsAreSentAtAPace(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		srv := fake.NewTestServer(t,
			fake.WithInMemory(),
			fake.WithLogger(nil),
			fake.WithUser("alice", fixtures.User{}))
		s := follow(t, srv)
		go func() {
			for range 1000 {
				statuses(t, srv, "alice", 1)
				time.Sleep(time.Millisecond)
			}
			time.Sleep(time.Second)
			srv.Close()
		}()
		events := 0
		for s.next() == changed {
			events++
		}
		if events < 10 || events > 11 {
			t.Errorf("%d events come, want ten in the first second, and none in the next", events)
		}
	})
}

// Close ends streams of events when their pace allows it, and does not wait for clients that do not
// read.
func TestCloseEndsEvents(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		srv := fake.NewTestServer(t, fake.WithInMemory())
		var readers []*stream
		for range 10 {
			readers = append(readers, follow(t, srv))
			conn := dial(t, srv) // of a client that does not read
			defer conn.Close()
			fmt.Fprint(conn, "GET /_fake/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
		}
		synctest.Wait()
		start := time.Now()
		var ended sync.WaitGroup
		for _, s := range readers {
			ended.Go(func() {
				if got := s.next(); got != "" || time.Since(start) > 100*time.Millisecond {
					t.Errorf("after Close, %s pass until %q", time.Since(start), got)
				}
			})
		}
		srv.Close()
		ended.Wait()
		if got := time.Since(start); got > time.Second {
			t.Errorf("Close took %s", got)
		}
	})
}

// The handler returns from HEAD, whose answer has no events.
func TestEventsWithoutABody(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := httptest.NewRecorder()
		newHandler(t).ServeHTTP(w,
			httptest.NewRequest("HEAD", "http://localhost/_fake/events", nil))
		contentType := w.Header().Get("Content-Type")
		if w.Code != 200 || contentType != "text/event-stream" || w.Body.Len() > 0 {
			t.Errorf("HEAD is answered %d %s with %q", w.Code, contentType, w.Body)
		}
	})
}
