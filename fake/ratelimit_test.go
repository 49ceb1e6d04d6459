package fake_test

import (
	"fmt"
	"net/http"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// A burst is answered, and then what is refilled evenly.
func TestRateLimit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		srv := fake.NewTestServer(t, fake.WithInMemory(),
			fake.WithUser("alice",
				fixtures.User{RateLimit: &fixtures.RateLimit{Requests: 5, Per: 10 * time.Second}}),
			fake.WithUser("bob",
				fixtures.User{RateLimit: &fixtures.RateLimit{Requests: 5, Per: 10 * time.Second}}))
		if got, want := statuses(t, srv, "alice", 7), "200 200 200 200 200 429 429"; got != want {
			t.Errorf("a burst is answered %s, want %s", got, want)
		}
		if got := statuses(t, srv, "bob", 1); got != "200" {
			t.Errorf("another token is answered %s", got)
		}
		time.Sleep(2*time.Second - time.Nanosecond)
		before := statuses(t, srv, "alice", 1)
		time.Sleep(time.Nanosecond)
		if got, want := before+" "+statuses(t, srv, "alice", 2), "429 200 429"; got != want {
			t.Errorf("around the refill, the answers are %s, want %s", got, want)
		}
		time.Sleep(time.Hour)
		if got, want := statuses(t, srv, "alice", 6), "200 200 200 200 200 429"; got != want {
			t.Errorf("an hour later, the answers are %s, want %s", got, want)
		}
		response, body := ask(t, srv, "GET", listPath, bearer("alice"))
		const refusal = `{"type":"about:blank","title":"Too Many Requests","status":429,` +
			`"detail":"The limit is 5 requests in 10s. Try again in 2 s."}`
		if after := response.Header.Get("Retry-After"); body != refusal || after != "2" {
			t.Errorf("the refusal is Retry-After: %s, %s; want %s", after, body, refusal)
		}
		requests := srv.Requests("alice")
		const reason = "rate limit: 5 requests in 10s; the next is answered in 2 s"
		if got := requests[len(requests)-1].Reason; got != reason {
			t.Errorf("the reason is %q, want %q", got, reason)
		}
		srv.ResetAll()
		if got := statuses(t, srv, "alice", 5); got != "200 200 200 200 200" {
			t.Errorf("after Reset, the answers are %s", got)
		}
	})
}

// Who waits for as long as Retry-After says is answered, and who waits a second
// less is not.
func TestRetryAfterIsCorrect(t *testing.T) {
	t.Parallel()
	for _, limit := range []fixtures.RateLimit{
		{Requests: 1, Per: time.Second},
		{Requests: 1, Per: 49 * time.Second},
		{Requests: 1, Per: 24 * time.Hour},
		{Requests: 2, Per: time.Millisecond},
		{Requests: 3, Per: 10 * time.Second},
		{Requests: 7, Per: time.Minute},
		{Requests: 11, Per: 103 * time.Second},
		{Requests: 98, Per: 98 * time.Minute},
		{Requests: 1000, Per: time.Hour},
	} {
		t.Run(fmt.Sprint(limit), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				srv := fake.NewTestServer(t, fake.WithInMemory(), fake.WithLogger(nil),
					fake.WithUser("alice", fixtures.User{RateLimit: &limit}))
				statuses(t, srv, "alice", limit.Requests)
				for range 5 {
					response, _ := ask(t, srv, "GET", listPath, bearer("alice"))
					after := response.Header.Get("Retry-After")
					seconds, err := strconv.Atoi(after)
					if response.StatusCode != 429 || err != nil || seconds < 1 {
						t.Fatalf("the answer is %d, Retry-After: %s", response.StatusCode, after)
					}
					time.Sleep(time.Duration(seconds-1) * time.Second)
					if got := statuses(t, srv, "alice", 1); seconds > 1 && got != "429" {
						t.Fatalf("a second before the %d s have passed, the answer is %s",
							seconds, got)
					}
					time.Sleep(time.Second)
					if got := statuses(t, srv, "alice", 1); got != "200" {
						t.Fatalf("after %d s, the answer is %s", seconds, got)
					}
					// what has come together in a whole second
					for statuses(t, srv, "alice", 1) == "200" {
					}
				}
			})
		})
	}
}

// A 429 uses up no reply, and is a setting like the other answers.
func TestRateLimitBeforeReplies(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		rateLimited := fixtures.Response{
			Status:  420,
			Body:    "calm down",
			Headers: http.Header{"Retry-After": {"soon"}},
		}
		srv := fake.NewTestServer(t, fake.WithInMemory(),
			fake.WithService(fixtures.Service{
				Responses: fixtures.Responses{RateLimited: rateLimited},
			}),
			fake.WithUser("alice", fixtures.User{
				Delay:     &fixtures.Delay{Fixed: time.Hour},
				RateLimit: &fixtures.RateLimit{Requests: 1, Per: 3 * time.Hour},
				Replies:   []fixtures.Reply{{Delay: &fixtures.Delay{}}, {Status: 503}},
			}))
		got := statuses(t, srv, "alice", 2)
		start := time.Now()
		response, body := ask(t, srv, "GET", listPath, bearer("alice"))
		if time.Since(start) != 0 || response.Header.Get("Retry-After") != "soon" ||
			body != "calm down" {
			t.Errorf("the refusal took %s, and is %q, %s", time.Since(start), response.Header, body)
		}
		time.Sleep(3 * time.Hour)
		if got += " " + statuses(t, srv, "alice", 1); got != "200 420 503" {
			t.Errorf("the answers are %s", got)
		}
	})
}
