package fake_test

import (
	"testing"
	"time"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// A reset puts its tokens back to the start in every respect, and changes no other token.
func TestResetOfTokens(t *testing.T) {
	t.Parallel()
	users := map[string]fixtures.User{
		"script":  scripted(fixtures.Reply{Status: 503}, fixtures.Reply{Status: 500}),
		"limit":   {RateLimit: &fixtures.RateLimit{Requests: 2, Per: 24 * time.Hour}},
		"queue":   {},
		"removed": {},
	}
	var options []fake.Option
	for token, user := range users {
		options = append(options, fake.WithUser(token, user), fake.WithUser("other-"+token, user))
	}
	srv := fake.NewTestServer(t, append(options, fake.WithLenient())...)
	check := expecting(t, srv)
	for _, other := range []string{"", "other-"} {
		check(other+"script", "503")
		check(other+"limit", "200 200 429")
		srv.Enqueue(other+"queue", fixtures.Reply{Status: 502, Times: 3})
		check(other+"queue", "502")
		srv.SetUser(other+"put", fixtures.User{})
		check(other+"put", "200")
		srv.RemoveUser(other + "removed")
		check(other+"removed", "401")
	}
	check("", "401")
	srv.Reset("script", "limit", "queue", "put", "removed", "nobody")
	for token, want := range map[string]int{
		"script": 0, "other-script": 1, "limit": 0, "other-limit": 3, "queue": 0,
		"other-queue": 1, "put": 0, "other-put": 1, "removed": 0, "other-removed": 1, "": 1,
	} {
		srv.CheckRequests(t, token, want)
		if got := len(srv.Requests(token)); got != want {
			t.Errorf("after the reset, the journal has %d requests of %q, want %d",
				got, token, want)
		}
	}
	check("script", "503 500 200")
	check("other-script", "500 200")
	check("limit", "200 200 429")
	check("other-limit", "429")
	check("queue", "200")
	check("other-queue", "502 502 200")
	check("put", "401")
	check("other-put", "200")
	check("removed", "200")
	check("other-removed", "401")
	srv.Reset("")
	srv.CheckRequests(t, "", 0)
}
