package fake_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/campaignfake/fake"
)

// Each fate strikes about as often as it should.
func TestChaosStrikesByItsShares(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithInMemory(), fake.WithLogger(nil), fake.WithJournal(5000), fake.WithUser("alice", fake.User{
		Chaos: &fake.Chaos{Status: map[int]float64{503: 0.05, 500: 0.01}, Faults: map[fake.Fault]float64{"bad_json": 0.1, "wrong_type": 0.02}},
	}))
	const n = 5000
	counts := make(map[string]int)
	for range n {
		response, body := ask(t, srv, "GET", listPath, bearer("alice"))
		kind := fmt.Sprint(response.StatusCode, " ", response.Header.Get("Content-Type"))
		if response.StatusCode == 200 && body != `{"campaigns":[]}` {
			kind += " " + body[:2]
		}
		counts[kind]++
	}
	for kind, share := range map[string]float64{
		"503 application/problem+json": 0.05, "500 application/problem+json": 0.01, "200 application/json {\"": 0.1, "200 text/html; charset=utf-8 <!": 0.02, "200 application/json": 0.82,
	} {
		// Three standard deviations of so many draws; the draws are always the same.
		if got, spread := float64(counts[kind])/n, 3*math.Sqrt(share*(1-share)/n); math.Abs(got-share) > spread {
			t.Errorf("%s has a share of %g, want %g", kind, got, share)
		}
	}
	for _, r := range srv.Requests("alice") {
		want := "0 campaigns; no chaos: "
		switch {
		case r.Status != 200:
			want = fmt.Sprintf("chaos: %d; ", r.Status)
		case strings.Contains(r.Reason, "bad_json"):
			want = "chaos: bad_json; "
		case strings.Contains(r.Reason, "wrong_type"):
			want = "chaos: wrong_type; "
		}
		if !strings.HasPrefix(r.Reason, want) || !strings.Contains(r.Reason, fmt.Sprintf("request %d of the token drew 0.", r.Number)) || !strings.HasSuffix(r.Reason, " under seed 0") {
			t.Fatalf("the reason of %d is %q, want it to start with %q", r.Status, r.Reason, want)
		}
	}
}

// Chaos leaves replies alone, counts them all the same, and the user's goes
// before that of the service.
func TestWhomChaosStrikes(t *testing.T) {
	t.Parallel()
	always := func(status int) *fake.Chaos { return &fake.Chaos{Status: map[int]float64{status: 1}} }
	srv := fake.NewTestServer(t,
		fake.WithService(fake.Service{Chaos: always(500), UnknownTokens: "generate"}),
		fake.WithUser("service", fake.User{}),
		fake.WithUser("user", fake.User{Chaos: always(501)}),
		fake.WithUser("calm", fake.User{Chaos: &fake.Chaos{}}),
		fake.WithUser("replies", fake.User{Replies: []fake.Reply{{Times: 2}, {Status: 503}}}))
	for token, want := range map[string]string{
		"service": "500 500", "unknown": "500 500", "user": "501 501", "calm": "200 200", "replies": "200 200 503 500",
	} {
		if got := statuses(t, srv, token, len(strings.Fields(want))); got != want {
			t.Errorf("%s is answered %s, want %s", token, got, want)
		}
	}
	requests := srv.Requests("replies")
	if reason := requests[3].Reason; !strings.HasPrefix(reason, "chaos: 500; request 4 of the token drew 0.") {
		t.Errorf("the reason is %q", reason)
	}
}

// Requests that are refused, or prefer their answer, use up no draw, and those of
// a token are numbered on when its user is replaced.
func TestWhatUsesUpADraw(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		user := fake.User{Delay: &fake.Delay{To: time.Second}, RateLimit: &fake.RateLimit{Requests: 1, Per: time.Minute}}
		srv := fake.NewTestServer(t, fake.WithInMemory(), fake.WithUser("alice", user))
		numbers := []int{}
		for range 3 {
			if got := statuses(t, srv, "alice", 2); got != "200 429" {
				t.Errorf("the answers are %s", got)
			}
			ask(t, srv, "GET", listPath, preferring("code=418"))
			if err := srv.SetUser("alice", user); err != nil {
				t.Fatal(err)
			}
		}
		for _, r := range srv.Requests("alice") {
			var number int
			if _, after, found := strings.Cut(r.Reason, " for request "); found {
				if _, err := fmt.Sscan(after, &number); err != nil {
					t.Error(err)
				}
				numbers = append(numbers, number)
			}
		}
		if !slices.Equal(numbers, []int{1, 2, 3}) {
			t.Errorf("the requests have the draws %v", numbers)
		}
	})
}
