package fake_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"example.com/campaignfake/fake"
)

// steer sends a request to the control plane, and returns what is answered.
func steer(t testing.TB, srv *fake.Server, method, path, body string) (status int, answer string) {
	t.Helper()
	root := strings.TrimSuffix(srv.BaseURL(), srv.Service().BasePath)
	r, err := http.NewRequest(method, root+"/_fake/"+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	response, answer := send(t, srv, r)
	if len(answer) > 0 && !json.Valid([]byte(answer)) {
		t.Errorf("%s %s is answered %s", method, path, answer)
	}
	return response.StatusCode, strings.TrimSpace(answer)
}

// A user is put, seen, and taken away over HTTP, as YAML has it.
func TestControlOfUsers(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithUser("zoe", fake.User{Description: "from Go"}))
	for i, step := range []struct {
		method, path, body string
		status             int
		answer             string
	}{
		{"GET", "users", "", 200, `{"unknown":{"summary":"401"},"users":[{"token":"zoe","description":"from Go","summary":"0 campaigns","normal_answer":"0 campaigns","requests":0,"waiting":0}]}`},
		{"PUT", "users?token=alice", `{"description": "put \/ \ud83d\ude00", "campaigns": [{"id": 1, "name": null, "status": "on", "omit": ["created_at", "updated_at"], "extra": {"n": 1.50}}], "delay": "1ms"}`, 201,
			`{"token":"alice","description":"put / 😀","summary":"1 campaign; delay 1ms","normal_answer":"1 campaign","requests":0,"waiting":0,"user":{"description":"put / 😀","campaigns":[{"id":"1","name":null,"status":"on","omit":["created_at","updated_at"],"extra":{"n":1.50}}],"delay":"1ms"}}`},
		{"GET", "users?token=alice", "", 200, `{"token":"alice","description":"put / 😀","summary":"1 campaign; delay 1ms","normal_answer":"1 campaign","requests":0,"waiting":0,"user":{"description":"put / 😀","campaigns":[{"id":"1","name":null,"status":"on","omit":["created_at","updated_at"],"extra":{"n":1.50}}],"delay":"1ms"}}`},
		{"PUT", "users?token=alice", `{"generate": {"count": 2}, "replies": [{"status": 503, "times": "always"}]}`, 200,
			`{"token":"alice","summary":"always 503","normal_answer":"2 generated campaigns","requests":0,"waiting":0,"user":{"generate":{"count":2},"replies":[{"status":503,"times":"always"}]}}`},
		{"DELETE", "users?token=zoe", "", 204, ""},
		{"DELETE", "users?token=zoe", "", 404, ""},
		{"GET", "users?token=zoe", "", 404, ""},
		{"GET", "users", "", 200, `{"unknown":{"summary":"401"},"users":[{"token":"alice","summary":"always 503","normal_answer":"2 generated campaigns","requests":0,"waiting":0}]}`},
		{"POST", "reset", "", 204, ""},
		{"GET", "users", "", 200, `{"unknown":{"summary":"401"},"users":[{"token":"zoe","description":"from Go","summary":"0 campaigns","normal_answer":"0 campaigns","requests":0,"waiting":0}]}`},
	} {
		status, answer := steer(t, srv, step.method, step.path, step.body)
		if status != step.status || step.answer != "" && answer != step.answer {
			t.Errorf("step %d, %s %s, is answered %d %s, want %d %s", i, step.method, step.path, status, answer, step.status, step.answer)
		}
	}
}

// Tokens may hold whatever a token can.
func TestControlOfOddTokens(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t)
	for _, token := range []string{"a/b", "../..", "%2F", "a+b", "a&token=b", "~", "'\"<>", "a?b#c", strings.Repeat("t", 8192)} {
		query := "users?token=" + url.QueryEscape(token)
		if status, answer := steer(t, srv, "PUT", query, `{"campaigns": []}`); status != 201 {
			t.Errorf("%.40q is answered %d %s", token, status, answer)
		}
		if status, _ := steer(t, srv, "GET", query, ""); status != 200 {
			t.Errorf("%.40q, having been put, is answered %d", token, status)
		}
		if got := statuses(t, srv, token, 1); got != "200" {
			t.Errorf("a request of %.40q is answered %s", token, got)
		}
	}
}

// What cannot be used is refused with the loader's words and places, and changes
// nothing.
func TestControlRefuses(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithUser("alice", fake.User{Campaigns: []fake.Campaign{spring}}))
	_, before := steer(t, srv, "GET", "users?token=alice", "")
	for name, tt := range map[string]struct {
		method, path, body string
		status             int
		words              []string
	}{
		"no JSON":                  {"PUT", "users?token=alice", "users:\n  alice: {}", 400, []string{`body:1:1: is no value that JSON knows`, `write JSON, as {\"generate\":{\"count\":3}}`}},
		"a user in YAML":           {"PUT", "users?token=alice", "generate: {count: 3}", 400, []string{`body:1:1: is no value that JSON knows`, `write JSON, as {\"generate\":{\"count\":3}}`}},
		"a list in YAML":           {"POST", "replies?token=alice", "- status: 503", 400, []string{`body:1:1: is no value that JSON knows`, `write JSON, as [{\"status\":503}]`}},
		"no braces":                {"PUT", "users?token=alice", `"generate": {"count": 3}`, 400, []string{`body:1:11: goes on after a text`, `write JSON, as {\"generate\":{\"count\":3}}`}},
		"a word in JSON":           {"PUT", "users?token=alice", `{"description": none}`, 400, []string{`write \"none\" if it is a text`}},
		"nothing":                  {"PUT", "users?token=alice", "", 400, []string{"body:1:1: ends where a value should be"}},
		"half of it":               {"PUT", "users?token=alice", "{\n \"campaigns\": [", 400, []string{"body:2:16: ends where a value should be"}},
		"a comma too many":         {"PUT", "users?token=alice", `{"campaigns": [],}`, 400, []string{"body:1:18: ends the object after a comma"}},
		"single quotes":            {"PUT", "users?token=alice", `{'campaigns': []}`, 400, []string{"has no key where one should be"}},
		"half a character":         {"PUT", "users?token=alice", `{"description": "\ud83d"}`, 400, []string{"body:1:18: is half of a character"}},
		"a line break in a text":   {"PUT", "users?token=alice", "{\"description\": \"a\nb\"}", 400, []string{`write it as \\n`}},
		"bytes":                    {"PUT", "users?token=alice", "{\"description\": \"\xff\"}", 400, []string{"is a byte that is not UTF-8"}},
		"more than a value":        {"PUT", "users?token=alice", "{} {}", 400, []string{"body:1:4: goes on after the end of its value"}},
		"too deep":                 {"PUT", "users?token=alice", strings.Repeat("[", 200), 400, []string{"is nested more than 100 levels deep"}},
		"a key twice":              {"PUT", "users?token=alice", `{"delay": "1s", "delay": "2s"}`, 400, []string{"users.alice.delay: is given twice"}},
		"an unknown key":           {"PUT", "users?token=alice", `{"campaings": []}`, 400, []string{"did you mean campaigns?"}},
		"several mistakes":         {"PUT", "users?token=alice", "{\"delay\": 2,\n \"replies\": [{\"status\": 99}]}", 400, []string{"2 mistakes. The first: body:1:11: users.alice.delay: 2 has no unit", `"line":2,"column":25,"path":"users.alice.replies[0].status"`}},
		"an example in JSON":       {"PUT", "users?token=alice", `{"rate_limit": 5}`, 400, []string{`write {\"requests\":5,\"per\":\"10s\"}`}},
		"a list":                   {"PUT", "users?token=alice", "[]", 400, []string{"is a list, not an object"}},
		"too much":                 {"PUT", "users?token=alice", strings.Repeat(" ", 1<<20+1), 413, []string{"larger than 1 MiB"}},
		"no list of replies":       {"PUT", "users?token=alice", `{"replies": {"status": 500}}`, 400, []string{`write a list of replies, as [{\"status\":503,\"times\":2}]`}},
		"no list of campaigns":     {"PUT", "users?token=alice", `{"campaigns": {"id": "1"}}`, 400, []string{`write a list of campaigns, as [{\"id\":\"cmp_1\",…}]`}},
		"a plus in a token":        {"PUT", "users?token=a+b", "{}", 400, []string{`The first: users[\"a b\"]: is a token with`, "send a + of the token as %2B", `"mistakes":[{"path":"users[\"a b\"]","problem":`}},
		"a plus in another":        {"GET", "users?token=a+b", "", 404, []string{"send a + of the token as %2B"}},
		"an odd token":             {"PUT", "users?token=zo%C3%AB", "{}", 400, []string{"which no client can send reliably"}},
		"an empty token":           {"PUT", "users?token=", "{}", 400, []string{"is an empty token"}},
		"no token":                 {"PUT", "users", "{}", 400, []string{"The parameter token is missing"}},
		"a token twice":            {"PUT", "users?token=a&token=b", "{}", 400, []string{"The parameter token is there 2 times; send it once."}},
		"an unknown parameter":     {"GET", "users?tokn=a", "", 400, []string{`There is no parameter \"tokn\" here; send token, format.`}},
		"a query that is none":     {"GET", "users?token=%zz", "", 400, []string{"The query cannot be read"}},
		"another method":           {"POST", "users", "{}", 405, []string{"Send one of DELETE, GET, HEAD, PUT."}},
		"another path":             {"GET", "usres", "", 404, []string{"/_fake/users"}},
		"replies of nobody":        {"POST", "replies?token=bob", `[{"status": 503}]`, 404, []string{`No user has the token \"bob\"`}},
		"replies that are wrong":   {"POST", "replies?token=alice", `[{"status": 503}, {"fault": "rest"}]`, 400, []string{"body:1:29: replies[1].fault: ", "did you mean reset?"}},
		"always before the last":   {"POST", "replies?token=alice", `[{"times": "always"}, {}]`, 400, []string{"body:1:12: replies[0].times: is played always"}},
		"too many replies":         {"POST", "replies?token=alice", "[" + strings.Repeat("{},", 10_000) + "{}]", 507, []string{"Too many replies: 10001 were sent at once, of which at most 10000 can wait."}},
		"too many values":          {"POST", "replies?token=alice", "[" + strings.Repeat("0,", 510_000) + "0]", 400, []string{"holds more than 500000 values"}},
		"a byte order mark":        {"PUT", "users?token=alice", "\ufeff{}", 400, []string{"is a byte order mark"}},
		"a status that is none":    {"GET", "requests?status=ok", "", 400, []string{`The parameter status is \"ok\"; send a whole number from 0 to 599.`}},
		"a limit that is too high": {"GET", "requests?limit=5000", "", 400, []string{"from 1 to 1000"}},
		"a match that is none":     {"GET", "requests?unmatched=1", "", 400, []string{`The parameter unmatched is \"1\"; send true`}},
		"a reset with a parameter": {"POST", "reset?tokens=alice", "", 400, []string{`There is no parameter \"tokens\" here; send token.`}},
	} {
		status, answer := steer(t, srv, tt.method, tt.path, tt.body)
		if status != tt.status {
			t.Errorf("%s is answered %d %.300s, want %d", name, status, answer, tt.status)
		}
		for _, word := range tt.words {
			if !strings.Contains(answer, word) {
				t.Errorf("%s is answered %.600s, without %q", name, answer, word)
			}
		}
	}
	if _, after := steer(t, srv, "GET", "users?token=alice", ""); after != before {
		t.Errorf("what was refused has changed a user from %s to %s", before, after)
	}
}

// Replies are enqueued, looked at and dropped; a strict test does not owe them.
func TestControlOfReplies(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithUser("alice", fake.User{Replies: []fake.Reply{{Times: fake.Always}}}))
	if status, answer := steer(t, srv, "POST", "replies?token=alice", `[{"status": 503, "times": 2}, {"fault": "bad_json"}]`); status != 200 ||
		answer != `{"replies":[{"reply":{"status":503,"times":2},"played":0,"summary":"503","enqueued":true},{"reply":{"fault":"bad_json"},"played":0,"summary":"bad_json","enqueued":true},`+
			`{"reply":{"times":"always"},"played":0,"summary":"normal answer","enqueued":false}]}` {
		t.Errorf("enqueuing is answered %d %s", status, answer)
	}
	if got := statuses(t, srv, "alice", 1); got != "503" {
		t.Errorf("the next answer is %s", got)
	}
	if _, answer := steer(t, srv, "GET", "replies?token=alice", ""); !strings.HasPrefix(answer, `{"replies":[{"reply":{"status":503,"times":2},"played":1,"summary":"503","enqueued":true},`) {
		t.Errorf("what waits is %s", answer)
	}
	if status, _ := steer(t, srv, "DELETE", "replies?token=alice", ""); status != 204 {
		t.Errorf("dropping replies is answered %d", status)
	}
	if got := statuses(t, srv, "alice", 2); got != "200 200" {
		t.Errorf("the answers after that are %s", got)
	}
	if status, _ := steer(t, srv, "POST", "replies?token=alice", `{"status": 500, "times": "always"}`); status != 200 {
		t.Errorf("enqueuing one reply is answered %d", status)
	}
	if got := statuses(t, srv, "alice", 2); got != "500 500" {
		t.Errorf("the answers after that are %s", got)
	}
}

func TestControlOfRequests(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithLenient(), fake.WithUser("alice", fake.User{}))
	statuses(t, srv, "alice", 3)
	statuses(t, srv, "bob", 2)
	ask(t, srv, "GET", "/elsewhere?a=b", nil)
	for query, want := range map[string]string{
		"":                                     "6 5 4 3 2 1 false",
		"?token=alice":                         "3 2 1 false",
		"?token=":                              "6 false",
		"?status=401":                          "5 4 false",
		"?status=401&token=alice":              "false",
		"?path=/elsewhere":                     "6 false",
		"?unmatched=true":                      "6 false",
		"?unmatched=true&token=alice":          "false",
		"?advice=true":                         "6 false",
		"?advice=false&limit=2":                "5 4 true",
		"?unmatched=false&limit=2":             "5 4 true",
		"?since=4":                             "6 5 false",
		"?limit=2":                             "6 5 true",
		"?limit=2&before=5":                    "4 3 true",
		"?limit=2&before=3":                    "2 1 false",
		"?limit=3&token=alice":                 "3 2 1 false",
		"?path=/api/user/campaigns&limit=1000": "5 4 3 2 1 false",
	} {
		status, answer := steer(t, srv, "GET", "requests"+query, "")
		var listed struct {
			Requests []struct {
				Number                           int
				Token, Method, URL, Reason, Host string
				Header                           http.Header
				Duration                         *float64 `json:"duration_ms"`
			}
			More bool
		}
		if err := json.Unmarshal([]byte(answer), &listed); err != nil || status != 200 {
			t.Fatalf("%s is answered %d %s", query, status, answer)
		}
		got := ""
		for _, r := range listed.Requests {
			got += fmt.Sprint(r.Number, " ")
			if r.Method != "GET" || r.URL == "" || r.Reason == "" || r.Host == "" || r.Header == nil || r.Duration == nil {
				t.Errorf("a request is %+v", r)
			}
		}
		if got += fmt.Sprint(listed.More); got != want {
			t.Errorf("requests%s lists %s, want %s", query, got, want)
		}
	}
	steer(t, srv, "DELETE", "requests?token=bob", "")
	srv.CheckRequests(t, "bob", 0)
	srv.CheckRequests(t, "alice", 3)
	steer(t, srv, "DELETE", "requests", "")
	srv.CheckRequests(t, "alice", 0)
	if got := len(srv.Requests()); got != 0 {
		t.Errorf("%d requests are left", got)
	}
}

// Whoever awaits requests goes on waiting when they are forgotten meanwhile, for
// as many again.
func TestControlAwaitsAfterReset(t *testing.T) {
	t.Parallel()
	for _, forget := range []string{"POST reset", "POST reset?token=alice", "DELETE requests", "DELETE requests?token=alice"} {
		t.Run(forget, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				srv := fake.NewTestServer(t, fake.WithInMemory(), fake.WithUser("alice", fake.User{}))
				statuses(t, srv, "alice", 1)
				answered := make(chan string, 1)
				go func() {
					_, answer := steer(t, srv, "GET", "requests?token=alice&await=2", "")
					answered <- answer
				}()
				synctest.Wait()
				method, path, _ := strings.Cut(forget, " ")
				steer(t, srv, method, path, "")
				statuses(t, srv, "alice", 1)
				synctest.Wait()
				if len(answered) > 0 {
					t.Fatalf("one request is answered %s", <-answered)
				}
				statuses(t, srv, "alice", 1)
				if answer := <-answered; !strings.Contains(answer, `"count":2`) {
					t.Errorf("two requests are answered %s", answer)
				}
			})
		})
	}
}

// What is awaited and does not come is refused after a while, in words.
func TestControlAwaitsForAWhile(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]string{
		"await=2":                    `10s 504 1 of 2 requests of token \"alice\" have arrived: 10s are over. GET /_fake/requests lists those that have arrived. To wait longer, send within=60s.`,
		"await_answers=2&within=1m":  `1m0s 504 1 of 2 requests of token \"alice\" have been answered: 1m0s are over.`,
		"await=1&within=1h":          `0s 200 "count":1`,
		"await=2&within=soon":        `0s 400 The parameter within is \"soon\"; send a duration such as 30s, up to 24h.`,
		"await=2&within=25h":         `0s 400 The parameter within is \"25h\"`,
		"token=nobody&await=1":       `0s 400 The parameter token is there 2 times`,
		"await=2&within=10s&since=1": `10s 504 `,
	} {
		t.Run(query, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				srv := fake.NewTestServer(t, fake.WithInMemory(), fake.WithUser("alice", fake.User{}))
				statuses(t, srv, "alice", 1)
				begin := time.Now()
				status, answer := steer(t, srv, "GET", "requests?token=alice&"+query, "")
				start, text, _ := strings.Cut(want, " ")
				code, text, _ := strings.Cut(text, " ")
				if time.Since(begin).String() != start || fmt.Sprint(status) != code || !strings.Contains(answer, text) {
					t.Errorf("after %s the answer is %d %s, want %s", time.Since(begin), status, answer, want)
				}
			})
		})
	}
}

// A page of another origin gets nothing, be it to read or to write, and neither
// does one that calls this machine by a name of its own.
func TestControlIsClosedToOthers(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithUser("alice", fake.User{}))
	root := strings.TrimSuffix(srv.BaseURL(), "/api")
	host := strings.TrimPrefix(root, "http://")
	for name, tt := range map[string]struct {
		host   string
		header http.Header
		want   int
	}{
		"a program":                  {host, nil, 200},
		"its own page":               {host, http.Header{"Sec-Fetch-Site": {"same-origin"}, "Origin": {root}}, 200},
		"the address bar":            {host, http.Header{"Sec-Fetch-Site": {"none"}}, 200},
		"localhost":                  {"localhost:80", nil, 200},
		"a name below localhost":     {"fake.localhost", nil, 200},
		"IPv6":                       {"[::1]:80", nil, 200},
		"capitals and a dot":         {"LocalHost.:80", nil, 200},
		"two sites":                  {host, http.Header{"Sec-Fetch-Site": {"none", "cross-site"}}, 403},
		"a user in the origin":       {host, http.Header{"Origin": {"http://a@" + host}}, 403},
		"a page of the same site":    {host, http.Header{"Sec-Fetch-Site": {"same-site"}}, 403},
		"a page of another site":     {host, http.Header{"Sec-Fetch-Site": {"cross-site"}}, 403},
		"an old browser":             {host, http.Header{"Origin": {"http://evil.example"}}, 403},
		"a page without an origin":   {host, http.Header{"Origin": {"null"}}, 403},
		"another port":               {host, http.Header{"Origin": {"http://127.0.0.1:1"}}, 403},
		"a name that was made up":    {"evil.example", nil, 403},
		"a name that looks like one": {"localhost.evil.example", nil, 403},
		"another address":            {"192.0.2.1", nil, 403},
	} {
		for method, path := range map[string]string{"GET": "requests", "DELETE": "requests", "POST": "reset", "HEAD": "health"} {
			r, err := http.NewRequest(method, root+"/_fake/"+path, nil)
			if err != nil {
				t.Fatal(err)
			}
			r.Host = tt.host
			if tt.header != nil {
				r.Header = tt.header
			}
			response, _ := send(t, srv, r)
			if allowed := response.StatusCode < 300; allowed != (tt.want == 200) {
				t.Errorf("%s, by %s %s, is answered %d", name, method, path, response.StatusCode)
			}
			if got := response.Header.Get("Access-Control-Allow-Origin"); got != "" {
				t.Errorf("%s may read the control plane as %s", name, got)
			}
		}
	}
}

// A body that never ends does not keep the server from being closed, though it might arrive
// for half a minute, and the connection is another server's.
func TestCloseEndsBodiesThatDoNot(t *testing.T) {
	t.Parallel()
	handler, err := fake.New()
	if err != nil {
		t.Fatal(err)
	}
	outer := httptest.NewServer(handler)
	defer outer.Close()
	conn := dial(t, outer.URL)
	defer conn.Close()
	fmt.Fprintf(conn, "PUT /_fake/users?token=alice HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 100\r\n\r\n")
	if _, err := conn.Read(make([]byte, 1)); err != nil { // the body is being read
		t.Fatal(err)
	}
	begin := time.Now()
	handler.Close()
	if took := time.Since(begin); took > 10*time.Second {
		t.Errorf("Close has taken %s", took)
	}
}

func TestWithoutControl(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithoutControl())
	for path, want := range map[string]int{"health": 200, "users": 404, "requests": 404} {
		if got, _ := steer(t, srv, "GET", path, ""); got != want {
			t.Errorf("%s is answered %d, want %d", path, got, want)
		}
	}
}

// Users that are put at once, by many, are each put whole.
func TestControlFromManySides(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithInMemory(), fake.WithLogger(nil))
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			for range 10 {
				steer(t, srv, "PUT", "users?token=alice", fmt.Sprintf(`{"description": "%d", "generate": {"count": %[1]d}}`, i))
				_, answer := steer(t, srv, "GET", "users?token=alice", "")
				var one struct {
					Description string
					User        struct{ Generate struct{ Count int } }
				}
				if err := json.Unmarshal([]byte(answer), &one); err != nil || fmt.Sprint(one.User.Generate.Count) != one.Description {
					t.Errorf("a user is %s", answer)
				}
				steer(t, srv, "POST", "replies?token=alice", `{}`)
				steer(t, srv, "GET", "requests", "")
			}
		})
	}
	all.Wait()
}

// Advice is put into the words of JSON, and what the user wrote stays as it is.
func TestMistakesQuoteWhatWasWritten(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithUser("alice", fake.User{}))
	for _, word := range []string{"mapping", "a mapping"} {
		status, answer := steer(t, srv, "POST", "replies?token=alice", fmt.Sprintf(`[{"fault": %q}]`, word))
		var problem struct{ Mistakes []struct{ Problem string } }
		if err := json.Unmarshal([]byte(answer), &problem); err != nil || status != 400 || len(problem.Mistakes) != 1 {
			t.Errorf("the fault %q is answered %d %s, want 400 and one mistake", word, status, answer)
			continue
		}
		if got, want := problem.Mistakes[0].Problem, fmt.Sprintf("%q is not a fault", word); got != want {
			t.Errorf("the problem is %s, want %s", got, want)
		}
	}
}

// A body of one line is not repeated for each of its mistakes.
func TestManyMistakesInOneLine(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithLogger(nil))
	body := repeated(`{"campaigns":[`, `{"id":"cmp_1","nome":"Spring launch","status":"active"}`, `]}`, 100_000)
	status, said := steer(t, srv, "PUT", "users?token=alice", body)
	if status != 400 || !strings.Contains(said, "campaigns[400]") || len(said) > 20*len(body) {
		t.Errorf("%d bytes are answered %d with %d bytes", len(body), status, len(said))
	}
}
