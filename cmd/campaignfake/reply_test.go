package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
)

// reply runs the command for a server, and returns what it prints.
func (p *server) reply(args ...string) string {
	p.t.Helper()
	// A server's delay is none of what is replied.
	got := finish(p.t, []string{"CAMPAIGNFAKE_DELAY=1h"}, append([]string{"reply", "--url", p.root}, args...)...)
	if got.status != 0 || got.stderr != "" {
		p.t.Fatalf("reply ends with status %d: %s", got.status, got.stderr)
	}
	return got.stdout
}

func TestReply(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		args    []string
		waits   string // as it is printed
		status  int
		content string // type of the answer
		body    string // a part of it
	}{
		"status":    {[]string{"--status", "503"}, "once      503", 503, "application/problem+json", `"status":503`},
		"times":     {[]string{"--status=500", "--times", "3"}, "3 times   500", 500, "application/problem+json", ""},
		"always":    {[]string{"--status=500", "--times=always"}, "always    500", 500, "application/problem+json", ""},
		"normal":    {[]string{"--times", "2"}, "2 times   normal answer", 200, "application/json", `{"campaigns":[{`},
		"delay":     {[]string{"--delay", "1ms..2ms"}, "once      delay 1ms..2ms", 200, "application/json", `{"campaigns":[{`},
		"fault":     {[]string{"--fault", "wrong_type"}, "once      wrong_type", 200, "text/html; charset=utf-8", "<html"},
		"response":  {[]string{"--response", "invalid_token"}, "once      invalid_token", 401, "application/problem+json", ""},
		"text":      {[]string{"--body", "Down, until 5."}, "once      a body of its own", 200, "text/plain; charset=utf-8", "Down, until 5."},
		"a number":  {[]string{"--body", "12"}, "once      a body of its own", 200, "text/plain; charset=utf-8", "12"},
		"no text":   {[]string{"--body", "", "--status=404"}, "once      404, a body of its own", 404, "text/plain; charset=utf-8", ""},
		"an object": {[]string{"--body", `{"n": 1.50, "t": "<ä>"}`}, "once      a body of its own", 200, "application/json", `{"n":1.50,"t":"<ä>"}`},
		"a list":    {[]string{"--body", `[]`, "--header", "Content-Type: application/x-own"}, "once      a body of its own, headers of its own", 200, "application/x-own", "[]"},
		"no body":   {[]string{"--status", "204", "--header", "X-A: 1"}, "once      204, headers of its own", 204, "", ""},
		"headers":   {[]string{"--header", "Content-Type:a,b", "--header", "X-B: c: d", "--header", "x-b: e"}, "once      headers of its own", 200, "a,b", `{"campaigns":[{`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := serve(t, nil)
			token := strings.ReplaceAll(name, " ", "/&")
			if got, want := p.reply(append([]string{token}, tt.args...)...), "the next answers to "+token+" are:\n  "+tt.waits+"\nNo user has the token "+strconv.Quote(token)+". GET /_fake/users lists the users. Its other answers are generated campaigns.\n"; got != want {
				t.Errorf("it prints\n%swant\n%s", got, want)
			}
			response, body := ask(t, "GET", p.base+"/user/campaigns", bearer(token))
			if content := response.Header.Get("Content-Type"); response.StatusCode != tt.status || content != tt.content || !strings.Contains(body, tt.body) {
				t.Errorf("the answer is %d, %s: %s", response.StatusCode, content, body)
			}
			if b := strings.Join(response.Header["X-B"], "|"); (b == "c: d|e") != (name == "headers") {
				t.Errorf("the header X-B is %q", b)
			}
		})
	}
}

// What is printed is what waits: less than was enqueued, and more than that.
func TestReplyPrintsWhatWaits(t *testing.T) {
	t.Parallel()
	p := serve(t, nil)
	p.reply("flaky", "--status", "500", "--times", "4")
	p.list("flaky")
	p.list("flaky")
	const own = "  2 times   503, headers of its own\n  3 times   normal answer\n"
	steps := []struct {
		args []string
		want string
	}{
		{[]string{"--fault=reset"}, "the next answers to flaky are:\n  2 times   500\n  once      reset\n" + own},
		{[]string{"--clear", "--status=418"}, "the next answers to flaky are:\n  once      418\n" + own},
		{[]string{"--clear"}, "the next answers to flaky are:\n" + own},
	}
	for _, step := range steps {
		if got := p.reply(append(step.args, "flaky")...); got != step.want {
			t.Errorf("%v prints\n%swant\n%s", step.args, got, step.want)
		}
	}
	if got := p.reply("dmeo", "--status", "503"); !strings.Contains(got, "Did you mean demo?") {
		t.Errorf("the token is nearly demo, and it prints\n%s", got)
	}
	p.reply("demo", "--status", "503")
	if got := p.reply("demo", "--clear"); got != "no replies wait for demo\n" {
		t.Errorf("without any reply it prints %s", got)
	}
	if got := len(p.ids("demo")); got != 8 {
		t.Errorf("token demo has %d campaigns, want 8", got)
	}
}

func TestReplyRefuses(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		args []string
		want []string
	}{
		"nothing":          {nil, []string{"no reply to alice is given", "--status 503", "--clear"}},
		"a status":         {[]string{"--status", "x"}, []string{`--status: is the text "x"`, "write a status from 200 to 599"}},
		"status 0":         {[]string{"--status", "0"}, []string{"--status: 0 is no final HTTP status"}},
		"an empty status":  {[]string{"--status="}, []string{"--status: "}},
		"a number":         {[]string{"--times", "often"}, []string{`--times: is the text "often"`, "write always, or a whole number"}},
		"no times":         {[]string{"--times", "0"}, []string{"--times: 0 times is never"}},
		"times below 0":    {[]string{"--times=-1"}, []string{"--times: -1 is out of range"}},
		"a delay":          {[]string{"--delay", "5"}, []string{"--delay: 5 has no unit; write 5ms or 5s"}},
		"a fault":          {[]string{"--fault", "rst"}, []string{`--fault: "rst" is not a fault; write reset, close`}},
		"an empty fault":   {[]string{"--fault="}, []string{`--fault: "" is not a fault`}},
		"a response":       {[]string{"--response", "unauthorized"}, []string{`--response: "unauthorized" is not a response`}},
		"two that differ":  {[]string{"--status=503", "--response=invalid_token"}, []string{"--status: cannot stand beside response"}},
		"two mistakes":     {[]string{"--status=x", "--delay=y"}, []string{"--delay: ", "\n--status: "}},
		"half of a body":   {[]string{"--body", `{"a":`}, []string{"--body: begins like JSON", "--fault bad_json"}},
		"no header":        {[]string{"--header", "Retry-After"}, []string{`--header: "Retry-After" is not a header`, "'Retry-After: 1'"}},
		"a second value":   {[]string{"--header=a: 1", "--header=A: \x1b[31m"}, []string{"--header A: has "}},
		"a body of 204":    {[]string{"--status=204", "--body="}, []string{"--body: cannot stand beside status 204, which has no body; leave one of the two out"}},
		"a header's name":  {[]string{"--header=A B: 1"}, []string{`--header "A B": `, "not a legal header name"}},
		"a header's value": {[]string{"--header=A: \x1b[31m"}, []string{"--header A: has "}},
		"a token":          {[]string{"bob", "--status=503"}, []string{"unexpected argument bob"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			finish(t, nil, append([]string{"reply", "alice"}, tt.args...)...).
				failsLike(t, 2, append(tt.want, "campaignfake reply --help")...)
		})
	}
	for token, want := range map[string]string{"": "is an empty token", "a b": "without spaces", "Bearer alice": "write the token alone: alice"} {
		finish(t, nil, "reply", "--status=503", token).failsLike(t, 2, "<token>", want)
	}
}

func TestReplyThatTheServerRefuses(t *testing.T) {
	t.Parallel()
	strict := serve(t, nil, "--unknown-tokens", "reject")
	for _, what := range []string{"--status=503", "--clear"} {
		finish(t, nil, "reply", "--url", strict.root, "alice", what).failsLike(t, 1, strict.root+" refuses this: ", `token "alice"`, "lists the users")
	}
	// Another version of the server may have other rules.
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/_fake/health" {
			io.WriteString(w, `{"ready":true,"fixtures":{"users":1}}`)
			return
		}
		w.WriteHeader(400)
		io.WriteString(w, `{"detail":"2 mistakes.","mistakes":[{"path":"replies[0].status","problem":"is \u001b too odd","instead":"write 500"},{"path":"replies[0].fault","problem":"is new"}]}`)
	}))
	t.Cleanup(other.Close)
	finish(t, nil, "reply", "--url", other.URL, "alice", "--status=503").
		failsLike(t, 1, other.URL+" refuses this:\n", "--status: is \ufffd too odd; write 500\n", "--fault: is new\n")
}
