package main

import (
	"net/http"
	"strings"
	"syscall"
	"testing"
)

// The last line of the log says what has arrived.
func TestSummaryOfRequests(t *testing.T) {
	t.Parallel()
	p := serve(t, nil)
	for _, token := range []string{"demo", "flaky", "demo", "nobody-has-this-one"} {
		p.list(token)
	}
	ask(t, "GET", p.base+"/campaigns", nil)
	p.end(syscall.SIGTERM)
	const want = "  WARN   summary  requests=5  unmatched=1  unknown_tokens=1  without_token=1\n"
	if got := p.stderr.String(); !strings.HasSuffix(got, want) {
		t.Errorf("the log is\n%s\nwant it to end in\n%s", got, want)
	}
}

// A pipeline sees a client that asks for what the service does not have, or sends what
// net/http refuses by itself.
func TestStrict(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"GET /api/user/campaigns": "",
		"GET /api/campaigns":      "request=GET /api/campaigns: no route has this path",
		"GET /api/%zz":            "request=could not be read: 400 Bad Request",
	} {
		p := serve(t, nil, "--strict", "--quiet")
		p.send(line + "\nAuthorization: Bearer demo")
		p.signal(syscall.SIGTERM)
		<-p.exited
		if log := p.stderr.String(); (want != "") != (p.code == 3) || !strings.Contains(log, want) {
			t.Errorf("after %s the status is %d, and the log lacks %q:\n%s", line, p.code, want, log)
		}
	}
}

// A reply that was given while the server ran, and that nobody asked for, fails the run:
// what it was to test has not been tested. One that was dropped is not owed, nor are those
// of fixtures.
func TestStrictAboutReplies(t *testing.T) {
	t.Parallel()
	name := file(t, "a.yaml", "users: {a: {replies: [{status: 503}]}, b: {}, c: {}}\n")
	for played, want := range map[bool]int{true: 0, false: 3} {
		p := serve(t, nil, "--strict", name)
		for token, body := range map[string]string{"b": `[{"status": 503}]`, "c": `[{"status": 503, "times": "always"}]`} {
			r, _ := http.NewRequest("POST", p.root+"/_fake/replies?token="+token, strings.NewReader(body))
			answer, err := http.DefaultClient.Do(r)
			if err != nil || answer.StatusCode >= 300 {
				t.Fatal(answer, err)
			}
			answer.Body.Close()
		}
		if played {
			p.list("b")
		}
		p.signal(syscall.SIGTERM)
		<-p.exited
		const problem = "  ERROR  a reply was not played, and --strict is on  reply=of token \"b\": enqueued reply 1 of 1 (503): never played\n"
		if log := p.stderr.String(); p.code != want || strings.Contains(log, problem) == played || strings.Contains(log, "token \"a") {
			t.Errorf("played: %v; the status is %d, want %d, and the log\n%s", played, p.code, want, log)
		}
	}
}
