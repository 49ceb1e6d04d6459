package fake_test

import (
	"encoding/json"
	"fmt"
	"net/http"
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

// What cannot be used is refused with the loader's words and places, and changes
// nothing.
func TestControlRefuses(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithUser("alice", fixtures.User{Campaigns: []fixtures.Campaign{spring}}))
	_, before := steer(t, srv, "GET", "users?token=alice", "")
	for name, tt := range map[string]struct {
		method, path, body string
		status             int
		words              []string
	}{
		"no JSON":                  {"PUT", "users?token=alice", "users:\n  alice: {}", 400, []string{`body:1:1: is not JSON`, `write JSON, as {\"generate\":{\"count\":3}}`}},
		"a user in YAML":           {"PUT", "users?token=alice", "generate: {count: 3}", 400, []string{`body:1:1: is not JSON`, `write JSON, as {\"generate\":{\"count\":3}}`}},
		"a list in YAML":           {"POST", "replies?token=alice", "- status: 503", 400, []string{`body:1:2: is not JSON`, `write JSON, as [{\"status\":503}]`}},
		"no braces":                {"PUT", "users?token=alice", `"generate": {"count": 3}`, 400, []string{`body:1:11: is not JSON`, `write JSON, as {\"generate\":{\"count\":3}}`}},
		"a word in JSON":           {"PUT", "users?token=alice", `{"description": none}`, 400, []string{"body:1:18: is not JSON"}},
		"nothing":                  {"PUT", "users?token=alice", "", 400, []string{"body:1:1: is not JSON: unexpected end"}},
		"the end in a word":        {"PUT", "users?token=alice", `{"repeat":tru`, 400, []string{"body:1:14: is not JSON: unexpected end"}},
		"another mark":             {"PUT", "users?token=alice", "{\u201crepeat\u201d: true}", 400, []string{"body:1:2: is not JSON: the character '\u201c' cannot"}},
		"a number in quotes":       {"POST", "replies?token=alice", `{"status":"503"}`, 400, []string{`body:1:11: replies[0].status: is the text \"503\", not a number; `}},
		"half of it":               {"PUT", "users?token=alice", "{\n \"campaigns\": [", 400, []string{"body:2:16: is not JSON: unexpected end"}},
		"a comma too many":         {"PUT", "users?token=alice", `{"campaigns": [],}`, 400, []string{"body:1:18: is not JSON: invalid character '}'"}},
		"single quotes":            {"PUT", "users?token=alice", `{'campaigns': []}`, 400, []string{"is not JSON"}},
		"half a character":         {"PUT", "users?token=alice", `{"description": "\ud83d"}`, 400, []string{"body:1:18: is half of a character"}},
		"a line break in a text":   {"PUT", "users?token=alice", "{\"description\": \"a\nb\"}", 400, []string{"in string literal"}},
		"bytes":                    {"PUT", "users?token=alice", "{\"description\": \"\xff\"}", 400, []string{"is a byte that is not UTF-8"}},
		"more than a value":        {"PUT", "users?token=alice", "{} {}", 400, []string{"body:1:4: is not JSON"}},
		"too deep":                 {"PUT", "users?token=alice", strings.Repeat("[", 200) + strings.Repeat("]", 200), 400, []string{"is nested more than 100 levels deep"}},
		"a key twice":              {"PUT", "users?token=alice", `{"delay": "1s", "delay": "2s"}`, 400, []string{"users.alice.delay: is given twice"}},
		"an unknown key":           {"PUT", "users?token=alice", `{"campaings": []}`, 400, []string{"did you mean campaigns?"}},
		"several mistakes":         {"PUT", "users?token=alice", "{\"delay\": 2,\n \"replies\": [{\"status\": 99}]}", 400, []string{"2 mistakes. The first: body:1:11: users.alice.delay: 2 has no unit", `"line":2,"column":25,"path":"users.alice.replies[0].status"`}},
		"an example in JSON":       {"PUT", "users?token=alice", `{"rate_limit": 5}`, 400, []string{`write {\"requests\": 5, \"per\": \"10s\"}`}},
		"a list":                   {"PUT", "users?token=alice", "[]", 400, []string{"is a list, not a mapping"}},
		"too much":                 {"PUT", "users?token=alice", strings.Repeat(" ", 1<<20+1), 413, []string{"larger than 1 MiB"}},
		"no list of replies":       {"PUT", "users?token=alice", `{"replies": {"status": 500}}`, 400, []string{`write a list of replies, as [{\"status\": 503, \"times\": 2}]`}},
		"no list of campaigns":     {"PUT", "users?token=alice", `{"campaigns": {"id": "1"}}`, 400, []string{`write a list of campaigns, as [{\"id\": \"cmp_1\", …}]`}},
		"an odd token":             {"PUT", "users?token=zo%C3%AB", "{}", 400, []string{"which no client can send reliably"}},
		"an empty token":           {"PUT", "users?token=", "{}", 400, []string{"is an empty token"}},
		"no token":                 {"PUT", "users", "{}", 400, []string{"The parameter token is missing"}},
		"a token twice":            {"PUT", "users?token=a&token=b", "{}", 400, []string{"The parameter token is there 2 times; send it once."}},
		"an unknown parameter":     {"GET", "users?tokn=a", "", 400, []string{`There is no parameter \"tokn\" here; send token.`}},
		"a query that is none":     {"GET", "users?token=%zz", "", 400, []string{"The query cannot be read"}},
		"another method":           {"POST", "users", "{}", 405, []string{"Send one of DELETE, GET, HEAD, PUT."}},
		"a query of events":        {"GET", "events?since=1", "", 400, []string{"There is no parameter"}},
		"another method of events": {"POST", "events", "", 405, nil},
		"another path":             {"GET", "usres", "", 404, []string{"/_fake/users"}},
		"replies of nobody":        {"POST", "replies?token=bob", `[{"status": 503}]`, 404, []string{`No user has the token \"bob\"`}},
		"replies that are wrong":   {"POST", "replies?token=alice", `[{"status": 503}, {"fault": "rest"}]`, 400, []string{"body:1:29: replies[1].fault: ", "did you mean reset?"}},
		"always before the last":   {"POST", "replies?token=alice", `[{"times": "always"}, {}]`, 400, []string{"body:1:3: replies[0].times: is played always"}},
		"too many replies":         {"POST", "replies?token=alice", "[" + strings.Repeat("{},", 10_000) + "{}]", 400, []string{"replies: is a list of 10001 replies; write at most 10000"}},
		"too many values":          {"POST", "replies?token=alice", "[" + strings.Repeat("0,", 510_000) + "0]", 400, []string{"holds more than 500000 values"}},
		"a byte order mark":        {"PUT", "users?token=alice", "\ufeff{}", 400, []string{"body:1:1: is not JSON"}},
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
	srv := fake.NewTestServer(t, fake.WithUser("alice", fixtures.User{Replies: []fixtures.Reply{{Times: fixtures.Always}}}))
	for i, body := range []string{`[{"status": 503, "times": 2}, {"fault": "bad_json"}]`, `{"status": 504, "times": "always"}`, `{"status": 505}`, `{"times": "always"}`} {
		want := fmt.Sprintf(`{"before":%d}`, []int{0, 2, 2, 3}[i])
		if status, answer := steer(t, srv, "POST", "replies?token=alice", body); status != 200 || answer != want {
			t.Errorf("enqueuing is answered %d %s, want %s", status, answer, want)
		}
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
	steer(t, srv, "POST", "replies?token=alice", `{"status": 501}`) // which is never played
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
				srv := fake.NewTestServer(t, fake.WithInMemory(), fake.WithUser("alice", fixtures.User{}))
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
