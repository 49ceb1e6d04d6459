package fake_test

import (
	"strings"
	"testing"
	"time"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// Everything of the tokens that are reset goes back to the start, and nothing of
// any other does.
func TestResetOfTokens(t *testing.T) {
	t.Parallel()
	var options []fake.Option
	for token, user := range map[string]fixtures.User{
		"script": scripted(
			fixtures.Reply{Status: 503}, fixtures.Reply{Status: 500, Times: 2},
			fixtures.Reply{Status: 418}),
		"limit":    {RateLimit: &fixtures.RateLimit{Requests: 2, Per: 24 * time.Hour}},
		"queue":    {},
		"replaced": {},
		"removed":  {},
	} {
		options = append(options, fake.WithUser(token, user), fake.WithUser("other-"+token, user))
	}
	onBoth(t, func(t *testing.T, srv door) {
		check := expecting(t, srv)
		// What is called other is not reset, and goes on.
		check("script", "503 500")
		check("other-script", "503 500")
		check("limit", "200 200 429")
		check("other-limit", "200 200 429")
		for _, token := range []string{"queue", "other-queue"} {
			srv.Enqueue(token, fixtures.Reply{Status: 502, Times: 3})
			check(token, "502")
		}
		for _, token := range []string{"put", "other-put", "replaced", "other-replaced"} {
			srv.SetUser(token, fixtures.User{Campaigns: []fixtures.Campaign{spring}})
			check(token, "200")
		}
		for _, token := range []string{"removed", "other-removed"} {
			srv.RemoveUser(token)
			check(token, "401")
		}
		check("", "401")
		sent := srv.Requests()[len(srv.Requests())-1].Number

		srv.Reset("script", "limit", "queue", "put", "replaced", "removed", "nobody")
		for _, r := range srv.Requests() {
			if r.Token != "" && !strings.HasPrefix(r.Token, "other-") {
				t.Errorf("after the reset, the journal has request %d of %s", r.Number, r.Token)
			}
		}
		for token, want := range map[string]int{
			"script": 0, "other-script": 2,
			"limit": 0, "other-limit": 3,
			"queue": 0, "other-queue": 1,
			"put": 0, "other-put": 1,
			"replaced": 0, "other-replaced": 1,
			"removed": 0, "other-removed": 1,
			"nobody": 0, "": 1,
		} {
			srv.CheckRequests(t, token, want)
			if got := len(srv.Requests(token)); got != want {
				t.Errorf("after the reset, the journal has %d requests of %q, want %d",
					got, token, want)
			}
		}
		check("script", "503 500 500 418 200")
		check("other-script", "500 418 200")
		check("limit", "200 200 429")
		check("other-limit", "429")
		check("queue", "200")
		check("other-queue", "502 502 200")
		check("put", "401")
		check("other-put", "200")
		check("removed", "200")
		check("other-removed", "401")
		for token, want := range map[string]string{
			"replaced":       `{"campaigns":[]}`,
			"other-replaced": "Spring",
		} {
			if _, body := list(t, srv, token); !strings.Contains(body, want) {
				t.Errorf("after the reset, %s is answered %s, want %s", token, body, want)
			}
		}
		if got := srv.Requests("script")[0].Number; got != sent+1 {
			t.Errorf("the first request after the reset has the number %d, want %d", got, sent+1)
		}
	}, options...)
}
