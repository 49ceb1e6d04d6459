package fake_test

import (
	"net/http"
	"strings"
	"testing"
	"testing/fstest"

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
	const app = "http://localhost:5173"
	const noBearer = "The Authorization header has no bearer token"
	authorized := func(value string) http.Header { return http.Header{"Authorization": {value}} }
	type request struct {
		method, path string
		header       http.Header
	}
	for name, tt := range map[string]struct {
		cors     []string
		requests []request
		title    string // of the first of them; "" if it has no advice
		text     []string
	}{
		"the right request":        {nil, []request{{"GET", listPath, fromApp()}}, "", nil},
		"no header":                {nil, []request{{"GET", listPath, nil}}, "", nil},
		"a token alone":            {nil, []request{{"GET", listPath, authorized("alice")}}, noBearer, []string{"Bearer alice"}},
		"another scheme":           {nil, []request{{"GET", listPath, authorized("Token alice")}}, noBearer, []string{"Bearer alice"}},
		"no token":                 {nil, []request{{"GET", listPath, authorized("Bearer ")}}, noBearer, []string{"Bearer alice"}},
		"a token in quotes":        {nil, []request{{"GET", listPath, authorized(`Bearer "alice"`)}}, "The token is nearly alice", []string{"Bearer alice"}},
		"a word for a token":       {nil, []request{{"GET", listPath, bearer("undefined")}}, "The token is the word undefined", []string{"no value yet"}},
		"a missing base path":      {nil, []request{{"GET", "/user/campaigns", bearer("alice")}}, "Matched nothing", []string{"the base path /api is missing", "Check the base URL that the app is given: BASE"}},
		"another path":             {nil, []request{{"GET", "/api/campaigns", bearer("alice")}}, "Matched nothing", []string{"The path is /api/campaigns."}},
		"a path far away":          {nil, []request{{"GET", "/v2/list", bearer("alice")}}, "Matched nothing", []string{"Check the base URL that the app is given: BASE"}},
		"another method":           {nil, []request{{"POST", listPath, bearer("alice")}}, "Matched nothing", []string{"The method is POST, and has to be GET."}},
		"a preflight and its GET":  {nil, []request{{"OPTIONS", listPath, preflight(app)}, {"GET", listPath, fromApp()}}, "", nil},
		"an answer kept back":      {[]string{"off"}, []request{{"GET", listPath, fromApp()}}, "CORS: the page may not read the answer", []string{"which sees a network error."}},
		"a page of the same":       {[]string{"off"}, []request{{"GET", listPath, fromApp("Sec-Fetch-Site", "same-origin")}}, "", nil},
		"no browser, and no CORS":  {[]string{"off"}, []request{{"GET", listPath, bearer("alice")}}, "", nil},
		"an answer that was reset": {[]string{"off"}, []request{{"GET", listPath, fromApp("Authorization", "Bearer reset")}}, "", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			srv := fake.NewTestServer(t, fake.WithLenient(), fake.WithUser("alice", fixtures.User{}), fake.WithUser("reset", faulty("reset")), fake.WithService(fixtures.Service{CORS: tt.cors}))
			for _, q := range tt.requests {
				if response, err := srv.Client().Do(newRequest(t, q.method, rootOf(srv)+q.path, q.header)); err == nil {
					response.Body.Close()
				}
			}
			requests := listed(t, srv, "oldest=true")
			advice := requests[0].Advice
			if advice.Title != tt.title || (advice.Text == "") != (tt.title == "") {
				t.Errorf("the advice is %+v, want %q", advice, tt.title)
			}
			for _, text := range tt.text {
				if text = strings.ReplaceAll(text, "BASE", srv.BaseURL()); !strings.Contains(advice.Text+advice.Command, text) {
					t.Errorf("there is no %q in %+v", text, advice)
				}
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
		want := "curl -H 'Authorization: Bearer " + token + `'\''`
		if command := requests[i].Advice.Command; !strings.HasPrefix(command, want) || !strings.HasSuffix(command, " '"+srv.BaseURL()+"/user/campaigns'") {
			t.Errorf("the command is %s, want %s…", command, want)
		}
	}
}

// The fixture of advice on CORS lets the page read answers, also with others that are
// listed. There is none once the setting allows it.
func TestAdviceOnCORSWorks(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		cors   []string
		origin string
		says   []string
	}{
		"off":              {[]string{"off"}, page, []string{"service.cors is off, so", "--cors 'http://localhost:5173', or write it in the fixtures."}},
		"another":          {[]string{"http://other.test"}, page, []string{"service.cors is http://other.test, so", "--cors 'http://other.test,http://localhost:5173', or"}},
		"an address":       {[]string{"off"}, "http://[::1]:5173", []string{"--cors 'http://[::1]:5173', or"}},
		"a page of a file": {[]string{"off"}, "null", []string{"--cors 'any', or write it in the fixtures, since a page that was opened from a file has no origin"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cors := tt.cors
			srv := fake.NewTestServer(t, fake.WithInMemory(), fake.WithLoader(func() (*fixtures.Set, error) {
				return &fixtures.Set{Service: fixtures.Service{CORS: cors}}, nil
			}))
			ask(t, srv, "OPTIONS", listPath, preflight(tt.origin))
			advice := srv.Requests()[0].Advice
			expect(t, advice.Title+"\n"+advice.Text, append(tt.says, "CORS: the preflight was refused\n")...)
			mended := fake.NewTestServer(t, fake.WithFixtures(fstest.MapFS{"a.yaml": {Data: []byte(advice.Fixture)}}))
			if response, _ := ask(t, mended, "OPTIONS", listPath, preflight(tt.origin)); response.Header.Get("Access-Control-Allow-Origin") == "" {
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
	srv := fake.NewTestServer(t, fake.WithLenient(), fake.WithService(fixtures.Service{UnknownTokens: "generate"}),
		fake.WithUser("many", fixtures.User{Description: "a lot", Generate: &fixtures.Generate{Count: 250}, Replies: []fixtures.Reply{{Times: 3}, {Status: 503, Times: fixtures.Always}}}))
	srv.Enqueue("many", fixtures.Reply{Fault: "reset"})
	for path, want := range map[string]string{
		"users": `{"unknown":{"summary":"10 generated campaigns, always the same","normal_answer":"10 generated campaigns"},"users":[` +
			`{"token":"many","description":"a lot","summary":"normal answer 3 times, then 503 always","normal_answer":"250 generated campaigns","requests":0,"waiting":1}]}`,
		"replies?token=many": `{"replies":[{"reply":{"fault":"reset"},"played":0,"summary":"reset","enqueued":true},` +
			`{"reply":{"times":3},"played":0,"summary":"normal answer","enqueued":false},{"reply":{"status":503,"times":"always"},"played":0,"summary":"503","enqueued":false}]}`,
	} {
		if _, answer := steer(t, srv, "GET", path, ""); answer != want {
			t.Errorf("%s is answered %s, want %s", path, answer, want)
		}
	}
}
