package fake_test

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// The journal has the request, the answer and the reason. A test can read and clear it as a whole,
// or for some tokens.
func TestJournal(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithLenient(),
		fake.WithUser("alice", fixtures.User{Campaigns: []fixtures.Campaign{spring}}))
	header := bearer("alice")
	header["X-Many"] = []string{"1", "2"}
	response, body := ask(t, srv, "GET", listPath+"?a=b", header)
	ask(t, srv, "GET", listPath, http.Header{})
	ask(t, srv, "GET", "/user/campaigns", bearer("bob"))
	want := []string{
		`1 GET /api/user/campaigns?a=b alice 200 false 1 campaign`,
		`2 GET /api/user/campaigns  401 false there is no Authorization header`,
		`3 GET /user/campaigns bob 404 true no route has this path`,
	}
	requests := srv.Requests()
	for i, r := range requests {
		got := fmt.Sprintf("%d %s %s %s %d %t %s",
			r.Number, r.Method, r.URL, r.Token, r.Status, r.Unmatched, r.Reason)
		isComplete := r.At.Location() == time.UTC && r.Duration > 0 && r.Host != ""
		if !strings.HasPrefix(got, want[i]) || !isComplete {
			t.Errorf("request %d is\n%s\nof %+v, want\n%s", i, got, r, want[i])
		}
	}
	first := requests[0]
	if got := first.Header.Values("X-Many"); !slices.Equal(got, []string{"1", "2"}) {
		t.Errorf("X-Many is %q", got)
	}
	for _, header := range []string{"Date", "Connection"} { // net/http adds these headers
		response.Header.Del(header)
		first.Answer.Header.Del(header)
	}
	if first.Answer.Body != body || !maps.EqualFunc(first.Answer.Header, response.Header,
		slices.Equal) {
		t.Errorf("the journal has the answer %+v, and the client %v", first.Answer, response)
	}
	first.Header["X-Many"][0] = "changed"
	first.Answer.Header["Content-Type"][0] = "changed"
	again := srv.Requests("alice")[0]
	if again.Header["X-Many"][0] != "1" ||
		again.Answer.Header["Content-Type"][0] != "application/json" {
		t.Errorf("the journal shares memory with the caller: %+v", again)
	}
	srv.ClearRequests("bob", "")
	srv.CheckRequests(t, "", 0)
	srv.CheckRequests(t, "alice", 1)
	if got := len(srv.Requests()); got != 1 {
		t.Errorf("%d requests are left after those of bob and of nobody are cleared", got)
	}
	srv.ClearRequests()
	if got := len(srv.Requests()); got != 0 {
		t.Errorf("%d requests are left after all are cleared", got)
	}
}

// An answer counts when it is complete.
func TestAwaitAnswers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		alice := fake.WithUser("alice", fixtures.User{Delay: &fixtures.Delay{Fixed: time.Hour}})
		srv := fake.NewTestServer(t, fake.WithInMemory(), alice)
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Hour)
		defer cancel()
		begin := time.Now()
		go list(t, srv, "alice")
		for _, await := range []func() error{
			func() error { return srv.AwaitRequests(ctx, "alice", 1) },
			func() error { return srv.AwaitAnswers(ctx, "alice", 1) },
		} {
			if err := await(); err != nil {
				t.Fatal(err)
			}
		}
		expectTook(t, "AwaitAnswers", begin, time.Hour)
		if !srv.Requests("alice")[0].Complete {
			t.Errorf("the request that was awaited is %+v", srv.Requests("alice"))
		}
	})
}

// If a wait ends in vain, its error lists the requests that came, and fails the test.
func TestAwaitRequestsFails(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var tb recorder
		defer tb.finish()
		srv := fake.NewTestServer(&tb, fake.WithInMemory(), fake.WithUser("alice", fixtures.User{}))
		list(t, srv, "alice")
		begin := time.Now()
		err := srv.AwaitRequests(t.Context(), "alice", 2)
		expectTook(t, "AwaitRequests", begin, 10*time.Second)
		expect(t, fmt.Sprint(err), `1 of 2 requests of token "alice" have arrived: `,
			"\nThe journal has these:\n\t1. GET /api/user/campaigns")
		if want := fmt.Sprint("campaignfake: AwaitRequests: ", err); tb.text() != want {
			t.Errorf("the test is told %s, want %s", tb.text(), want)
		}
	})
}

// The entry is complete when the client has its answer, every time, also if a large answer is
// written at once.
func TestEntryIsCompleteWithTheAnswer(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithLogger(nil), fake.WithUser("huge", generated(10_000)))
	for i := range 10 {
		list(t, srv, "huge")
		if got := srv.Requests()[i]; !got.Complete || got.Status != 200 || got.Reason == "" {
			t.Fatalf("request %d is answered, and its entry is %+v", i, got)
		}
	}
}

// CheckRequests counts requests that matched the route. Its failure lists the requests of the
// token, and requests that may have lost the token.
func TestCheckRequests(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithLenient(),
		fake.WithUser("alice", fixtures.User{}), fake.WithUser("bob", fixtures.User{}))
	ask(t, srv, "GET", "/v1/user/campaigns", bearer("alice"))
	for _, token := range []string{"alice", "bob", ""} {
		list(t, srv, token)
	}
	srv.CheckRequests(t, "alice", 1)
	var tb recorder
	srv.CheckRequests(&tb, "alice", 3)
	const want = `campaignfake: 1 request of token "alice", want 3
The journal has these:
	1. GET /v1/user/campaigns with token "alice": 404, no route has this path: the path is ` +
		`/v1/user/campaigns; only GET /api/user/campaigns is here
	2. GET /api/user/campaigns with token "alice": 200, 0 campaigns
Others have no token, or one that no user has:
	4. GET /api/user/campaigns without a token: 401, there is no Authorization header`
	if got := tb.text(); got != want {
		t.Errorf("the test is told\n%s\nwant\n%s", got, want)
	}
}
