package serve_test

import (
	"context"
	"fmt"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/campaignfake/fake/internal/engine"
	"example.com/campaignfake/fake/internal/serve"
	"example.com/campaignfake/fixtures"
)

// draw sends a request, and returns the delay that was drawn for it.
func draw(h *serve.Handler, token string) time.Duration {
	ask(h, "GET", listPath, bearer(token))
	entries := h.Engine.Requests(engine.OfTokens(token))
	_, delay, _ := strings.Cut(entries[len(entries)-1].Request.Reason, "; delayed ")
	drawn, _, _ := strings.Cut(delay, ",")
	length, err := time.ParseDuration(drawn)
	if err != nil {
		panic(err)
	}
	return length
}

// Drawn delays stay the same in every release and on every machine, to the last microsecond, since
// users repeat a run by its seed.
func TestDrawsStayTheSame(t *testing.T) {
	t.Parallel()
	const path = "testdata/draws.txt"
	golden, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	header, _, _ := strings.Cut(string(golden), "\n")
	var got strings.Builder
	got.WriteString(header + "\n")
	synctest.Test(t, func(t *testing.T) {
		for _, seed := range []uint64{0, 7, 1<<63 + 5} {
			h := newHandler(t, withService(fixtures.Service{
				Seed:          seed,
				UnknownTokens: fixtures.UnknownTokensGenerate,
				Delay: &fixtures.Delay{
					From: 80 * time.Millisecond,
					To:   250 * time.Millisecond,
				},
			}))
			for _, token := range []string{"alice", "a/b.c"} {
				sent := 0
				for _, number := range []int{1, 2, 1501} {
					for ; sent < number-1; sent++ {
						ask(h, "GET", listPath, bearer(token))
					}
					fmt.Fprintf(&got, "%d %q %d %d\n", seed, token, number, draw(h, token))
					sent++
				}
			}
		}
	})
	if got.String() != string(golden) {
		t.Errorf("the delays are\n%s\nwant, as in %s,\n%s", &got, path, golden)
	}
}

// A delay that is drawn takes as long as it says, and is never outside of its range, however short
// that is.
func TestDrawnDelays(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for _, d := range []fixtures.Delay{
			{From: 5, To: 9},
			{From: time.Second, To: time.Second + 700},
			{To: time.Second},
		} {
			h := newHandler(t, withUser("alice", fixtures.User{Delay: &d}))
			for number := range 300 {
				start := time.Now()
				got := draw(h, "alice")
				if took := time.Since(start); got < d.From || got > d.To || took != got {
					t.Errorf("draw %d of %s is %s, and takes %s", number, d, got, took)
				}
			}
		}
	})
}

// The reason says how an answer is delayed, while it waits and afterwards.
func TestDelays(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		delay  fixtures.Delay
		reason string
		took   time.Duration
	}{
		{fixtures.Delay{Fixed: 2 * time.Second}, "delayed 2s", 2 * time.Second},
		{
			fixtures.Delay{From: time.Second, To: time.Second},
			"delayed 1s, drawn from 1s..1s for request 1 of the token under seed 0",
			time.Second,
		},
		{fixtures.Delay{UntilReleased: true}, "held until released", 24 * time.Hour},
	} {
		synctest.Test(t, func(t *testing.T) {
			h := newHandler(t, withUser("alice", fixtures.User{Delay: &tt.delay}))
			start := time.Now()
			done := make(chan int)
			go func() { done <- ask(h, "GET", listPath, bearer("alice")).Code }()
			synctest.Wait()
			entry := h.Engine.Requests(engine.Scope{})[0].Request
			if entry.Complete || entry.Reason != "0 campaigns; "+tt.reason ||
				entry.Held != tt.delay.UntilReleased {
				t.Errorf("while it waits, the journal has %+v", entry)
			}
			status := <-done
			if took := time.Since(start); status != 200 || took != tt.took {
				t.Errorf("after %s the answer is %d, want 200 after %s", took, status, tt.took)
			}
			entry = h.Engine.Requests(engine.Scope{})[0].Request
			if !entry.Complete || entry.Duration != tt.took || entry.Held ||
				entry.Reason != "0 campaigns; "+tt.reason {
				t.Errorf("then the journal has %+v", entry)
			}
		})
	}
}

// A delay ends early when the client goes away, even just before the server ends, and when the
// server ends. A reply that nobody has waited for counts as played.
func TestEndsOfDelays(t *testing.T) {
	t.Parallel()
	fixed := fixtures.Delay{Fixed: time.Hour}
	held := fixtures.Delay{UntilReleased: true}
	gone := func(_ *serve.Handler, leave func()) { leave() }
	closed := func(h *serve.Handler, _ func()) { h.Engine.Close() }
	goneAndClosed := func(h *serve.Handler, leave func()) { leave(); h.Engine.Close() }
	const clientLeft = "; the client went away before that"
	for _, tt := range []struct {
		delay  fixtures.Delay
		end    func(h *serve.Handler, leave func())
		reason string
	}{
		{fixed, gone, "scripted: 503; delayed 1h" + clientLeft +
			", and the reply counts as played"},
		{held, gone, "scripted: 503; held until released" + clientLeft},
		{fixed, goneAndClosed, "0 campaigns; delayed 1h" + clientLeft},
		{held, closed, "0 campaigns; held until released; the server was closed before that"},
		{fixed, closed, "0 campaigns; delayed 1h; the server was closed before that"},
	} {
		synctest.Test(t, func(t *testing.T) {
			user := fixtures.User{Delay: &tt.delay}
			if strings.HasPrefix(tt.reason, "scripted") {
				user.Replies = []fixtures.Reply{{Status: 503}}
			}
			h := newHandler(t, withUser("alice", user))
			ctx, leave := context.WithCancel(t.Context())
			defer leave()
			aborted := make(chan any)
			go func() {
				defer func() { aborted <- recover() }()
				request := newRequest("GET", listPath, bearer("alice"))
				h.ServeHTTP(httptest.NewRecorder(), request.WithContext(ctx))
			}()
			synctest.Wait()
			tt.end(h, leave)
			isAborted := <-aborted != nil
			entry := h.Engine.Requests(engine.Scope{})[0].Request
			if entry.Status != 0 || !isAborted || entry.Reason != tt.reason {
				t.Errorf("aborted %t, it has %d, %s; want none, %s",
					isAborted, entry.Status, entry.Reason, tt.reason)
			}
			if got := h.Engine.Release(engine.OfTokens("alice")).Requests; got != 0 {
				t.Errorf("%d requests are still held", got)
			}
		})
	}
}

// Requests that are released are answered at once.
func TestRelease(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		user := fixtures.User{Delay: &fixtures.Delay{UntilReleased: true}}
		h := newHandler(t, withUser("alice", user))
		done := make(chan int, 2)
		start := time.Now()
		for range 2 {
			go func() { done <- ask(h, "GET", listPath, bearer("alice")).Code }()
		}
		synctest.Wait()
		released := h.Engine.Release(engine.OfTokens("alice")).Requests
		if first, second := <-done, <-done; released != 2 || first != 200 || second != 200 {
			t.Errorf("%d requests are released, and answered %d and %d", released, first, second)
		}
		if took := time.Since(start); took != 0 {
			t.Errorf("they are answered after %s", took)
		}
	})
}

// A strict test that forgets to release a request fails after longestHold.
func TestForgottenRelease(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var tb recorder
		user := fixtures.User{Delay: &fixtures.Delay{UntilReleased: true}}
		h := newHandler(t, withTest(&tb), withUser("alice", user))
		ask(h, "GET", listPath, bearer("alice"))
		const want = `campaignfake: a request was held for 24h, and never released:
	GET /api/user/campaigns with token "alice"
Call Release("alice") when it may be answered, or give it a delay that ends.`
		got := strings.Join(tb.failures, "\n")
		if got != want {
			t.Errorf("the test fails with\n%s\nwant\n%s", got, want)
		}
	})
}
