package main

import (
	"bufio"
	"bytes"
	"io"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// A following is a run of requests --follow.
type following struct {
	*server
	lines *bufio.Scanner
}

// follow runs the command that follows a server.
func (p *server) follow(args ...string) *following {
	p.t.Helper()
	read, write := io.Pipe()
	stderr := new(bytes.Buffer)
	f := launch(p.t, testProcess(write, stderr, nil, p.followArgs(args...)...))
	f.stderr = stderr
	return &following{f, bufio.NewScanner(read)}
}

// followProgram runs it as a program of its own.
func (p *server) followProgram(args ...string) *following {
	p.t.Helper()
	cmd := program(p.t, nil, p.followArgs(args...)...)
	read, err := cmd.StdoutPipe()
	if err != nil {
		p.t.Fatal(err)
	}
	return &following{launchProgram(p.t, cmd), bufio.NewScanner(read)}
}

func (p *server) followArgs(args ...string) []string {
	return append([]string{"requests", "--follow", "--url", p.root}, args...)
}

// prints checks that the next line is about a token.
func (f *following) prints(token string) {
	f.t.Helper()
	if !f.lines.Scan() {
		<-f.exited
		f.t.Fatalf("no line comes for the token %s, and the status is %d: %s", token, f.code, f.stderr)
	}
	if !strings.Contains(f.lines.Text(), " "+token+" ") {
		f.t.Fatalf("the line is\n%s\nwant one of the token %s", f.lines.Text(), token)
	}
}

// rest returns the lines that come until the end.
func (f *following) rest() (lines []string) {
	f.t.Helper()
	for f.lines.Scan() {
		lines = append(lines, f.lines.Text())
	}
	return lines
}

func TestFollow(t *testing.T) {
	t.Parallel()
	p := serve(t, nil)
	p.list("demo")
	leave := p.wait("hang")
	f := p.followProgram()
	f.prints("demo")
	p.list("single")
	f.prints("single")
	leave()
	f.prints("hang")
	// The journal says more of this one when the client has gone away, and the
	// numbers go on when a token is reset.
	leave = p.wait("stall")
	f.prints("stall")
	ask(t, "POST", p.root+"/_fake/reset?token=demo", nil)
	leave()
	for more := ""; !strings.Contains(more, "the client went away"); {
		_, more = ask(t, "GET", p.root+"/_fake/requests?token=stall", nil)
	}
	p.list("empty")
	f.prints("empty")
	// After a reset of everything they start over.
	ask(t, "POST", p.root+"/_fake/reset", nil)
	p.list("demo")
	f.prints("demo")
	p.list("reset-is-a-token-as-any-other")
	f.prints("reset-is-a-token-as-any-other")
	f.end(syscall.SIGINT)
	if rest := f.rest(); len(rest) > 0 {
		t.Errorf("these were not to be printed:\n%s", strings.Join(rest, "\n"))
	}
}

func TestFollowOfSome(t *testing.T) {
	t.Parallel()
	p := serve(t, nil)
	f := p.follow("--token", "single", "--json")
	for _, number := range []string{"2", "4"} { // the second is heard of as an event
		p.list("demo")
		p.list("single")
		if !f.lines.Scan() || !strings.HasPrefix(f.lines.Text(), `{"number":`+number+`,`) || !strings.Contains(f.lines.Text(), `"token":"single"`) {
			t.Errorf("the line is %s, want request %s in JSON", f.lines.Text(), number)
		}
	}
	f.end(syscall.SIGTERM)
}

// A server that stops is not waited for, and neither is taken for a success.
func TestFollowOfAServerThatStops(t *testing.T) {
	t.Parallel()
	p := serve(t, nil)
	f := p.follow()
	p.list("demo")
	f.prints("demo")
	p.list("single") // which is heard of as an event
	f.prints("single")
	p.end(syscall.SIGTERM)
	rest := f.rest()
	<-f.exited
	result{f.code, strings.Join(rest, "\n"), f.stderr.String()}.failsLike(t, 1, p.root, "ended the connection")
}

// Events tell of no more than a hundred requests at once, so that the others have
// to be looked up.
func TestFollowOfMany(t *testing.T) {
	t.Parallel()
	p := serve(t, nil, "--quiet", "--journal", "10000")
	f := p.follow("--json")
	const count = 2000
	number := regexp.MustCompile(`^{"number":\d+,`)
	printed := make(map[string]int)
	all := make(chan struct{})
	go func() {
		defer close(all)
		for len(printed) < count && f.lines.Scan() {
			printed[number.FindString(f.lines.Text())]++
		}
	}()
	p.burst(count)
	<-all
	f.end(syscall.SIGINT)
	for _, line := range f.rest() {
		printed[number.FindString(line)]++
	}
	for number, times := range printed {
		if times != 1 {
			t.Errorf("%s is printed %d times", number, times)
		}
	}
	if len(printed) != count {
		t.Errorf("%d requests are printed, want %d", len(printed), count)
	}
}
