package fake_test

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// took sends a request, and returns how long the answer took to begin and to
// end, on the clock of a bubble.
func took(t *testing.T, srv *fake.Server, token string) (begin, end time.Duration) {
	t.Helper()
	start := time.Now()
	response, err := srv.Client().Do(listRequest(t, srv, token))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	begin = time.Since(start)
	if _, err := io.Copy(io.Discard, response.Body); err != nil {
		t.Fatal(err)
	}
	return begin, time.Since(start)
}

// Of several delays the most specific holds.
func TestDelays(t *testing.T) {
	t.Parallel()
	fixed := func(d time.Duration) *fixtures.Delay { return &fixtures.Delay{Fixed: d} }
	synctest.Test(t, func(t *testing.T) {
		srv := fake.NewTestServer(t, fake.WithInMemory(),
			fake.WithService(fixtures.Service{
				Delay:         fixed(time.Second),
				UnknownTokens: "generate",
			}),
			fake.WithUser("service", fixtures.User{}),
			fake.WithUser("user", fixtures.User{Delay: fixed(time.Hour)}),
			fake.WithUser("none", fixtures.User{Delay: fixed(0)}),
			fake.WithUser("reply", fixtures.User{Delay: fixed(time.Hour), Replies: []fixtures.Reply{
				{Delay: fixed(time.Minute)},
				{Status: 503},
				{Delay: fixed(0)},
				{Fault: "wrong_type", Delay: fixed(2 * time.Minute)},
			}}))
		for i, step := range []struct {
			token string
			want  time.Duration
		}{
			{"service", time.Second},
			{"unknown", time.Second},
			{"user", time.Hour},
			{"none", 0},
			{"reply", time.Minute},
			{"reply", time.Hour},
			{"reply", 0},
			{"reply", 2 * time.Minute},
			{"reply", time.Hour},
		} {
			if begin, end := took(t, srv, step.token); begin != step.want || end != step.want {
				t.Errorf("request %d, of %s, took %s, and %s in all; want %s",
					i, step.token, begin, end, step.want)
			}
		}
		for i, want := range []time.Duration{time.Second, time.Second, time.Hour} {
			if got := srv.Requests()[i].Duration; got != want {
				t.Errorf("the duration of request %d is %s, want %s", i, got, want)
			}
		}
		// What is refused is not delayed.
		start := time.Now()
		ask(t, srv, "GET", listPath, nil)
		if got := time.Since(start); got != 0 {
			t.Errorf("a refusal took %s", got)
		}
	})
}

// The same seed gives the same delays, whatever other tokens do meanwhile; another seed gives
// others.
func TestDrawsCanBeRepeated(t *testing.T) {
	t.Parallel()
	run := func(t *testing.T, seed uint64, order ...string) (seen map[string][]string) {
		seen = make(map[string][]string)
		synctest.Test(t, func(t *testing.T) {
			srv := fake.NewTestServer(t, fake.WithInMemory(), fake.WithLogger(nil),
				fake.WithService(fixtures.Service{
					Seed:  seed,
					Delay: &fixtures.Delay{To: time.Second},
				}),
				fake.WithUser("alice", fixtures.User{Campaigns: []fixtures.Campaign{spring}}),
				fake.WithUser("bob", fixtures.User{}))
			for range 40 {
				for _, token := range order {
					start := time.Now()
					response, body := ask(t, srv, "GET", listPath, bearer(token))
					seen[token] = append(seen[token],
						fmt.Sprint(response.StatusCode, time.Since(start), body))
				}
			}
			for _, r := range srv.Requests() {
				seen["reasons of "+r.Token] = append(seen["reasons of "+r.Token], r.Reason)
			}
		})
		return seen
	}
	first := run(t, 7, "alice", "bob")
	second := run(t, 7, "bob", "bob", "alice")
	other := run(t, 8, "alice", "bob")
	for _, token := range []string{"alice", "bob", "reasons of alice", "reasons of bob"} {
		if got := second[token][:40]; !slices.Equal(first[token], got) {
			t.Errorf("under the same seed, %s has\n%s\nand then\n%s",
				token, strings.Join(first[token], "\n"), strings.Join(got, "\n"))
		}
		if slices.Equal(first[token], other[token]) {
			t.Errorf("under another seed, %s has the same", token)
		}
	}
	const want = ", drawn from 0s..1s for request 40 of the token under seed 7"
	if got := first["reasons of alice"][39]; !strings.HasSuffix(got, want) {
		t.Errorf("the reason is %q, want %q at its end", got, want)
	}
	if slices.Equal(first["alice"], first["bob"]) {
		t.Error("two tokens have the same delays")
	}
}

// Requests that are delayed hold up nobody else.
func TestDelaysDoNotWaitForEachOther(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		srv := fake.NewTestServer(t, fake.WithInMemory(), fake.WithLogger(nil),
			fake.WithUser("alice", fixtures.User{Delay: &fixtures.Delay{Fixed: time.Minute}}),
			fake.WithUser("bob", fixtures.User{}))
		start := time.Now()
		done := make(chan time.Duration)
		for range 100 {
			go func() {
				took(t, srv, "alice")
				done <- time.Since(start)
			}()
		}
		synctest.Wait()
		if _, end := took(t, srv, "bob"); end != 0 {
			t.Errorf("bob's answer took %s", end)
		}
		for range 100 {
			if got := <-done; got != time.Minute {
				t.Errorf("an answer came after %s", got)
			}
		}
	})
}
