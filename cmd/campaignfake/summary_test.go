package main

import (
	"io"
	"net"
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

// A pipeline sees a client that calls the wrong thing.
func TestStrict(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		flag, path string
		want       int
	}{
		"a wrong path":        {"--strict", "/campaigns", 3},
		"the right one":       {"--strict", "/user/campaigns", 0},
		"nobody asked for it": {"--quiet", "/campaigns", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := serve(t, nil, tt.flag)
			ask(t, "GET", p.base+tt.path, bearer("demo"))
			p.signal(syscall.SIGTERM)
			<-p.exited
			if got := p.code; got != tt.want {
				t.Errorf("the status is %d, want %d", got, tt.want)
			}
			if failed := strings.Contains(p.stderr.String(), "  ERROR  a request matched nothing, and --strict is on  request=GET /api/campaigns: no route has this path"); failed != (tt.want == 3) {
				t.Errorf("standard error is\n%s", p.stderr)
			}
		})
	}
}

// A request that net/http refuses by itself makes the pipeline fail, too.
func TestStrictAboutMalformedRequests(t *testing.T) {
	t.Parallel()
	p := serve(t, nil, "--strict", "--quiet")
	conn, err := net.Dial("tcp", strings.TrimPrefix(p.root, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	io.WriteString(conn, "GET /api/%zz HTTP/1.1\r\nHost: a\r\n\r\n")
	io.Copy(io.Discard, conn)
	p.signal(syscall.SIGTERM)
	<-p.exited
	if p.code != 3 {
		t.Errorf("the status is %d", p.code)
	}
	for _, want := range []string{`reason=400 Bad Request  instead=`, `request=could not be read: 400 Bad Request`, "requests=1  unmatched=1"} {
		if !strings.Contains(p.stderr.String(), want) {
			t.Errorf("standard error does not have %s:\n%s", want, p.stderr)
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
