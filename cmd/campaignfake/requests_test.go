package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode"

	"example.com/campaignfake/fake"
)

// requests runs the command for a server, and returns the lines that it prints.
func (p *server) requests(args ...string) []string {
	p.t.Helper()
	got := finish(p.t, nil, append([]string{"requests", "--url", p.root}, args...)...)
	if got.status != 0 || got.stderr != "" {
		p.t.Fatalf("requests ends with status %d: %s", got.status, got.stderr)
	}
	lines := strings.SplitAfter(got.stdout, "\n")
	return lines[:len(lines)-1]
}

// wait sends a request that is not answered, and returns once it has arrived.
// What it returns has the client go away.
func (p *server) wait(token string) (leave func()) {
	p.t.Helper()
	ctx, leave := context.WithCancel(context.Background())
	p.t.Cleanup(leave)
	request, err := http.NewRequestWithContext(ctx, "GET", p.base+"/user/campaigns", nil)
	if err != nil {
		p.t.Fatal(err)
	}
	request.Header = bearer(token)
	go func() {
		response, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(request)
		if err == nil { // the body may be what does not come
			io.Copy(io.Discard, response.Body)
			response.Body.Close()
		}
	}()
	ask(p.t, "GET", p.root+"/_fake/requests?await=1&token="+token, nil)
	return leave
}

func TestRequests(t *testing.T) {
	t.Parallel()
	p := serve(t, nil)
	if got := p.requests(); len(got) != 0 {
		t.Errorf("there are requests before any was sent: %q", got)
	}
	before := time.Now()
	p.list("demo")
	p.list("expired")
	ask(t, "HEAD", p.base+"/user/campaigns", bearer("a-token-that-is-longer"))
	ask(t, "GET", p.base+"/user/campaign?page=2", nil)
	p.wait("hang")
	want := []string{
		`200  GET      /api/user/campaigns   demo          +[\d.]+ms  8 campaigns`,
		`401  GET      /api/user/campaigns   expired       +[\d.]+ms  scripted: invalid_token, .*`,
		`200  HEAD     /api/user/campaigns   a-token-that-is-longer  +[\d.]+ms  unknown token: .*`,
		`404  GET      /api/user/campaign\?page=2  -             +[\d.]+ms  no route has this path: .*`,
		`-    GET      /api/user/campaigns   hang          +-  scripted: hang .*`,
	}
	got := p.requests()
	if len(got) != len(want) {
		t.Fatalf("there are %d lines, want %d:\n%s", len(got), len(want), strings.Join(got, ""))
	}
	for i, line := range got {
		if matched, err := regexp.MatchString(`^\d\d:\d\d:\d\d\.\d{3}  `+want[i]+"\n$", line); err != nil || !matched {
			t.Errorf("line %d is\n%swant\nTIME          %s", i, line, want[i])
		}
	}
	at, err := time.ParseInLocation("15:04:05.000", strings.Fields(got[0])[0], time.Local)
	if since := at.Sub(time.Date(0, 1, 1, before.Hour(), before.Minute(), before.Second(), 0, time.Local)); err != nil || (since+24*time.Hour)%(24*time.Hour) > deadline {
		t.Errorf("the first request was sent at %s, and is listed at %s", before, got[0])
	}
}

func TestRequestsThatAreFiltered(t *testing.T) {
	t.Parallel()
	p := serve(t, nil)
	p.list("demo")
	p.list("single")
	ask(t, "POST", p.base+"/user/campaigns", bearer("demo"))
	for want, args := range map[string][]string{
		"demo 200, single 200, demo 405": nil,
		"demo 200, demo 405":             {"--token", "demo"},
		"demo 405":                       {"--unmatched"},
		"":                               {"--unmatched", "--token=single"},
	} {
		var got []string
		for _, line := range p.requests(append(args, "--json")...) {
			var r fake.Request
			if err := json.Unmarshal([]byte(line), &r); err != nil {
				t.Fatal(err)
			}
			got = append(got, fmt.Sprint(r.Token, " ", r.Status))
		}
		if strings.Join(got, ", ") != want || len(p.requests(args...)) != len(got) {
			t.Errorf("with %v there are %v, want %s", args, got, want)
		}
	}
	finish(t, nil, "requests", "--url", p.root, "--token=").failsLike(t, 2, "--token", `""`)
	finish(t, nil, "requests", "--url", p.root, "--token=Bearer x").failsLike(t, 2, "--token", "write the token alone: x")
}

// Whoever can send a request must not reach the terminal of those who look.
func TestRequestsArePlain(t *testing.T) {
	t.Parallel()
	p := serve(t, nil)
	conn, err := net.Dial("tcp", strings.TrimPrefix(p.root, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	const odd = "\u009b2J\u202eright\u2066\ufeff\U000e0001"
	fmt.Fprintf(conn, "GET /%s HTTP/1.1\r\nHost: x\r\nX-Odd: %s\r\nConnection: close\r\n\r\n", odd, odd)
	if _, err := io.Copy(io.Discard, conn); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{nil, {"--json"}} {
		lines := p.requests(args...)
		if len(lines) != 1 || !strings.Contains(lines[0], "right") {
			t.Errorf("these are the lines: %q", lines)
		}
		for _, r := range strings.TrimSuffix(strings.Join(lines, ""), "\n") {
			if !unicode.IsPrint(r) {
				t.Errorf("the character %U gets through with %v: %q", r, args, lines)
			}
		}
	}
	var r fake.Request
	if err := json.Unmarshal([]byte(p.requests("--json")[0]), &r); err != nil || r.URL != "/"+odd || r.Header.Get("X-Odd") != odd {
		t.Errorf("the JSON does not stand for what was sent: %q, %v", r.URL, err)
	}
}
