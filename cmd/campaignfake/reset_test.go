package main

import (
	"fmt"
	"strings"
	"testing"
)

func TestReset(t *testing.T) {
	t.Parallel()
	tokens := []string{"demo", "single", "a/b?c=d&e"}
	tests := map[string]struct {
		args []string
		left []string // what is not put back
		want string
	}{
		"everything":  {[]string{"--all"}, nil, "everything is as it was when the server started\n"},
		"one token":   {[]string{"demo"}, []string{"single", "a/b?c=d&e"}, "demo is as it was when the server started\n"},
		"some tokens": {[]string{"a/b?c=d&e", "single"}, []string{"demo"}, "a/b?c=d&e is as it was when the server started\nsingle is as it was when the server started\n"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := serve(t, nil)
			for _, token := range tokens {
				finish(t, nil, "reply", token, "--url", p.root, "--status=500", "--times=always")
				p.list(token)
			}
			if got := finish(t, nil, append([]string{"reset", "--url", p.root}, tt.args...)...); got != (result{0, tt.want, ""}) {
				t.Errorf("reset ends with %+v, want status 0 and %s", got, tt.want)
			}
			var listed, broken []string
			for _, line := range p.requests() {
				listed = append(listed, strings.Fields(line)[4])
			}
			for _, token := range tokens {
				if status, _ := p.list(token); status == 500 {
					broken = append(broken, token)
				}
			}
			if fmt.Sprint(listed) != fmt.Sprint(tt.left) || fmt.Sprint(broken) != fmt.Sprint(tt.left) {
				t.Errorf("the requests of %v and the replies of %v are left, want %v", listed, broken, tt.left)
			}
		})
	}
}

// An unset variable in quotes stands for no token, and not for all of them.
func TestResetRefuses(t *testing.T) {
	t.Parallel()
	p := serve(t, nil)
	p.list("demo")
	finish(t, nil, "reset", "--url", p.root).failsLike(t, 2, "--all", "campaignfake reset --help")
	finish(t, nil, "reset", "--url", p.root, "--all", "demo").failsLike(t, 2, "--all", "one or the other")
	finish(t, nil, "reset", "--url", p.root, "").failsLike(t, 2, `"" is an empty token`)
	finish(t, nil, "reset", "--url", p.root, "demo", "Bearer demo").failsLike(t, 2, "write the token alone: demo")
	if got := p.requests(); len(got) != 1 {
		t.Errorf("what was refused has left the requests %q", got)
	}
}

// Everything is put back by who says so, and not by who forgot the token.
func TestResetNeedsATokenOrAll(t *testing.T) {
	t.Parallel()
	p := serve(t, nil)
	p.list("demo")
	if got := finish(t, nil, "reset", "--url", p.root); got.status != 2 || got.stdout != "" || !strings.Contains(got.stderr, "--all") {
		t.Errorf("reset ends with %+v, want status 2 and a word of --all", got)
	}
	if got := p.requests(); len(got) != 1 {
		t.Errorf("what was refused has left the requests %q", got)
	}
	if got := finish(t, nil, "reset", "--url", p.root, "--all"); got != (result{0, "everything is as it was when the server started\n", ""}) {
		t.Errorf("reset --all ends with %+v", got)
	}
	if got := p.requests(); len(got) != 0 {
		t.Errorf("reset --all has left the requests %q", got)
	}
}
