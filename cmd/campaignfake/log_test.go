package main

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode"
)

// requests runs the command for a server, and returns the lines that it prints.
func (p *server) requests(args ...string) (lines []string) {
	p.t.Helper()
	got := finish(p.t, nil, append([]string{"requests", "--url", p.root}, args...)...)
	if got.status != 0 || got.stderr != "" {
		p.t.Fatalf("requests ends with status %d: %s", got.status, got.stderr)
	}
	return strings.FieldsFunc(got.stdout, func(r rune) bool { return r == '\n' })
}

// Each request is a row in columns of fixed widths, in the log and in what requests prints.
// The log masks what may be a secret.
func TestRows(t *testing.T) {
	t.Parallel()
	const secret = "eyJhbGciOiJub25lIn0.somebodys-real-token"
	p := serve(t, nil)
	if got := p.requests(); len(got) != 0 {
		t.Errorf("there are requests before any was sent: %q", got)
	}
	requests := []struct {
		method, path string
		header       http.Header
		log, printed string // the latter if it differs
	}{
		{"GET", "/api/user/campaigns", bearer("demo"), `200  GET      /api/user/campaigns   demo          +[\d.]+ms  8 campaigns`, ""},
		{"HEAD", "/api/user/campaigns", bearer("single"), `200  HEAD     /api/user/campaigns   single        +[\d.]+ms  .*`, ""},
		{"GET", "/api/user/campaigns", bearer("expired"), `401  GET      /api/user/campaigns   expired       +[\d.]+ms  scripted: invalid_token, .*`, ""},
		{"GET", "/api/user/campaigns", bearer(secret), `200  GET      /api/user/campaigns   eyJh…         +[\d.]+ms  unknown token.*`,
			`200  GET      /api/user/campaigns   eyJh.*token   +[\d.]+ms  unknown token.*`},
		{"GET", "/api/user/campaigns", bearer("short"), `200  GET      /api/user/campaigns   …             +[\d.]+ms  .*`,
			`200  GET      /api/user/campaigns   short         +[\d.]+ms  .*`},
		{"GET", "/api/user/campaigns?access_token=" + secret, nil, `401  GET      /api/user/campaigns\?access_token=…  -             +[\d.]+ms  there is no Authorization header.*`,
			`401  GET      /api/user/campaigns\?access_token=eyJ.*  -             +[\d.]+ms  there is no Authorization header.*`},
		{"DELETE", "/api/user/campaigns", bearer("demo"), `405  DELETE   /api/user/campaigns   demo          +[\d.]+ms  .*DELETE.*`, ""},
		{"GET", "/a%20b%0Ac%22=%1b", nil, `404  GET      /a b c"=�             -             +[\d.]+ms  .*`, `404  GET      /a.*  -             +[\d.]+ms  .*`},
	}
	for _, r := range requests {
		ask(t, r.method, p.root+r.path, r.header)
		// What is no part of the service is not logged either.
		ask(t, "GET", p.root+"/_fake/health", nil)
	}
	printed := p.requests()
	log := p.end(syscall.SIGTERM, 0)
	if strings.Contains(log, secret) || strings.Contains(log, "short") {
		t.Errorf("the log gives a token away that no user has:\n%s", log)
	}
	logged := strings.Split(log, "\n")
	if len(printed) != len(requests) || len(logged) != len(requests)+2 { // a summary, and what is behind its end
		t.Fatalf("there are %d and %d lines for %d requests:\n%s", len(printed), len(logged), len(requests), log)
	}
	for i, r := range requests {
		for want, line := range map[string]string{r.log: logged[i], cmp.Or(r.printed, r.log): printed[i]} {
			if !regexp.MustCompile(`^\d\d:\d\d:\d\d\.\d{3}  ` + want + `$`).MatchString(line) {
				t.Errorf("a line is\n%s\nwant\nTIME          %s", line, want)
			}
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
		for _, line := range p.requests(args...) {
			columns := strings.Fields(line)
			got = append(got, fmt.Sprint(columns[4], " ", columns[1]))
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("with %v there are %v, want %s", args, got, want)
		}
	}
}

// Whoever can send a request must not reach the terminal of those who look.
func TestRequestsArePlain(t *testing.T) {
	t.Parallel()
	p := serve(t, nil)
	p.send("GET /\u009b2J\u202eright\u2066\ufeff\U000e0001")
	line := strings.Join(p.requests(), "")
	if !strings.Contains(line, "right") || strings.ContainsFunc(line, func(r rune) bool { return !unicode.IsPrint(r) }) {
		t.Errorf("this is printed: %q", line)
	}
}

// A line is there at once, and not only when others follow.
func TestLogIsWrittenAtOnce(t *testing.T) {
	t.Parallel()
	read, write := io.Pipe()
	time.AfterFunc(deadline, func() { read.Close() })
	slog.New(newLog(write, false)).Info("alone")
	if line, err := bufio.NewReader(read).ReadString('\n'); !strings.HasSuffix(line, "  INFO   alone\n") {
		t.Errorf("the line is %q, %v", line, err)
	}
}

// The last line of the log says what has arrived.
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
	p.list("demo")
	ask(t, "DELETE", p.root+"/nowhere", nil)
	log := p.end(syscall.SIGINT, 0)
	lines := strings.Split(log, "\n")
	if len(lines) != 3 || !strings.Contains(lines[0], "  /nowhere  ") || !strings.Contains(lines[1], "  WARN   summary  requests=2  unmatched=1  ") {
		t.Errorf("standard error has not just the unmatched request and the summary:\n%s", log)
	}
	p = serve(t, []string{"CAMPAIGNFAKE_QUIET=1"})
	p.list("demo")
	if log := p.end(syscall.SIGINT, 0); log != "" {
		t.Errorf("nothing went wrong, and standard error has\n%s", log)
	}
}

// A pipeline sees a client that asks for what the service does not have, or sends what
// net/http refuses by itself.
func TestStrict(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"GET /api/user/campaigns": "",
		"GET /api/campaigns":      "  ERROR  this fails the run, since --strict is on  problem=GET /api/campaigns: no route has this path",
		"GET /api/%zz":            "problem=could not be read: 400 Bad Request",
	} {
		p := serve(t, nil, "--strict", "--quiet")
		p.send(line + "\nAuthorization: Bearer demo")
		status := map[bool]int{true: 0, false: 3}[want == ""]
		if log := p.end(syscall.SIGTERM, status); !strings.Contains(log, want) {
			t.Errorf("after %s the log lacks %q:\n%s", line, want, log)
		}
	}
}

// A reply that was given while the server ran, and that nobody asked for, fails the run:
// what it was to test has not been tested. One that was dropped is not owed, nor are those
// of fixtures.
func TestStrictAboutReplies(t *testing.T) {
	t.Parallel()
	name := file(t, "a.yaml", "users: {a: {replies: [{status: 503}]}, b: {}, c: {}}\n")
	for played, status := range map[bool]int{true: 0, false: 3} {
		p := serve(t, nil, "--strict", name)
		for token, body := range map[string]string{"b": `[{"status": 503}]`, "c": `[{"status": 503, "times": "always"}]`} {
			answer, err := http.Post(p.root+"/_fake/replies?token="+token, "application/json", strings.NewReader(body))
			if err != nil || answer.StatusCode >= 300 {
				t.Fatal(answer, err)
			}
			answer.Body.Close()
		}
		if played {
			p.list("b")
		}
		const problem = "  ERROR  this fails the run, since --strict is on  problem=of token \"b\": enqueued reply 1 of 1 (503): never played\n"
		if log := p.end(syscall.SIGTERM, status); strings.Contains(log, problem) == played || strings.Contains(log, "token \"a") {
			t.Errorf("played: %v; the log is\n%s", played, log)
		}
	}
}

// BenchmarkLog measures what the line of a request costs: at most a tenth of the some 30 µs
// that a request takes.
func BenchmarkLog(b *testing.B) {
	record := slog.NewRecord(time.Now(), slog.LevelInfo, "request", 0)
	record.AddAttrs(slog.String("method", "GET"), slog.String("path", "/api/user/campaigns"), slog.Attr{}, slog.Int("status", 200),
		slog.String("token", "demo"), slog.Float64("duration_ms", 0.042), slog.String("reason", "8 campaigns"))
	var lines []byte
	b.ReportAllocs()
	for b.Loop() {
		lines = appendLine(lines[:0], record)
	}
}
