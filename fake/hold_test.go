package fake_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// A request is held until somebody releases it, by whatever door, or it would wait for a day.
func TestHeldRequests(t *testing.T) {
	t.Parallel()
	held := scripted(fixtures.Reply{Status: 503, Delay: untilReleased})
	steered := func(method, path string) func(t *testing.T, srv *fake.Server) {
		return func(t *testing.T, srv *fake.Server) {
			if status, answer := steer(t, srv, method, path, "{}"); status >= 300 {
				t.Errorf("%s %s is answered %d %s", method, path, status, answer)
			}
		}
	}
	for name, release := range map[string]func(t *testing.T, srv *fake.Server){
		"in Go": func(t *testing.T, srv *fake.Server) {
			if n := srv.Release("bob") + srv.Release("alice") + srv.Release("alice"); n != 1 {
				t.Errorf("%d requests are released", n)
			}
		},
		"over HTTP": func(t *testing.T, srv *fake.Server) {
			status, answer := steer(t, srv, "POST", "release?token=alice", "")
			if status != 200 || answer != `{"released":1}` {
				t.Errorf("the release is answered %d %s", status, answer)
			}
		},
		"reset":         func(t *testing.T, srv *fake.Server) { srv.Reset("alice") },
		"all reset":     func(t *testing.T, srv *fake.Server) { srv.ResetAll() },
		"put anew":      steered("PUT", "users?token=alice"),
		"removed":       steered("DELETE", "users?token=alice"),
		"removed in Go": func(t *testing.T, srv *fake.Server) { srv.RemoveUser("alice") },
		"after a while": nil,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				srv := fake.NewTestServer(t,
					fake.WithInMemory(),
					fake.WithLenient(),
					fake.WithUser("alice", held),
				)
				if release == nil {
					release = func(t *testing.T, srv *fake.Server) { time.Sleep(24 * time.Hour) }
				}
				done := make(chan string)
				begin := time.Now()
				go func() {
					response, _ := ask(t, srv, "GET", listPath, bearer("alice"))
					done <- fmt.Sprint(response.StatusCode, " ", time.Since(begin) >= 24*time.Hour)
				}()
				synctest.Wait()
				const reason = "scripted: 503, delay until released; held until released"
				got := srv.Requests("alice")[0]
				if got.Complete || !got.Held || got.Reason != reason {
					t.Errorf("before its release, the request is %+v", got)
				}
				_, answer := steer(t, srv, "GET", "requests?token=alice&brief=true", "")
				if !strings.Contains(answer, `"held":true`) {
					t.Errorf("before its release, it is listed as %s", answer)
				}
				release(t, srv)
				if got, want := <-done, fmt.Sprint("503 ", name == "after a while"); got != want {
					t.Errorf("the answer is %s, want %s", got, want)
				}
				for _, r := range srv.Requests("alice") {
					if r.Held {
						t.Errorf("after its release, the request is %+v", r)
					}
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
	const advice = "campaignfake: Release: no request of token \"TOKEN\" is held, but the next " +
		"one will be, " +
		"and stay so.\n" +
		"Before you release it, call AwaitRequests for 2 requests, so that it has arrived.\n" +
		"The journal has these:\n\t"
	answers := fixtures.User{Replies: []fixtures.Reply{{}, {Delay: untilReleased}}}
	var owner recorder
	srv := fake.NewTestServer(&owner, fake.WithUser("alice", answers))
	own := &named{name: "TestOwn"}
	c := srv.For(own)
	c.SetUser(answers)
	expectStatuses(t, srv, "alice", "200")
	expectStatuses(t, srv, c.Token(), "200")
	srv.Release("alice")
	c.Release()
	for _, said := range []struct{ got, token string }{
		{owner.text(), "alice"},
		{own.text(), c.Token()},
	} {
		want := strings.ReplaceAll(advice, "TOKEN", said.token)
		if !strings.Contains(said.got, want) || strings.Count(said.got, "Release") != 1 {
			t.Errorf("the test of %s is told\n%s, want\n%s", said.token, said.got, want)
		}
	}
	_, answer := steer(t, srv, "POST", "release?token=alice", "")
	const want = `{"released":0,` +
		`"advice":"No request is held, but the next one will be, and stay so. Before ` +
		`you release it, wait until it has arrived: GET /_fake/requests?token=alice&await=2."}`
	if answer != want {
		t.Errorf("over HTTP the answer is %s, want %s", answer, want)
	}
}

// Before its first request, one request is to be awaited.
func TestEarlyReleaseBeforeAnyRequest(t *testing.T) {
	t.Parallel()
	var tb recorder
	srv := fake.NewTestServer(&tb, fake.WithUser("alice", fixtures.User{Delay: untilReleased}))
	srv.Release("alice")
	const want = "Before you release it, call AwaitRequests for 1 request, so that it has arrived."
	if !strings.Contains(tb.text(), want) {
		t.Errorf("the test is told %q, without %q", tb.text(), want)
	}
}

// A lenient test is told nothing of a release that comes too early.
func TestEarlyReleaseOfALenientServer(t *testing.T) {
	t.Parallel()
	var tb recorder
	srv := fake.NewTestServer(&tb, fake.WithLenient(),
		fake.WithUser("alice", fixtures.User{Delay: untilReleased}))
	srv.Release("alice")
	if tb.Failed() {
		t.Errorf("the test is told %q", tb.text())
	}
}

// A request that has arrived is released and counted, even if it does not wait yet.
func TestReleaseBeforeTheWait(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		srv := fake.NewTestServer(t,
			fake.WithInMemory(), fake.WithLenient(),
			fake.WithUser("alice", fixtures.User{Delay: untilReleased}))
		released := 0
		response, _, took := arriving(t, srv, func() { released = srv.Release("alice") })
		if response.StatusCode != 200 || took > time.Hour {
			t.Errorf("after %s the answer is %s", took, response.Status)
		}
		if released != 1 {
			t.Errorf("%d requests were released, want 1", released)
		}
	})
}

// A strict test that forgets to release a request fails, even in a bubble, where the longest
// time passes by itself.
func TestForgottenRelease(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var tb recorder
		srv := fake.NewTestServer(&tb,
			fake.WithInMemory(), fake.WithUser("alice", fixtures.User{Delay: untilReleased}))
		ask(t, srv, "GET", listPath, bearer("alice"))
		tb.finish()
		expect(t, tb.text(), `Call Release("alice")`)
	})
}
