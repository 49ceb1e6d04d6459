package fake_test

import (
	"bytes"
	"net/http"
	"strings"
	"testing"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fake/journal"
	"example.com/campaignfake/fixtures"
)

// unknownReasons are the reasons for answers to unknown tokens, by what is done with these.
var unknownReasons = map[string]string{
	"reject":   "no user has this token",
	"generate": "unknown token: 10 generated campaigns",
}

// A token that is nearly that of a user is said to be so, in the reason, in the advice
// and in the log, where it is not masked. Others are masked.
func TestNearTokens(t *testing.T) {
	t.Parallel()
	for _, unknown := range []string{"reject", "generate"} {
		for token, near := range map[string]string{
			"dmeo":           "demo",
			"Demo":           "demo",
			"demoo":          "demo",
			"dem":            "demo",
			"edge_cases":     "edge-cases",
			"edgecases":      "edge-cases",
			"late":           "later", // of a user that was set at run time
			"user-2":         "",      // numbered tokens are others
			"user-12":        "",
			"b":              "", // too short to be near
			"demonstration":  "",
			"removed-tokenn": "",
		} {
			t.Run(unknown+" "+token, func(t *testing.T) {
				t.Parallel()
				var log bytes.Buffer
				options := []fake.Option{
					logTo(&log),
					fake.WithService(fixtures.Service{UnknownTokens: unknown}),
				}
				for _, user := range []string{
					"demo", "edge-cases", "user-1", "a", "removed-token",
				} {
					options = append(options, fake.WithUser(user, fixtures.User{}))
				}
				srv := fake.NewTestServer(t, options...)
				ask(t, srv, "GET", listPath, bearer("zzzz")) // before the users change
				srv.SetUser("later", fixtures.User{})
				srv.RemoveUser("removed-token")
				log.Reset()
				response, body := ask(t, srv, "GET", listPath, bearer(token))
				srv.Close()

				reason, title := unknownReasons[unknown], ""
				if near != "" {
					reason += "; did you mean " + near + "?"
					title = "The token is nearly " + near
				}
				r := srv.Requests(token)[0]
				if r.Reason != reason || r.Advice.Title != title {
					t.Errorf("the reason is %s, and the advice %+v; want %s, %q",
						r.Reason, r.Advice, reason, title)
				}
				if got := strings.Contains(log.String(), "token="+token+" "); got != (near != "") {
					t.Errorf("the log is %s", log.String())
				}
				want := map[string]int{"reject": 401, "generate": 200}[unknown]
				if response.StatusCode != want || strings.Contains(body, "did you mean") {
					t.Errorf("the answer is %d %s", response.StatusCode, body)
				}
			})
		}
	}
}

// Advice on a token goes by the users of now: there is none on one that has become a user's, or
// that was taken for the token of a user who was removed.
func TestAdviceKnowsTheUsersOfNow(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		token  string
		title  string // at first
		change func(srv *fake.Server)
	}{
		"nearly a user's, and then one's own": {
			token:  "dmeo",
			title:  "The token is nearly demo",
			change: func(srv *fake.Server) { srv.SetUser("dmeo", fixtures.User{}) },
		},
		"put over HTTP": {
			token: "dmeo",
			title: "The token is nearly demo",
			change: func(srv *fake.Server) {
				steer(t, srv, "PUT", "users?token=dmeo&anew=false", "{}")
			},
		},
		"a word, and then a user's": {
			token:  "undefined",
			title:  "The token is the word undefined",
			change: func(srv *fake.Server) { srv.SetUser("undefined", fixtures.User{}) },
		},
		"a run of nobody, and then of a user": {
			token:  "nobody~1",
			title:  `No user has the token "nobody"`,
			change: func(srv *fake.Server) { srv.SetUser("nobody", fixtures.User{}) },
		},
		"nearly that of a user who is removed": {
			token:  "dmeo",
			title:  "The token is nearly demo",
			change: func(srv *fake.Server) { srv.RemoveUser("demo") },
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			srv := fake.NewTestServer(t, fake.WithUser("demo", fixtures.User{}))
			expectStatuses(t, srv, tt.token, "401")
			if got := srv.Requests()[0].Advice.Title; got != tt.title {
				t.Errorf("at first the advice is %q, want %q", got, tt.title)
			}
			tt.change(srv)
			if got := srv.Requests(); len(got) != 1 || got[0].Advice.Title != "" {
				t.Errorf("then the journal has %+v", got)
			}
			if got := listed(t, srv, "")[0].Advice.Title; got != "" {
				t.Errorf("over HTTP the advice is %q", got)
			}
		})
	}
}

// What programs send in place of a token is no secret, and is explained.
func TestPlaceholders(t *testing.T) {
	t.Parallel()
	for value, words := range map[string]string{
		"Bearer undefined":                "the word undefined",
		"Bearer null":                     "the word null",
		"Bearer [object Object]":          "[object Object]",
		"Bearer [object Promise]":         "[object Promise]",
		"Bearer ${token}":                 "oken is ${token}",
		"Bearer ${process.env.API-TOKEN}": "oken is ${process.env.API-TOKEN}",
		"Bearer {{token}}":                "oken is {{token}}",
		"bearer {{ auth.$token }}":        "oken is {{ auth.$token }}",
		"Bearer %TOKEN%":                  "oken is %TOKEN%",
		"Bearer Bearer":                   "Bearer is there twice",
		"Bearer Bearer s3cr3t":            "Bearer is there twice",
		"bearer BEARER s3cr3t":            "Bearer is there twice",
	} {
		for _, unknown := range []string{"reject", "generate"} {
			var log bytes.Buffer
			srv := fake.NewTestServer(t,
				logTo(&log),
				fake.WithService(fixtures.Service{UnknownTokens: unknown}),
			)
			ask(t, srv, "GET", listPath, http.Header{"Authorization": {value}})
			srv.Close()
			r := srv.Requests()[0]
			if !strings.Contains(r.Reason, words) || !strings.Contains(r.Advice.Title, words) ||
				r.Advice.Text == "" {
				t.Errorf("%s: the reason is %s, the advice %+v", value, r.Reason, r.Advice)
			}
			got := log.String()
			isMasked := strings.Contains(got, "…")
			if !strings.Contains(got, words) || isMasked || strings.Contains(got, "s3cr3t") {
				t.Errorf("%s: the log is %s", value, got)
			}
		}
	}
	// These are tokens.
	srv := fake.NewTestServer(t)
	for _, token := range []string{
		"${}", "$token", "{token}", "${s3cr3t:abc}", "{{}}", "{{a}",
		"%%", "%a", "a%TOKEN%", "%a%b%", "%" + strings.Repeat("a", 70) + "%",
	} {
		ask(t, srv, "GET", listPath, bearer(token))
	}
	for _, r := range srv.Requests() {
		if r.Reason != "no user has this token" || r.Advice != (journal.Advice{}) {
			t.Errorf("%s: the reason is %s, the advice %+v", r.Token, r.Reason, r.Advice)
		}
	}
	// A user can have such a token.
	srv = fake.NewTestServer(t, fake.WithUser("null", fixtures.User{}))
	ask(t, srv, "GET", listPath, bearer("null"))
	if r := srv.Requests()[0]; r.Reason != "0 campaigns" || r.Advice != (journal.Advice{}) {
		t.Errorf("the reason is %s, the advice %+v", r.Reason, r.Advice)
	}
}
