package fake_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// steer sends a request to the control plane, and returns the answer.
func steer(t testing.TB, srv *fake.Server, method, path, body string) (status int, answer string) {
	t.Helper()
	r, err := http.NewRequest(method, rootOf(srv)+"/_fake/"+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	response, answer := send(t, srv.Client(), r)
	if len(answer) > 0 && !json.Valid([]byte(answer)) {
		t.Errorf("%s %s is answered %s", method, path, answer)
	}
	return response.StatusCode, strings.TrimSpace(answer)
}

// A body with mistakes is refused with the same messages and places as a file, each mistake by
// itself, and changes nothing.
func TestControlRefusesBodies(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithUser("alice", fixtures.User{}))
	_, before := steer(t, srv, "GET", "users?token=alice", "")
	const user, replies = "PUT users?token=alice", "POST replies?token=alice"
	for _, tt := range []struct {
		call, body string
		status     int
		want       string // a part of the detail
	}{
		{user, "generate: {count: 3}", 400, `write JSON, as {"generate":{"count":3}}`},
		{user, `{"campaings": []}`, 400, "body:1:2: users.alice.campaings: "},
		{user, strings.Repeat(" ", 1<<20+1), 413, "The body is larger than 1 MiB."},
		{replies, `[{}, {"fault": "rest"}]`, 400, `body:1:16: replies[1].fault: "rest" is not`},
		{replies, `[{"times": "always"}, {}]`, 400, "replies[0].times: is played always"},
	} {
		expectRefusal(t, srv, tt.call, tt.body, tt.status, tt.want)
	}
	_, answer := steer(t, srv, "PUT", "users?token=alice", "{\"delay\": 2,\n \"delai\": 3}")
	expect(t, answer, "2 mistakes. The first: body:1:11: users.alice.delay: 2 has no unit",
		`"line":1,"column":11,"path":"users.alice.delay"`,
		`"line":2,"column":2,"path":"users.alice.delai"`)
	if _, after := steer(t, srv, "GET", "users?token=alice", ""); after != before {
		t.Errorf("what was refused has changed the user from\n%s to\n%s", before, after)
	}
}

// A body that is compressed is refused, with what to do.
func TestControlRefusesEncodedBodies(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t)
	for encoding, want := range map[string]string{
		"gzip":     `415 {"type":`,
		"Identity": "201 ",
	} {
		header := http.Header{"Content-Encoding": {encoding}}
		request := newRequest(t, "PUT", rootOf(srv)+"/_fake/users?token=alice", header)
		request.Body = io.NopCloser(strings.NewReader("{}"))
		response, said := send(t, srv.Client(), request)
		if got := fmt.Sprint(response.StatusCode, " ", said); !strings.HasPrefix(got, want) {
			t.Errorf("a body with the encoding %s is answered %s", encoding, got)
		}
	}
}

// The control plane refuses an unknown call, and says which calls it has.
func TestControlRefusesCalls(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithUser("alice", fixtures.User{}))
	for _, tt := range []struct {
		call   string
		status int
		want   string // a part of the detail
	}{
		{"GET usres", 404, "The path is /_fake/usres. Here there is /, /_fake, /_fake/, /_fake/api"},
		{"POST users", 405, "POST is not allowed here. Send one of DELETE, GET, HEAD, PUT."},
		{"GET users?token=%zz", 400, "The query cannot be read"},
		{"GET users?tokn=a", 400, `There is no parameter "tokn" here; send token, run, format.`},
		{"GET events?since=1", 400, `There is no parameter "since" here; send none.`},
		{"GET users?format=yaml", 400, "The parameter token is missing; send ?token=, percent-"},
		{"GET users?token=alice&format=toml", 400, `The parameter format is "toml"; send json or`},
		{"GET requests?limit=1001", 400, "send a whole number from 1 to 1000."},
		{"GET requests?await=1", 400, "await_answers need the parameter token or run, whose requ"},
		{"GET replies?token=alicee", 404, `No user has the token "alicee". Did you mean alice?`},
		{"GET users?token=bob", 404, `No user has the token "bob". GET /_fake/users lists the`},
		{"GET users?token=bob&format=yaml", 404, `No user has the token "bob".`},
	} {
		expectRefusal(t, srv, tt.call, "", tt.status, tt.want)
	}
}

// expectRefusal reports if a call, as "GET users", is not refused with a status and some words.
func expectRefusal(t *testing.T, srv *fake.Server, call, body string, status int, want string) {
	t.Helper()
	method, path, _ := strings.Cut(call, " ")
	got, answer := steer(t, srv, method, path, body)
	var problem struct {
		Status int
		Detail string
	}
	if err := json.Unmarshal([]byte(answer), &problem); err != nil {
		t.Fatalf("%s is answered %d %s", call, got, answer)
	}
	if got != status || problem.Status != status || !strings.Contains(problem.Detail, want) {
		t.Errorf("%s is answered %d %.300s, want %d and %q", call, got, answer, status, want)
	}
}

// Replies can be enqueued, listed and dropped over HTTP. A strict test does not fail if they are
// not played.
func TestControlOfReplies(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithUser("alice", fixtures.User{}))
	for _, tt := range []struct{ body, want string }{
		{`[{"status": 503, "times": 2}, {"fault": "bad_json"}]`, `{"before":0}`},
		{`{"status": 504, "times": "always"}`, `{"before":2}`},
	} {
		status, answer := steer(t, srv, "POST", "replies?token=alice", tt.body)
		if status != 200 || answer != tt.want {
			t.Errorf("enqueuing %s is answered %d %s, want %s", tt.body, status, answer, tt.want)
		}
	}
	expectStatuses(t, srv, "alice", "503")
	_, answer := steer(t, srv, "GET", "replies?token=alice", "")
	expect(t, answer, `{"replies":[{"reply":{"status":503,"times":2},"played":1,`+
		`"summary":"503","enqueued":true},`)
	if status, _ := steer(t, srv, "DELETE", "replies?token=alice", ""); status != 204 {
		t.Errorf("dropping replies is answered %d", status)
	}
	expectStatuses(t, srv, "alice", "200")
	steer(t, srv, "POST", "replies?token=alice", `{"status": 501}`) // this reply is never played
}

// A call that awaits requests in vain is refused after a while, with a message.
func TestControlAwaitsForAWhile(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]struct {
		after  time.Duration
		status int
		says   string
	}{
		"await=1": {0, 200, `"count":1`},
		"await=2": {10 * time.Second, 504, `1 of 2 requests of token \"alice\" have arrived: ` +
			"10s are over. GET /_fake/requests lists those that have arrived. " +
			"To wait longer, send within=60s."},
		"await_answers=2&within=1m": {time.Minute, 504,
			`1 of 2 requests of token \"alice\" have been answered: 1m0s are over.`},
	} {
		t.Run(query, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				alice := fake.WithUser("alice", fixtures.User{})
				srv := fake.NewTestServer(t, fake.WithInMemory(), alice)
				statuses(t, srv, "alice", 1)
				begin := time.Now()
				status, answer := steer(t, srv, "GET", "requests?token=alice&"+query, "")
				expectTook(t, query, begin, want.after)
				if status != want.status || !strings.Contains(answer, want.says) {
					t.Errorf("the answer is %d %s, want %+v", status, answer, want)
				}
			})
		})
	}
}

// While a reply may break a connection, answers of the control plane end their connections, too.
// Otherwise the client would repeat the broken request.
func TestControlKeepsNoConnectionThatMayBreak(t *testing.T) {
	t.Parallel()
	for want, reply := range map[string]fixtures.Reply{
		"":      {Status: 503},
		"close": {Fault: fixtures.FaultReset},
	} {
		srv := newHandler(t, fake.WithUser("alice", scripted(reply)))
		w := httptest.NewRecorder()
		srv.ServeHTTP(w, httptest.NewRequest("GET", "http://localhost/_fake/users", nil))
		if got := w.Header().Get("Connection"); w.Code != 200 || got != want {
			t.Errorf("beside %+v the answer is %d with Connection %q, want %q",
				reply, w.Code, got, want)
		}
	}
}

// A panic of a handler of the control plane fails the test, too.
func TestControlThatPanics(t *testing.T) {
	t.Parallel()
	var tb recorder
	defer tb.finish()
	srv := fake.NewTestServer(&tb)
	defer func() {
		if why := recover(); why != "no header to write to" {
			t.Errorf("the handler ended with %v", why)
		}
		expect(t, tb.text(), "the handler panicked on GET /_fake/users", "no header to write to")
	}()
	srv.ServeHTTP(broken{}, httptest.NewRequest("GET", "http://localhost/_fake/users", nil))
}

// Health has the base URL at which the client has reached the server.
func TestHealthHasTheBaseURL(t *testing.T) {
	t.Parallel()
	srv := newHandler(t, fake.WithService(fixtures.Service{BasePath: "/v2"}))
	for url, want := range map[string]string{
		"http://localhost:1/_fake/health": "http://localhost:1/v2",
		"https://campaigns/_fake/health":  "https://campaigns/v2",
	} {
		w := httptest.NewRecorder()
		srv.ServeHTTP(w, httptest.NewRequest("GET", url, nil))
		if got := between(w.Body.String(), `"base_url":"`, `"`); w.Code != 200 || got != want {
			t.Errorf("%s is answered %d with the base URL %s, want %s", url, w.Code, got, want)
		}
	}
}

// Health answers at any host, since load balancers and compose files use their own names for the
// server. A page of another host learns nothing else.
func TestHealthAtAnyHost(t *testing.T) {
	t.Parallel()
	srv := listening(t)
	for _, host := range []string{"", "evil.example", "campaigns.example.com:8642"} {
		request := "GET /_fake/health HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n"
		response, body := exchanged(t, srv, request)
		if response.StatusCode != 200 || strings.TrimSpace(body) != `{"ready":true}` {
			t.Errorf("at the host %q, health is answered %s %s", host, response.Status, body)
		}
	}
}
