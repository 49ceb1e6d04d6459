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

// steer sends a request to the control plane, and returns what is answered.
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

// A body that cannot be used is refused with the loader's words and places.
func TestControlRefusesBodies(t *testing.T) {
	t.Parallel()
	const user, replies = "PUT users?token=alice", "POST replies?token=alice"
	for name, tt := range map[string]struct {
		call string
		body string
		want string // a part of the detail
	}{
		"YAML, for a user": {
			call: user,
			body: "generate: {count: 3}",
			want: `body:1:1: is not JSON: invalid character 'g' looking for beginning of value; ` +
				`write JSON, as {"generate":{"count":3}}`,
		},
		"YAML, for replies": {
			call: replies,
			body: "- status: 503",
			want: `body:1:2: is not JSON: invalid character ' ' in numeric literal; ` +
				`write JSON, as [{"status":503}]`,
		},
		"no braces": {
			call: user,
			body: `"generate": {"count": 3}`,
			want: `body:1:11: is not JSON: invalid character ':' after top-level value; ` +
				`write JSON, as {"generate":{"count":3}}`,
		},
		"a word in JSON": {
			call: user,
			body: `{"description": none}`,
			want: "body:1:18: is not JSON",
		},
		"nothing": {
			call: user,
			body: "",
			want: "body:1:1: is not JSON: unexpected end",
		},
		"the end in a word": {
			call: user,
			body: `{"repeat":tru`,
			want: "body:1:14: is not JSON: unexpected end",
		},
		"the end in a list": {
			call: user,
			body: "{\n \"campaigns\": [",
			want: "body:2:16: is not JSON: unexpected end",
		},
		"other quotes": {
			call: user,
			body: "{\u201crepeat\u201d: true}",
			want: "body:1:2: is not JSON: the character '\u201c' cannot",
		},
		"single quotes": {
			call: user,
			body: `{'campaigns': []}`,
			want: "is not JSON",
		},
		"a comma too many": {
			call: user,
			body: `{"campaigns": [],}`,
			want: "body:1:18: is not JSON: invalid character '}'",
		},
		"half a character": {
			call: user,
			body: `{"description": "\ud83d"}`,
			want: "body:1:17: has half of a character",
		},
		"a line break in a text": {
			call: user,
			body: "{\"description\": \"a\nb\"}",
			want: "in string literal",
		},
		"a byte that is not UTF-8": {
			call: user,
			body: "{\"description\": \"\xff\"}",
			want: "is a byte that is not UTF-8",
		},
		"more than a value": {
			call: user,
			body: "{} {}",
			want: "body:1:4: is not JSON",
		},
		"too deep": {
			call: user,
			body: strings.Repeat("[", 200) + strings.Repeat("]", 200),
			want: "is a list, not a mapping",
		},
		"too many values": {
			call: replies,
			body: "[" + strings.Repeat("0,", 200_000) + "0]",
			want: "has more than 200000 keys, values and commas until here",
		},
		"a list for a user": {
			call: user,
			body: "[]",
			want: "is a list, not a mapping",
		},
		"a key twice": {
			call: user,
			body: `{"delay": "1s", "delay": "2s"}`,
			want: "users.alice.delay: is given twice",
		},
		"an unknown key": {
			call: user,
			body: `{"campaings": []}`,
			want: "did you mean campaigns?",
		},
		"a number in quotes": {
			call: replies,
			body: `{"status":"503"}`,
			want: `body:1:11: replies[0].status: is the text "503", not a number; `,
		},
		"a number for a mapping": {
			call: user,
			body: `{"rate_limit": 5}`,
			want: `write {"requests": 5, "per": "10s"}`,
		},
		"a mapping for replies": {
			call: user,
			body: `{"replies": {"status": 500}}`,
			want: `write a list of replies, as [{"status": 503, "times": 2}]`,
		},
		"a mapping for campaigns": {
			call: user,
			body: `{"campaigns": {"id": "1"}}`,
			want: `write a list of campaigns, as [{"id": "cmp_1", …}]`,
		},
		"a reply that is wrong": {
			call: replies,
			body: `[{"status": 503}, {"fault": "rest"}]`,
			want: `body:1:29: replies[1].fault: "rest" is not known here; did you mean reset?`,
		},
		"always before the last": {
			call: replies,
			body: `[{"times": "always"}, {}]`,
			want: "body:1:3: replies[0].times: is played always",
		},
		"a negative number before the last": {
			call: replies,
			body: `[{"times": -1}, {}]`,
			want: "1 mistake. The first: body:1:12: replies[0].times: -1 is out of range",
		},
		"too many replies": {
			call: replies,
			body: "[" + strings.Repeat("{},", 1000) + "{}]",
			want: "replies: is a list of 1001 replies; write at most 1000",
		},
		"a token that cannot be sent": {
			call: "PUT users?token=zo%C3%AB",
			body: "{}",
			want: "which no client can send reliably",
		},
		"an empty token": {
			call: "PUT users?token=",
			body: "{}",
			want: "The parameter token is empty; send the token.",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			alice := fixtures.User{Campaigns: []fixtures.Campaign{spring}}
			srv := fake.NewTestServer(t, fake.WithUser("alice", alice))
			_, before := steer(t, srv, "GET", "users?token=alice", "")
			expectRefusal(t, srv, tt.call, tt.body, 400, tt.want)
			_, after := steer(t, srv, "GET", "users?token=alice", "")
			if after != before {
				t.Errorf("what was refused has changed the user from\n%s to\n%s", before, after)
			}
		})
	}
}

// A token that no client can send is refused wherever a token is a parameter.
func TestTokensThatNobodyCanSend(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithUser("alice", fixtures.User{}))
	calls := []string{
		"GET users", "PUT users", "DELETE users",
		"GET replies", "POST replies", "DELETE replies", "POST release",
		"GET unplayed", "GET requests", "DELETE requests", "POST reset",
	}
	for _, call := range calls {
		for _, token := range []string{"ab+cd", "Bearer%20demo", "caf%C3%A9", "a%0Ab"} {
			expectRefusal(t, srv, call+"?token="+token, "{}", 400, "The parameter token ")
		}
		expectRefusal(t, srv, call+"?token=ab+cd", "{}", 400, "for the character + write %2B.")
	}
}

// A body that is compressed is refused, with what to do.
func TestControlRefusesEncodedBodies(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithUser("alice", fixtures.User{}))
	for encoding, want := range map[string]int{
		"gzip":     415,
		"br, gzip": 415,
		"identity": 200,
		"Identity": 200,
	} {
		for _, call := range []string{"PUT users", "POST replies"} {
			method, path, _ := strings.Cut(call, " ")
			header := http.Header{"Content-Encoding": {encoding}}
			url := rootOf(srv) + "/_fake/" + path + "?token=alice"
			request := newRequest(t, method, url, header)
			request.Body = io.NopCloser(strings.NewReader("{}"))
			response, said := send(t, srv.Client(), request)
			refusal := "The body has the Content-Encoding " + encoding +
				"; send it as it is, without that header."
			isTold := strings.Contains(said, refusal)
			if response.StatusCode != want || isTold != (want == 415) {
				t.Errorf("%s with %s is answered %s %s", call, encoding, response.Status, said)
			}
		}
	}
}

// A call that the control plane does not have is refused with what there is.
func TestControlRefusesCalls(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithUser("alice", fixtures.User{}))
	for name, tt := range map[string]struct {
		call   string
		body   string
		status int
		want   string // a part of the detail
	}{
		"another path": {
			call: "GET usres", status: 404,
			want: "/_fake/users",
		},
		"another method": {
			call: "POST users", status: 405,
			want: "POST is not allowed here. Send one of DELETE, GET, HEAD, PUT.",
		},
		"another method of events": {
			call: "POST events", status: 405,
			want: "POST is not allowed here. Send one of GET, HEAD.",
		},
		"no token": {
			call: "PUT users", body: "{}", status: 400,
			want: "The parameter token is missing",
		},
		"a token twice": {
			call: "PUT users?token=a&token=b", body: "{}", status: 400,
			want: "The parameter token is there 2 times; send it once.",
		},
		"a query that is none": {
			call: "GET users?token=%zz", status: 400,
			want: "The query cannot be read",
		},
		"an unknown parameter": {
			call: "GET users?tokn=a", status: 400,
			want: `There is no parameter "tokn" here; send token, run, format.`,
		},
		"an unknown parameter of a reset": {
			call: "POST reset?tokens=alice", status: 400,
			want: `There is no parameter "tokens" here; send token, run.`,
		},
		"a parameter where there are none": {
			call: "GET events?since=1", status: 400,
			want: `There is no parameter "since" here; send none.`,
		},
		"a limit that is too high": {
			call: "GET requests?limit=5000", status: 400,
			want: `The parameter limit is "5000"; send a whole number from 1 to 1000.`,
		},
		"neither true nor false": {
			call: "GET requests?unmatched=1", status: 400,
			want: `The parameter unmatched is "1"; send true or false.`,
		},
		"a large body": {
			call: "PUT users?token=alice", body: strings.Repeat(" ", 1<<20+1), status: 413,
			want: "The body is larger than 1 MiB.",
		},
		"replies of nobody": {
			call: "POST replies?token=bob", body: `[{"status": 503}]`, status: 404,
			want: `No user has the token "bob".`,
		},
		"nearly a token": {
			call: "GET replies?token=alicee", status: 404,
			want: `No user has the token "alicee". Did you mean alice?`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			expectRefusal(t, srv, tt.call, tt.body, tt.status, tt.want)
		})
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

// Of several mistakes in a body each is listed with its place.
func TestControlListsMistakes(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t)
	body := "{\"delay\": 2,\n \"replies\": [{\"status\": 99}]}"
	_, answer := steer(t, srv, "PUT", "users?token=alice", body)
	expect(t, answer,
		"2 mistakes. The first: body:1:11: users.alice.delay: 2 has no unit",
		`"line":1,"column":11,"path":"users.alice.delay"`,
		`"line":2,"column":25,"path":"users.alice.replies[0].status"`)
}

// Replies are enqueued, looked at and dropped; a strict test does not owe them.
func TestControlOfReplies(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithUser("alice", fixtures.User{
		Replies: []fixtures.Reply{{Times: fixtures.Always}},
	}))
	for _, tt := range []struct {
		body   string
		before int // how many others are played before
	}{
		{`[{"status": 503, "times": 2}, {"fault": "bad_json"}]`, 0},
		{`{"status": 504, "times": "always"}`, 2},
		{`{"status": 505}`, 2},
		{`{"times": "always"}`, 3},
	} {
		status, answer := steer(t, srv, "POST", "replies?token=alice", tt.body)
		if want := fmt.Sprintf(`{"before":%d}`, tt.before); status != 200 || answer != want {
			t.Errorf("enqueuing %s is answered %d %s, want %s", tt.body, status, answer, want)
		}
	}
	expectStatuses(t, srv, "alice", "503")

	_, answer := steer(t, srv, "GET", "replies?token=alice", "")
	first := `{"replies":[{"reply":{"status":503,"times":2},"played":1,"summary":"503",` +
		`"enqueued":true},`
	if !strings.HasPrefix(answer, first) {
		t.Errorf("what waits is %s, want it to begin with %s", answer, first)
	}

	if status, _ := steer(t, srv, "DELETE", "replies?token=alice", ""); status != 204 {
		t.Errorf("dropping replies is answered %d", status)
	}
	expectStatuses(t, srv, "alice", "200 200")

	steer(t, srv, "POST", "replies?token=alice", `{"status": 500, "times": "always"}`)
	expectStatuses(t, srv, "alice", "500 500")
	steer(t, srv, "POST", "replies?token=alice", `{"status": 501}`) // which is never played
}

// What is awaited and does not come is refused after a while, in words.
func TestControlAwaitsForAWhile(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]struct {
		after  time.Duration
		status int
		says   string
	}{
		"await=2": {
			after:  10 * time.Second,
			status: 504,
			says: `1 of 2 requests of token \"alice\" have arrived: 10s are over. ` +
				"GET /_fake/requests lists those that have arrived. " +
				"To wait longer, send within=60s.",
		},
		"await_answers=2&within=1m": {time.Minute, 504,
			`1 of 2 requests of token \"alice\" have been answered: 1m0s are over.`},
		"await=2&within=10s&since=1": {10 * time.Second, 504, ""},
		"await=1&within=1h":          {0, 200, `"count":1`},
		"await=2&within=soon": {0, 400,
			`The parameter within is \"soon\"; send a duration such as 30s, up to 24h.`},
		"await=2&within=25h":   {0, 400, `The parameter within is \"25h\"`},
		"token=nobody&await=1": {0, 400, "The parameter token is there 2 times"},
	} {
		t.Run(query, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				srv := fake.NewTestServer(t,
					fake.WithInMemory(),
					fake.WithUser("alice", fixtures.User{}),
				)
				statuses(t, srv, "alice", 1)
				begin := time.Now()
				status, answer := steer(t, srv, "GET", "requests?token=alice&"+query, "")
				after := time.Since(begin)
				if after != want.after || status != want.status ||
					!strings.Contains(answer, want.says) {
					t.Errorf("after %s the answer is %d %s, want %+v", after, status, answer, want)
				}
			})
		})
	}
}

// Without a token nobody knows whose requests are awaited.
func TestControlAwaitsRequestsOfAToken(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t)
	for _, parameter := range []string{"await", "await_answers"} {
		expectRefusal(t, srv, "GET requests?"+parameter+"=1", "", 400,
			"The parameters await and await_answers need the parameter token or run, "+
				"whose requests they count.")
	}
}

// A connection that may break a request is not kept by an answer of the control plane either, or
// the client would repeat that request.
func TestControlKeepsNoConnectionThatMayBreak(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		reply fixtures.Reply
		want  string // the header Connection
	}{
		"an error": {fixtures.Reply{Status: 503}, ""},
		"a reset":  {fixtures.Reply{Fault: fixtures.FaultReset}, "close"},
	} {
		srv := newHandler(t,
			fake.WithUser("alice", fixtures.User{Replies: []fixtures.Reply{tt.reply}}))
		w := httptest.NewRecorder()
		srv.ServeHTTP(w, httptest.NewRequest("GET", "http://localhost/_fake/users", nil))
		if got := w.Header().Get("Connection"); w.Code != 200 || got != tt.want {
			t.Errorf("beside %s the answer is %d with Connection %q, want %q",
				name, w.Code, got, tt.want)
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
