package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"reflect"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"example.com/campaignfake/fake/journal"
)

// datedTime matches the time of a line that is not written to a terminal.
const datedTime = `\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}`

// Each request is a row in columns of fixed widths, without control characters: a client must not
// be able to control the terminal that shows the log.
func TestRows(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 300)
	tests := map[string]struct {
		request journal.Request
		want    string
	}{
		"an answer": {
			journal.Request{
				Status: 200, Method: "GET", URL: "/api/user/campaigns", Token: "demo",
				Duration: 1234567, Reason: "8 campaigns",
			},
			"200  GET      /api/user/campaigns   demo             1.23ms  8 campaigns",
		},
		"a query that strict runs refuse": {
			journal.Request{
				Status: 200, Method: "GET", URL: "/?page=…", IgnoredQuery: "page=…",
				Reason: "8 campaigns",
			},
			"200  GET      /?page=…              -                     -  8 campaigns; " +
				"the query is ignored, since the service documents none",
		},
		"none": {
			journal.Request{Method: "DELETE", URL: "/", Reason: "scripted: reset"},
			"-    DELETE   /                     -                     -  scripted: reset",
		},
		"nasty": {
			journal.Request{
				Status: 404, Method: "A\x1b", URL: "/\x1b\u009b2J\u202e", Token: "t\n",
				Reason: "a\r\nb",
			},
			"404  A�       /��2J�                t                     -  a b",
		},
		"long": {
			journal.Request{Status: 404, Method: "GET", URL: "/" + long, Token: long},
			"404  GET      /" + long[:78] + "…  " + long[:39] + "…          -  ",
		},
	}
	for name, tt := range tests {
		var log bytes.Buffer
		flags := logFlags{LogFormat: formatText}
		ctx := journal.NewContext(t.Context(), &tt.request)
		slog.New(flags.handler(&log, true)).InfoContext(ctx, journal.LogMessage)
		pattern := regexp.MustCompile(`^` + datedTime + `  ` + regexp.QuoteMeta(tt.want) + `\n$`)
		if !pattern.MatchString(log.String()) {
			t.Errorf("%s: the line is\n%swant\nTIME                     %s", name, &log, tt.want)
		}
	}
}

// The last line of the log counts the requests.
func TestSummary(t *testing.T) {
	t.Parallel()
	p := serve(t, nil)
	for _, token := range []string{"demo", "flaky", "demo", "nobody-has-this-one"} {
		p.list(token)
	}
	ask(t, "GET", p.base+"/campaigns", nil)
	const want = "  WARN   summary  requests=5  unmatched=1  unknown_tokens=1  without_token=1\n"
	if log := p.end(syscall.SIGTERM, 0); !strings.HasSuffix(log, want) {
		t.Errorf("the log is\n%s\nwant it to end in\n%s", log, want)
	}
}

func TestQuiet(t *testing.T) {
	t.Parallel()
	p := serve(t, nil, "--quiet")
	if p.banner != p.root+"/api\n" {
		t.Errorf("the start is %q", p.banner)
	}
	p.list("demo")
	ask(t, "DELETE", p.root+"/nowhere", nil)
	log := p.end(syscall.SIGINT, 0)
	want := regexp.MustCompile(`^.*  /nowhere  .*\n.*  WARN   summary  requests=2  ` +
		`unmatched=1  .*\n$`)
	if !want.MatchString(log) {
		t.Errorf("standard error has not just the unmatched request and the summary:\n%s", log)
	}
}

// If a test gave a reply while the server ran, and no request got the reply, the run fails: the
// test has not tested what it should. A reply that was dropped does not fail the run, nor does a
// reply of fixtures.
func TestStrictAboutReplies(t *testing.T) {
	t.Parallel()
	name := file(t, "a.yaml", "users: {a: {replies: [{status: 503}]}, b: {}}\n")
	p := serve(t, nil, "--strict", name)
	p.enqueue("b", `[{"status": 503}]`)
	log := p.end(syscall.SIGTERM, 3)
	const problem = "  ERROR  this fails the run, since --strict is on  " +
		"problem=of token \"b\": enqueued reply 1 of 1 (503): never played\n"
	if !strings.Contains(log, problem) || strings.Count(log, "  ERROR  ") != 1 {
		t.Errorf("the reply is not played, and the log is\n%s", log)
	}
}

// enqueue gives a token replies.
func (p *server) enqueue(token, replies string) {
	p.t.Helper()
	url := p.root + "/_fake/replies?token=" + token
	answer, err := http.Post(url, "application/json", strings.NewReader(replies))
	if err != nil {
		p.t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode >= 300 {
		p.t.Fatalf("the replies of %s are answered %s", token, answer.Status)
	}
}

// objects returns lines of JSON as objects, without the parts that differ from run to run.
func objects(t *testing.T, lines string) (list []map[string]any) {
	t.Helper()
	for line := range strings.Lines(lines) {
		var object map[string]any
		if err := json.Unmarshal([]byte(line), &object); err != nil {
			t.Fatalf("%v in the line %q", err, line)
		}
		at, _ := object["time"].(string)
		if _, err := time.Parse(time.RFC3339Nano, at); err != nil {
			t.Errorf("the time is %v", err)
		}
		if object["msg"] == "request" && object["duration_ms"].(float64) <= 0 {
			t.Errorf("the answer took %v", object["duration_ms"])
		}
		delete(object, "time")
		delete(object, "duration_ms")
		list = append(list, object)
	}
	return list
}

// For collectors, each line is an object, with the names of package slog: the start, requests, and
// other lines.
func TestLogFormatJSON(t *testing.T) {
	t.Parallel()
	p := serve(t, []string{"CAMPAIGNFAKE_SEEED=1"}, "--log-format=json",
		"--fixtures", "users: {demo: {}}")
	p.list("demo")
	ask(t, "GET", p.root+"/a%0Ab?token=secret", nil)
	got := objects(t, p.banner+p.end(syscall.SIGTERM, 0))
	want := []map[string]any{
		{
			"level": "INFO", "msg": version() + " serves --fixtures", "users": 1.0,
			"base_url": p.base, "health": p.root + "/_fake/health", "page": p.root + "/_fake/",
		},
		{
			"level": "WARN",
			"msg": "the variable CAMPAIGNFAKE_SEEED belongs to no flag, and has " +
				"no effect; did you mean CAMPAIGNFAKE_SEED?",
		},
		{
			"level":  "INFO",
			"msg":    "request",
			"method": "GET",
			"path":   "/api/user/campaigns",
			"status": 200.0,
			"token":  "demo",
			"reason": "0 campaigns",
		},
		{
			"level":         "WARN",
			"msg":           "request",
			"method":        "GET",
			"path":          "/a\nb",
			"ignored_query": "token=…",
			"status":        404.0,
			"token":         "",
			"reason": "no route has this path: the path is /a%0Ab; " +
				"only GET /api/user/campaigns is here",
		},
		{
			"level": "WARN", "msg": "summary",
			"requests": 2.0, "unmatched": 1.0, "unknown_tokens": 0.0, "without_token": 1.0,
		},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("the log has\n%v\nwant\n%v", got, want)
	}
}

// Errors that stop a server with a JSON log are JSON, too: each mistake in fixtures, and a wrong
// flag, even if it stands before --log-format.
func TestErrorsAsJSON(t *testing.T) {
	t.Parallel()
	wrong := file(t, "wrong.yaml", "users: {a: 1, b: 2}\n")
	tests := map[string]struct {
		args   []string
		status int
		want   []string
	}{
		"mistakes": {[]string{wrong}, 1, []string{"users.a: is 1", "users.b: is 2"}},
		"a flag":   {[]string{"--port=x"}, 2, []string{"--port: "}},
	}
	for name, tt := range tests {
		got := finish(t, nil, append(tt.args, "--log-format", "json")...)
		list := objects(t, got.stderr)
		if got.status != tt.status || len(list) != len(tt.want) {
			t.Errorf("%s: the status is %d, and the log\n%s", name, got.status, got.stderr)
			continue
		}
		for i, want := range tt.want {
			if said := fmt.Sprint(list[i]); !strings.Contains(said, want) {
				t.Errorf("%s: line %d is %s, and lacks %q", name, i+1, said, want)
			}
		}
	}
	finish(t, []string{"CAMPAIGNFAKE_LOG_FORMAT=json"}, "check", wrong).failsLike(t, 1,
		"campaignfake: the fixtures cannot be used:\n")
}

// varying matches the parts of a line of the log that differ from run to run.
var varying = regexp.MustCompile(`^` + datedTime + `| *\d+\.\d\dms`)

// standsInLog checks that the log of the same requests has the lines of a page, except for times. …
// at the end of a line stands for any text.
func standsInLog(t *testing.T, e snippet) {
	p := serve(t, nil)
	p.list("demo")
	ask(t, "GET", p.root+"/api/campaigns", bearer("demo"))
	written := strings.Split(p.end(syscall.SIGTERM, 0), "\n")
	for i, line := range strings.Split(strings.TrimSpace(e.text), "\n") {
		want := varying.ReplaceAllString(strings.TrimSuffix(line, "…"), "#")
		got := varying.ReplaceAllString(written[i], "#")
		if !strings.HasPrefix(got, want) {
			t.Errorf("the page has\n%s\nand the log\n%s", line, written[i])
		}
	}
}
