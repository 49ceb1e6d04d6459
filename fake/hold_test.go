package fake_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// A request is held until somebody releases it, in Go or over HTTP. Otherwise it would wait for a
// day.
func TestHeldRequests(t *testing.T) {
	t.Parallel()
	for name, release := range map[string]func(t *testing.T, srv *fake.Server) string{
		"in Go": func(t *testing.T, srv *fake.Server) string {
			return fmt.Sprint(srv.Release("bob"), srv.Release("alice"), srv.Release("alice"))
		},
		"over HTTP": func(t *testing.T, srv *fake.Server) string {
			_, bob := steer(t, srv, "POST", "release?token=bob", "")
			_, alice := steer(t, srv, "POST", "release?token=alice", "")
			_, again := steer(t, srv, "POST", "release?token=alice", "")
			return strings.NewReplacer(`{"released":`, "", "}", "").Replace(
				bob + " " + alice + " " + again)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				held := scripted(fixtures.Reply{Status: 503, Delay: untilReleased})
				srv := fake.NewTestServer(t, fake.WithInMemory(), fake.WithUser("alice", held),
					fake.WithUser("bob", fixtures.User{}))
				done := make(chan int)
				go func() {
					status, _ := list(t, srv, "alice")
					done <- status
				}()
				synctest.Wait()
				const reason = "scripted: 503, delay until released; held until released"
				got := srv.Requests("alice")[0]
				if got.Complete || !got.Held || got.Reason != reason {
					t.Errorf("before its release, the request is %+v", got)
				}
				if got := release(t, srv); got != "0 1 0" {
					t.Errorf("%s requests are released", got)
				}
				if status := <-done; status != 503 || srv.Requests("alice")[0].Held {
					t.Errorf("the answer is %d to %+v", status, srv.Requests("alice"))
				}
			})
		})
	}
}

// A client that gives up its first request and sends it again, as React does in its StrictMode,
// waits until the release, and gets the next reply after it.
func TestHoldOfAClientThatAsksTwice(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		srv := fake.NewTestServer(t, fake.WithInMemory(), fake.WithUser("alice", fixtures.User{}))
		srv.Enqueue("alice", fixtures.Reply{Delay: untilReleased}, fixtures.Reply{Status: 503})
		ctx, abort := context.WithCancel(t.Context())
		aborted := make(chan error)
		go func() {
			_, err := srv.Client().Do(listRequest(t, srv, "alice").WithContext(ctx))
			aborted <- err
		}()
		srv.AwaitRequests(t.Context(), "alice", 1)
		abort()
		if err := <-aborted; !errors.Is(err, context.Canceled) {
			t.Errorf("the first request ends with %v", err)
		}
		done := make(chan int)
		for range 2 {
			go func() {
				response, _ := ask(t, srv, "GET", listPath, bearer("alice"))
				done <- response.StatusCode
			}()
		}
		srv.AwaitRequests(t.Context(), "alice", 3)
		synctest.Wait()
		if n := srv.Release("alice"); n != 2 {
			t.Errorf("%d requests are released, want 2", n)
		}
		for range 2 {
			if status := <-done; status != 200 {
				t.Errorf("a request that was held is answered %d", status)
			}
		}
		expectStatuses(t, srv, "alice", "503 200")
	})
}

// A release before the request has arrived fails a strict test, and says what to wait for: the
// request would be held for ever.
func TestEarlyRelease(t *testing.T) {
	t.Parallel()
	var tb recorder
	defer tb.finish()
	answers := scripted(fixtures.Reply{}, fixtures.Reply{Delay: untilReleased})
	srv := fake.NewTestServer(&tb, fake.WithUser("alice", answers))
	expectStatuses(t, srv, "alice", "200")
	srv.Release("alice")
	expect(t, tb.text(), "campaignfake: Release: no request of token \"alice\" is held, but the "+
		"next one will be, and stay so.\nBefore you release it, call AwaitRequests for "+
		"2 requests, so that it has arrived.\nThe journal has these:\n\t")
	_, answer := steer(t, srv, "POST", "release?token=alice", "")
	const want = `{"released":0,` +
		`"advice":"No request is held, but the next one will be, and stay so. Before ` +
		`you release it, wait until it has arrived: GET /_fake/requests?token=alice&await=2."}`
	if answer != want {
		t.Errorf("over HTTP the answer is %s, want %s", answer, want)
	}
}
