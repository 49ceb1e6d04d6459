package main

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
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

func TestRequests(t *testing.T) {
	t.Parallel()
	p := serve(t, nil)
	if got := p.requests(); len(got) != 0 {
		t.Errorf("there are requests before any was sent: %q", got)
	}
	p.list("demo")
	p.list("expired")
	ask(t, "HEAD", p.base+"/user/campaigns", bearer("a-token-that-is-longer"))
	ask(t, "GET", p.base+"/user/campaign?page=2", nil)
	want := []string{
		`200  GET      /api/user/campaigns   demo          +[\d.]+ms  8 campaigns`,
		`401  GET      /api/user/campaigns   expired       +[\d.]+ms  scripted: invalid_token, .*`,
		`200  HEAD     /api/user/campaigns   a-token-that-is-longer  +[\d.]+ms  unknown token: .*`,
		`404  GET      /api/user/campaign\?page=2  -             +[\d.]+ms  no route has this path: .*`,
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
	finish(t, nil, "requests", "--url", p.root, "--token=").failsLike(t, 2, "--token: has no value")
	finish(t, nil, "requests", "--url", p.root, "--token=Bearer x").failsLike(t, 2, "--token", "write the token alone: x")
}

// Whoever can send a request must not reach the terminal of those who look.
func TestRequestsArePlain(t *testing.T) {
	t.Parallel()
	p := serve(t, nil)
	const odd = "\u009b2J\u202eright\u2066\ufeff\U000e0001"
	p.send("GET /" + odd)
	line := strings.Join(p.requests(), "")
	if !strings.Contains(line, "right") || strings.ContainsFunc(strings.TrimSuffix(line, "\n"), func(r rune) bool { return !unicode.IsPrint(r) }) {
		t.Errorf("this is printed: %q", line)
	}
	var r fake.Request
	if err := json.Unmarshal([]byte(p.requests("--json")[0]), &r); err != nil || r.URL != "/"+odd {
		t.Errorf("the JSON does not stand for what was sent: %q, %v", r.URL, err)
	}
}
