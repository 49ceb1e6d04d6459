package main

import (
	"encoding/json"
	"io"
	"net"
	"reflect"
	"strings"
	"syscall"
	"testing"
)

// The last line of the log says what has arrived.
func TestSummaryOfRequests(t *testing.T) {
	t.Parallel()
	p := serve(t, nil, "--log-format", "json")
	for _, token := range []string{"demo", "flaky", "demo", "nobody-has-this-one"} {
		p.list(token)
	}
	ask(t, "GET", p.base+"/campaigns", nil)
	p.end(syscall.SIGTERM)
	lines := strings.Split(strings.TrimSpace(p.stderr.String()), "\n")
	var last map[string]any
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &last); err != nil {
		t.Fatal(err)
	}
	delete(last, "time")
	want := map[string]any{
		"level": "WARN", "msg": "summary", "requests": 5.0, "unmatched": 1.0, "unknown_tokens": 1.0, "without_token": 1.0,
		"tokens": map[string]any{"demo": 2.0, "flaky": 1.0},
	}
	if !reflect.DeepEqual(last, want) {
		t.Errorf("the last line is %v, want %v", last, want)
	}
}

// A pipeline sees a client that calls the wrong thing.
func TestFailOnUnmatched(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		flag, path string
		want       int
	}{
		"a wrong path":        {"--fail-on-unmatched", "/campaigns", 3},
		"the right one":       {"--fail-on-unmatched", "/user/campaigns", 0},
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
			if failed := strings.Contains(p.stderr.String(), "level=ERROR msg=\"a request matched nothing, and --fail-on-unmatched is on\" request=\"GET /api/campaigns: no route has this path"); failed != (tt.want == 3) {
				t.Errorf("standard error is\n%s", p.stderr)
			}
		})
	}
}

// A request that net/http refuses by itself makes the pipeline fail, too.
func TestFailOnMalformedRequest(t *testing.T) {
	t.Parallel()
	p := serve(t, nil, "--fail-on-unmatched", "--quiet")
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
	for _, want := range []string{`reason="400 Bad Request" instead=`, `request="could not be read: 400 Bad Request"`, "requests=1 unmatched=1"} {
		if !strings.Contains(p.stderr.String(), want) {
			t.Errorf("standard error does not have %s:\n%s", want, p.stderr)
		}
	}
}
