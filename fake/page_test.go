package fake_test

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"example.com/campaignfake/fake"
)

// look asks for the page as a browser does, and returns it with its entities
// resolved.
func look(t *testing.T, srv *fake.Server, query string) string {
	t.Helper()
	response, body := ask(t, srv, "GET", "/_fake/"+query, nil)
	if response.StatusCode != 200 || response.Header.Get("Content-Type") != "text/html; charset=utf-8" {
		t.Fatalf("the page is answered %d %s", response.StatusCode, body)
	}
	return html.UnescapeString(body)
}

// expect reports what a text does not have, though it should.
func expect(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("there is no %q in\n%s", part, text)
		}
	}
}

// between returns what stands between two parts of a text.
func between(text, before, after string) string {
	_, rest, _ := strings.Cut(text, before)
	middle, _, _ := strings.Cut(rest, after)
	return middle
}

// The page is one answer, small, and its policy lets run what is in it and
// nothing else.
func TestPageIsWhole(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithFixtures(fake.Gallery()), fake.Lenient(), fake.WithLogger(nil))
	browser := bearer("flaky")
	for name, value := range map[string]string{
		"Accept-Language": "en-GB,en;q=0.9", "Origin": "http://localhost:5173", "Referer": "http://localhost:5173/campaigns",
		"Sec-Ch-Ua": `"Chromium";v="156", "Not?A_Brand";v="24"`, "Sec-Fetch-Mode": "cors", "User-Agent": strings.Repeat("Mozilla/5.0 ", 12),
	} {
		browser.Set(name, value)
	}
	for range 80 {
		ask(t, srv, "GET", listPath, browser)
	}
	response, body := ask(t, srv, "GET", "/_fake/?token=many", nil)
	if most := 60 << 10; len(body) > most {
		t.Errorf("the page has %d bytes, more than %d", len(body), most)
	}
	policy := response.Header.Get("Content-Security-Policy")
	for _, element := range []string{"style", "script"} {
		sum := sha256.Sum256([]byte(between(body, "<"+element+">", "</"+element+">")))
		if want := element + "-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"; !strings.Contains(policy, want) {
			t.Errorf("the policy %s has no %s", policy, want)
		}
	}
	expect(t, policy, "default-src 'none'", "connect-src 'self'", "frame-ancestors 'none'")
	for _, attribute := range []string{` src=`, ` style=`, `<link rel="stylesheet"`, ` onclick=`} {
		if strings.Contains(body, attribute) {
			t.Errorf("the page has %s", attribute)
		}
	}
	expect(t, look(t, srv, ""), "Show up to 1,000", "<code>"+srv.BaseURL()+"</code>", "503 with Retry-After twice", `id="r80"`, `id="r31"`)
	if strings.Contains(look(t, srv, ""), `id="r30"`) {
		t.Error("more than 50 requests are shown")
	}
	expect(t, look(t, srv, "?rows=1000"), `id="r1"`)
	if got, _ := ask(t, srv, "HEAD", "/_fake/", nil); got.StatusCode != 200 || got.ContentLength <= 0 {
		t.Errorf("HEAD is answered %d with the length %d", got.StatusCode, got.ContentLength)
	}
}

// Who comes without a path is led to the page, but not where there is none.
func TestTheWayToThePage(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/", "/_fake"} {
		for want, options := range map[int][]fake.Option{302: nil, 404: {fake.WithoutControl()}} {
			srv := fake.NewTestServer(t, options...)
			client := *srv.Client()
			client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
			response, err := client.Get(strings.TrimSuffix(srv.BaseURL(), "/api") + path)
			if err != nil {
				t.Fatal(err)
			}
			response.Body.Close()
			if location := response.Header.Get("Location"); response.StatusCode != want || want == 302 && location != "/_fake/" {
				t.Errorf("%s is answered %d and leads to %q, want %d", path, response.StatusCode, location, want)
			}
		}
	}
}

// A link leads to the page from anywhere, but no page of another origin reads it.
func TestPageFromElsewhere(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t)
	for name, tt := range map[string]struct {
		path, mode, dest string
		want             int
	}{
		"a link":              {"/_fake/", "navigate", "document", 200},
		"a link to the start": {"/_fake", "navigate", "document", 200},
		"a frame":             {"/_fake/", "navigate", "iframe", 403},
		"a script":            {"/_fake/", "no-cors", "script", 403},
		"fetch":               {"/_fake/", "cors", "empty", 403},
		"a link to data":      {"/_fake/users", "navigate", "document", 403},
	} {
		header := http.Header{"Sec-Fetch-Site": {"cross-site"}, "Sec-Fetch-Mode": {tt.mode}, "Sec-Fetch-Dest": {tt.dest}}
		if response, _ := ask(t, srv, "GET", tt.path, header); response.StatusCode != tt.want {
			t.Errorf("%s is answered %d, want %d", name, response.StatusCode, tt.want)
		}
	}
}

// Nothing that anybody sends becomes a part of the page.
func TestPageEscapes(t *testing.T) {
	t.Parallel()
	const evil = `"><script>alert('1')</script><img/src=x>`
	srv := fake.NewTestServer(t, fake.Lenient(), fake.WithUser(evil, fake.User{
		Description: evil, Campaigns: []fake.Campaign{{ID: evil, Name: evil}}, Replies: []fake.Reply{{Status: 503, Times: 2}},
	}))
	ask(t, srv, "GET", "/"+url.PathEscape(evil), http.Header{"Authorization": {"Bearer " + evil}, "X-Evil": {evil}, "Origin": {evil}})
	for _, query := range []string{"?token=" + url.QueryEscape(evil), "?token=other" + url.QueryEscape(evil), "?request=1"} {
		_, body := ask(t, srv, "GET", "/_fake/"+query, nil)
		if strings.Contains(body, "<script>alert") || strings.Contains(body, "<img/src") {
			t.Errorf("the page of %s has a part of %s", query, evil)
		}
		expect(t, html.UnescapeString(body), evil)
	}
}

// What is shown of a user: how to be it, what it meets next, and its campaigns.
func TestPageOfAUser(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.Lenient(), fake.WithUser("a'b", fake.User{
		Campaigns: []fake.Campaign{spring, {ID: "2", Omit: []string{"created_at"}, Extra: map[string]any{"status": nil, "name": 7}}},
		Replies:   []fake.Reply{{Times: 3}, {Status: 503, Times: fake.Always}},
	}), fake.WithUser("many", fake.User{Generate: &fake.Generate{Count: 1_000_000}}), fake.WithService(fake.Service{UnknownTokens: "generate"}))
	if err := srv.Enqueue("a'b", fake.Reply{Fault: "reset"}); err != nil {
		t.Fatal(err)
	}
	expect(t, look(t, srv, "?token=a%27b"),
		`curl -H 'Authorization: Bearer a'\''b' '`+srv.BaseURL()+`/user/campaigns'`,
		`await fetch("`+srv.BaseURL()+`/user/campaigns", {headers: {Authorization: "Bearer a'b"}})`,
		"reset <small>once", "normal answer <small>3 times, of the user’s own", "503 <small>always", "Back to normal",
		"A normal answer: 2 campaigns", "<td>Spring <launch> & more</td>", `<td class="raw">7</td><td class="raw">null</td><td class="raw">(left out)</td>`, `"name": 7`)
	expect(t, look(t, srv, "?token=many"), "A normal answer: 1000000 generated campaigns", "and 999980 campaigns more")
	expect(t, look(t, srv, "?token=anybody"), "No user has this token: 10 generated campaigns")
	srv = fake.NewTestServer(t)
	expect(t, look(t, srv, "?token=anybody"), "No user has this token.", "Nothing has arrived yet.", "any other token: 401")
}

// What is in trouble is marked, and says how to get out of it.
func TestPageKnowsTrouble(t *testing.T) {
	t.Parallel()
	const app = "http://localhost:5173"
	with := func(origin string, more ...string) http.Header {
		header := bearer("alice")
		if origin != "" {
			header.Set("Origin", origin)
		}
		for i := 0; i < len(more); i += 2 {
			header.Set(more[i], more[i+1])
		}
		return header
	}
	preflight := func(origin string) http.Header {
		return http.Header{"Origin": {origin}, "Access-Control-Request-Method": {"GET"}, "Access-Control-Request-Headers": {"authorization"}}
	}
	type request struct {
		method, path string
		header       http.Header
	}
	for name, tt := range map[string]struct {
		cors     []string
		requests []request
		want     []string // of the first of them; none if it is in no trouble
	}{
		"the right request":        {nil, []request{{"GET", listPath, with(app)}}, nil},
		"a token that is none":     {nil, []request{{"GET", listPath, bearer("undefined")}}, []string{"The token is the word undefined"}},
		"a missing base path":      {nil, []request{{"GET", "/user/campaigns", with("")}}, []string{"Matched nothing", "the base path /api is missing", "/api/user/campaigns'"}},
		"another path":             {nil, []request{{"GET", "/api/campaigns", with("")}}, []string{"Matched nothing", "The path is /api/campaigns.", "Check the base URL"}},
		"another method":           {nil, []request{{"POST", listPath, with("")}}, []string{"Matched nothing", "The method is POST, and has to be GET."}},
		"a preflight and its GET":  {nil, []request{{"OPTIONS", listPath, preflight(app)}, {"GET", listPath, with(app)}}, nil},
		"a preflight alone":        {nil, []request{{"OPTIONS", listPath, preflight(app)}}, []string{"CORS: a preflight without its request", "--cors 'http://localhost:5173'"}},
		"a preflight of another":   {nil, []request{{"OPTIONS", listPath, preflight(app)}, {"GET", listPath, with("http://other.test")}}, []string{"CORS: a preflight without its request"}},
		"a preflight that is off":  {[]string{"off"}, []request{{"OPTIONS", listPath, preflight(app)}}, []string{"CORS: the preflight was refused", "service.cors is off"}},
		"a preflight not listed":   {[]string{"http://other.test"}, []request{{"OPTIONS", listPath, preflight(app)}}, []string{"CORS: the preflight was refused", "service.cors lists http://other.test, and not this origin.", "--cors 'http://other.test,http://localhost:5173'"}},
		"an answer kept back":      {[]string{"off"}, []request{{"GET", listPath, with(app)}}, []string{"CORS: the page may not read the answer", "which sees a network error"}},
		"a page of the same":       {[]string{"off"}, []request{{"GET", listPath, with(app, "Sec-Fetch-Site", "same-origin")}}, nil},
		"no browser, and no CORS":  {[]string{"off"}, []request{{"GET", listPath, with("")}}, nil},
		"an answer that was reset": {nil, []request{{"GET", listPath, with(app, "Prefer", "fault=hang")}}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			srv, err := fake.New(fake.WithUser("alice", fake.User{}), fake.WithService(fake.Service{CORS: tt.cors}))
			if err != nil {
				t.Fatal(err)
			}
			outer := httptest.NewServer(srv)
			defer outer.Close()
			defer srv.Close()
			for _, q := range tt.requests {
				r, _ := http.NewRequest(q.method, outer.URL+q.path, nil)
				r.Header = q.header
				ctx := t.Context()
				if q.header.Get("Prefer") == "" {
					response, err := outer.Client().Do(r)
					if err != nil {
						t.Fatal(err)
					}
					response.Body.Close()
				} else {
					go outer.Client().Do(r.WithContext(ctx))
					if err := srv.AwaitRequests(ctx, "alice", 1); err != nil {
						t.Fatal(err)
					}
				}
			}
			response, err := outer.Client().Get(outer.URL + "/_fake/?request=1")
			if err != nil {
				t.Fatal(err)
			}
			body := new(strings.Builder)
			if err := response.Write(body); err != nil {
				t.Fatal(err)
			}
			row := html.UnescapeString(between(body.String(), `<li id="r1"`, "</li>"))
			expect(t, row, tt.want...)
			if fix := strings.Contains(row, `class="fix"`); fix != (tt.want != nil) {
				t.Errorf("it is %t that the request is in trouble:\n%s", fix, row)
			}
		})
	}
}

// What is wrong with an answer shows, though its status is good.
func TestPageMarksBrokenAnswers(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithUser("alice", fake.User{}), fake.WithService(fake.Service{CORS: []string{"http://app.test", "http://other.test"}}))
	for prefer, class := range map[string]string{
		"": "ok", "code=503": "bad", "fault=truncate": "cut", "fault=bad_chunk": "cut", "fault=bad_json": "cut", "fault=wrong_type": "cut",
	} {
		header := bearer("alice")
		header.Set("Prefer", prefer)
		r, err := http.NewRequest("GET", srv.BaseURL()+"/user/campaigns", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header = header
		if response, err := srv.Client().Do(r); err == nil {
			response.Body.Close()
		}
		if row := between(look(t, srv, ""), `<ol id="requests"`, "</li>"); !strings.Contains(row, `<b class="`+class+`"`) {
			t.Errorf("with Prefer: %s the row is no %s:\n%s", prefer, class, row)
		}
	}
	ask(t, srv, "OPTIONS", listPath, http.Header{"Origin": {"http://third.test"}, "Access-Control-Request-Method": {"GET"}})
	expect(t, between(look(t, srv, ""), `<ol id="requests"`, "</li>"), `<b class="odd">204`,
		"<i>CORS: the preflight was refused:</i> service.cors does not list the origin http://third.test")
}

// A request that is asked for and is not there is said not to be, and what is
// cleared is what is shown.
func TestPageOfOneToken(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithUser("alice", fake.User{}))
	expect(t, look(t, srv, "?token=bob"), "curl -H 'Authorization: Bearer bob' '"+srv.BaseURL()+"/user/campaigns'</code>")
	statuses(t, srv, "alice", 1)
	expect(t, look(t, srv, "?request=2"), "Request 2 is not in the journal.")
	if body := look(t, srv, "?request=1"); strings.Contains(body, "is not in the journal. It") {
		t.Error("a request that is there is said not to be")
	}
	expect(t, look(t, srv, "?token=alice&show=token"), `data-call="DELETE requests?token=alice"`, "Clear alice")
	expect(t, look(t, srv, "?token=alice"), `data-call="DELETE requests"`)
}

// The page asks for what is new, and gets no more than that.
func TestPageOfWhatIsNew(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithUser("alice", fake.User{}))
	statuses(t, srv, "alice", 3)
	before := between(look(t, srv, ""), `data-version="`, `"`)
	statuses(t, srv, "alice", 1)
	statuses(t, srv, "bob", 1)
	expect(t, look(t, srv, "?token=bob&show=token"), `<li id="r5"`, ">of bob</a>")
	if body := look(t, srv, "?token=bob&show=token"); strings.Contains(body, `<li id="r4"`) {
		t.Error("those of alice are shown as those of bob")
	}
	srv.ClearRequests("bob")
	if body := look(t, srv, "?since="+before); strings.Count(body, `<li id="r`) != 1 || !strings.Contains(body, `<li id="r4"`) || !strings.Contains(body, "data-partial") {
		t.Errorf("what is new is\n%s", body)
	}
	expect(t, look(t, srv, "?since="+before+"&request=1"), `<li id="r1"`, "Received")
}

// What a user has can be had without a request of it.
func TestCampaignsOfAToken(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithUser("alice", fake.User{Campaigns: []fake.Campaign{spring}, Replies: []fake.Reply{{Status: 503}}}), fake.Lenient())
	_, body := ask(t, srv, "GET", "/_fake/campaigns?token=alice", nil)
	statuses(t, srv, "alice", 1)
	if _, want := ask(t, srv, "GET", listPath, bearer("alice")); body != want {
		t.Errorf("the campaigns are %s, want %s", body, want)
	}
	srv.CheckRequests(t, "alice", 2)
	if status, _ := steer(t, srv, "GET", "campaigns?token=bob", ""); status != 404 {
		t.Errorf("those of nobody are answered %d", status)
	}
}

// Seen from a listener of the control plane's own, the service is where it is.
func TestPageOnItsOwnAddress(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithoutControl())
	own := httptest.NewServer(srv.Control())
	defer own.Close()
	u, err := url.Parse(srv.BaseURL())
	if err != nil {
		t.Fatal(err)
	}
	response, err := own.Client().Get(strings.Replace(own.URL, "127.0.0.1", "localhost", 1) + "/_fake/")
	if err != nil {
		t.Fatal(err)
	}
	body := new(strings.Builder)
	if err := response.Write(body); err != nil {
		t.Fatal(err)
	}
	expect(t, body.String(), fmt.Sprintf("<code>http://localhost:%s/api</code>", u.Port()))
}
