package fake_test

import (
	"cmp"
	"net/http"
	"strings"
	"testing"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fake/journal"
	"example.com/campaignfake/fixtures"
)

// listed returns the requests that the control plane lists, the latest first.
func listed(t *testing.T, srv *fake.Server, query string) []journal.Request {
	t.Helper()
	return ofList[journal.Request](t, srv, "requests?"+query, "requests")
}

// fromApp is the header of a request for a page of an app.
func fromApp(more ...string) http.Header {
	header := bearer("alice")
	header.Set("Origin", "http://localhost:5173")
	for i := 0; i < len(more); i += 2 {
		header.Set(more[i], more[i+1])
	}
	return header
}

// A request that nobody should send as it is comes with advice, and no other does.
func TestAdvice(t *testing.T) {
	t.Parallel()
	const noBearer = "The Authorization header has no bearer token"
	off := []string{"off"}
	for name, tt := range map[string]struct {
		cors   []string
		method string // GET, unless it is given
		path   string // the list, unless it is given
		header http.Header
		title  string   // "" if there is no advice
		says   []string // where BASE stands for the base URL
	}{
		"the right request": {
			header: fromApp(),
		},
		"no header": {},
		"a token alone": {
			header: http.Header{"Authorization": {"alice"}},
			title:  noBearer,
			says:   []string{"Bearer alice"},
		},
		"another scheme": {
			header: http.Header{"Authorization": {"Token alice"}},
			title:  noBearer,
			says:   []string{"Bearer alice"},
		},
		"no token": {
			header: http.Header{"Authorization": {"Bearer "}},
			title:  noBearer,
			says:   []string{"Bearer alice"},
		},
		"a token in quotes": {
			header: http.Header{"Authorization": {`Bearer "alice"`}},
			title:  "The token is nearly alice",
			says:   []string{"Bearer alice"},
		},
		"a word for a token": {
			header: bearer("undefined"),
			title:  "The token is the word undefined",
			says:   []string{"no value yet"},
		},
		"a missing base path": {
			path:   "/user/campaigns",
			header: bearer("alice"),
			title:  "Matched nothing",
			says: []string{
				"the base path /api is missing", "Check the base URL that the app is given: BASE",
			},
		},
		"another path": {
			path:   "/api/campaigns",
			header: bearer("alice"),
			title:  "Matched nothing",
			says:   []string{"The path is /api/campaigns."},
		},
		"a path far away": {
			path:   "/v2/list",
			header: bearer("alice"),
			title:  "Matched nothing",
			says:   []string{"Check the base URL that the app is given: BASE"},
		},
		"another method": {
			method: "POST",
			header: bearer("alice"),
			title:  "Matched nothing",
			says:   []string{"The method is POST, and has to be GET."},
		},
		"a preflight": {
			method: "OPTIONS",
			header: preflight(page),
		},
		"an answer kept back": {
			cors:   off,
			header: fromApp(),
			title:  "CORS: the page may not read the answer",
			says:   []string{"which sees a network error."},
		},
		"a page of the same": {
			cors:   off,
			header: fromApp("Sec-Fetch-Site", "same-origin"),
		},
		"no browser, and no CORS": {
			cors:   off,
			header: bearer("alice"),
		},
		"a query": {
			path:   listPath + "?page=2&sort=name",
			header: fromApp(),
			title:  "The query was ignored",
			says: []string{
				"The query ?page=2&sort=name was sent, and the service documents none",
				"Send the request without a query",
				"curl -H 'Authorization: Bearer alice' 'BASE/user/campaigns'",
			},
		},
		"a query without a token": {
			path:  listPath + "?page=2",
			title: "The query was ignored",
			says:  []string{"Bearer alice"},
		},
		"a query with a word for a token": {
			path:   listPath + "?page=2",
			header: bearer("undefined"),
			title:  "The token is the word undefined",
		},
		"a query whose answer is kept back": {
			cors:   off,
			path:   listPath + "?page=2",
			header: fromApp(),
			title:  "CORS: the page may not read the answer",
		},
		"a query of another path": {
			path:   "/api/campaigns?page=2",
			header: bearer("alice"),
			title:  "Matched nothing",
		},
		"no more than a question mark": {
			path:   listPath + "?",
			header: bearer("alice"),
		},
		"an answer that was reset": {
			cors:   off,
			header: fromApp("Authorization", "Bearer reset"),
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			srv := fake.NewTestServer(t,
				fake.WithLenient(),
				fake.WithService(fixtures.Service{CORS: tt.cors}),
				fake.WithUser("alice", fixtures.User{}),
				fake.WithUser("reset", faulty("reset")),
			)
			url := rootOf(srv) + cmp.Or(tt.path, listPath)
			response, err := srv.Client().Do(newRequest(t, cmp.Or(tt.method, "GET"), url,
				tt.header))
			if err == nil {
				response.Body.Close()
			}
			advice := listed(t, srv, "")[0].Advice
			if advice.Title != tt.title || (advice.Text == "") != (tt.title == "") {
				t.Errorf("the advice is %+v, want %q", advice, tt.title)
			}
			for _, says := range tt.says {
				expect(t, advice.Text+advice.Command,
					strings.ReplaceAll(says, "BASE", srv.BaseURL()))
			}
			// In Go it is the same.
			if got := srv.Requests()[0].Advice; got != advice {
				t.Errorf("in Go the advice is %+v, over HTTP %+v", got, advice)
			}
		})
	}
}

// What advice says to send works.
func TestAdviceWorks(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithLenient(), fake.WithUser("a'b", fixtures.User{}))
	ask(t, srv, "GET", "/user/campaigns", nil)
	ask(t, srv, "GET", "/user/campaigns", bearer("it's"))
	requests := listed(t, srv, "")
	for i, token := range []string{"it", "a"} {
		start := "curl -H 'Authorization: Bearer " + token + `'\''`
		end := " '" + srv.BaseURL() + "/user/campaigns'"
		command := requests[i].Advice.Command
		if !strings.HasPrefix(command, start) || !strings.HasSuffix(command, end) {
			t.Errorf("the command is %s, want %s…%s", command, start, end)
		}
	}
}

// The fixture of advice on CORS lets the page read answers, also with others that are
// listed. There is none once the setting allows it.
func TestAdviceOnCORSWorks(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		cors   string
		origin string
		says   []string
	}{
		"off": {
			cors:   "off",
			origin: page,
			says: []string{
				"service.cors is off, so",
				`Service{CORS: []string{"http://localhost:5173"}}), or write it in the fixtures.`,
			},
		},
		"another": {
			cors:   "http://other.test",
			origin: page,
			says: []string{
				"service.cors is http://other.test, so",
				`{CORS: []string{"http://other.test", "http://localhost:5173"}}), or`,
			},
		},
		"an address": {
			cors:   "off",
			origin: "http://[::1]:5173",
			says:   []string{`{CORS: []string{"http://[::1]:5173"}}), or`},
		},
		"a page of a file": {
			cors:   "off",
			origin: "null",
			says: []string{
				`{CORS: []string{"any"}}), or write it in the fixtures, since a page that was ` +
					"opened from a file has no origin",
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cors := []string{tt.cors}
			srv := fake.NewTestServer(t, fake.WithInMemory(),
				fake.WithLoader(func() (*fixtures.Set, error) {
					return &fixtures.Set{Service: fixtures.Service{CORS: cors}}, nil
				}))
			ask(t, srv, "OPTIONS", listPath, preflight(tt.origin))
			advice := srv.Requests()[0].Advice
			expect(t, advice.Title+"\n"+advice.Text,
				append(tt.says, "CORS: the preflight was refused\n")...)
			mended := fake.NewTestServer(t, fake.WithFixtures(files(advice.Fixture)))
			response, _ := ask(t, mended, "OPTIONS", listPath, preflight(tt.origin))
			if response.Header.Get("Access-Control-Allow-Origin") == "" {
				t.Errorf("with %s the preflight is refused", advice.Fixture)
			}
			cors = []string{"any"}
			srv.Reload()
			if text := srv.Requests()[0].Advice.Text; text != "" {
				t.Errorf("when it is allowed by now, the advice is %s", text)
			}
		})
	}
}

// What a user is answered is told in words, and what unknown tokens are.
func TestSummaries(t *testing.T) {
	t.Parallel()
	many := generated(250)
	many.Description = "a lot"
	many.Replies = []fixtures.Reply{{Times: 3}, {Status: 503, Times: fixtures.Always}}
	srv := fake.NewTestServer(t, fake.WithLenient(),
		fake.WithService(fixtures.Service{UnknownTokens: "generate"}), fake.WithUser("many", many))
	srv.Enqueue("many", fixtures.Reply{Fault: "reset"})
	for path, want := range map[string]string{
		"users": `{"unknown":{` +
			`"summary":"10 generated campaigns, always the same","normal_answer":"10 generated ` +
			`campaigns"},` +
			`"users":[{"token":"many","given":"start","description":"a lot","summary":"normal ` +
			`answer 3 times, then 503 always","normal_answer":"250 generated ` +
			`campaigns","requests":0,"waiting":1}]}`,
		"replies?token=many": `{"replies":[` +
			`{"reply":{"fault":"reset"},"played":0,"summary":"reset","enqueued":true},` +
			`{"reply":{"times":3},"played":0,"summary":"normal answer","enqueued":false},` +
			`{"reply":{"status":503,"times":"always"},"played":0,"summary":"503",` +
			`"enqueued":false}]}`,
	} {
		if _, answer := steer(t, srv, "GET", path, ""); answer != want {
			t.Errorf("%s is answered %s, want %s", path, answer, want)
		}
	}
}
