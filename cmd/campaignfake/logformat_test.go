package main

import (
	"encoding/json"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"
	"testing"
	"unicode"
)

// objects reads lines that are all JSON, and have nothing in them that could change a
// terminal.
func objects(t *testing.T, text string) (all []map[string]string) {
	t.Helper()
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if strings.ContainsFunc(line, func(r rune) bool { return !unicode.IsPrint(r) }) {
			t.Errorf("a character is not escaped in %q", line)
		}
		all = append(all, jsonLine(t, line))
	}
	return all
}

// With --log-format json there is nothing but JSON, from the first line to the last.
func TestJSONOfARun(t *testing.T) {
	t.Parallel()
	const odd = "\u202eright\u200e\u2066\u061c\x1b"
	folder := file(t, "a.yaml", "users:\n  alice: {description: \"\\u202eright\\u0085\"}\n")
	p := serve(t, nil, "--log-format=json", "--fail-on-unmatched", folder)
	ask(t, "GET", p.base+"/user/campaigns", bearer("alice"))
	ask(t, "GET", p.base+"/"+url.PathEscape(odd), http.Header{})
	p.signal(syscall.SIGTERM)
	<-p.exited
	banner := objects(t, p.banner)
	if len(banner) != 1 || banner[0]["msg"] != "serving" || !strings.HasSuffix(banner[0]["page"], "/_fake/") || banner[0]["version"] == "" ||
		!strings.Contains(banner[0]["tokens"], `"token":"alice"`) {
		t.Errorf("the banner is %s", p.banner)
	}
	var messages []string
	for _, line := range objects(t, p.stderr.String()) {
		messages = append(messages, line["level"]+" "+line["msg"])
	}
	const want = "INFO request, WARN request, ERROR a request matched nothing, and --fail-on-unmatched is on, WARN summary"
	if got := strings.Join(messages, ", "); got != want || p.code != 3 {
		t.Errorf("the log has %s, and the status is %d", got, p.code)
	}
}

// What stops the start is JSON as well, a mistake in the flags included.
func TestJSONOfAFailedStart(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	busy := listener.Addr().String()
	variable := []string{"CAMPAIGNFAKE_LOG_FORMAT=json"}
	for name, tt := range map[string]struct {
		env, args []string
		status    int
		want      string
	}{
		"a wrong flag":                 {nil, []string{"--log-format", "json", "--sed", "1"}, 2, "unknown flag --sed"},
		"a wrong flag before":          {nil, []string{"--sed", "1", "--log-format=json"}, 2, "unknown flag --sed"},
		"a wrong flag, by variable":    {variable, []string{"--sed", "1"}, 2, "unknown flag --sed"},
		"a wrong value":                {variable, []string{"serve", "--seed", "x"}, 2, `--seed: "x" is not a seed`},
		"a wrong variable":             {append(variable, "CAMPAIGNFAKE_SEEED=1"), nil, 2, "CAMPAIGNFAKE_SEEED is not known"},
		"a misspelt command":           {variable, []string{"srve"}, 2, `did you mean "serve"?`},
		"a port in use":                {variable, []string{"--listen", busy}, 1, busy + " is in use"},
		"no file":                      {variable, []string{"nowhere.yaml"}, 1, "the fixtures cannot be used"},
		"odd characters":               {variable, []string{"--\u202e\x1b"}, 2, "unknown flag"},
		"a certificate that is no one": {variable, []string{"--tls-cert", "nowhere", "--tls-key", "nowhere"}, 1, "the certificate nowhere"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := finish(t, tt.env, tt.args...)
			lines := objects(t, got.stdout+got.stderr)
			if got.status != tt.status || len(lines) == 0 {
				t.Fatalf("the status is %d, want %d: %s", got.status, tt.status, got.stderr)
			}
			last := lines[len(lines)-1]
			if last["level"] != "ERROR" || !strings.Contains(last["msg"], tt.want) || (last["help"] != "") != (tt.status == 2) {
				t.Errorf("the last line is %v, want %s", last, tt.want)
			}
		})
	}
	// Commands that do not log print errors as text.
	if got := finish(t, variable, "check", "nowhere.yaml"); !strings.HasPrefix(got.stderr, "campaignfake: ") {
		t.Errorf("check says %s", got.stderr)
	}
}

// mistakes is a file with two mistakes.
const mistakes = "users:\n  alice: {delay: soon}\n  bob: {campagns: []}\n"

func TestJSONOfMistakes(t *testing.T) {
	t.Parallel()
	name := file(t, "a.yaml", mistakes)
	got := finish(t, nil, "--log-format", "json", name)
	lines := objects(t, got.stderr)
	if got.status != 1 || got.stdout != "" || len(lines) != 2 {
		t.Fatalf("the status is %d: %s%s", got.status, got.stdout, got.stderr)
	}
	var m struct {
		File, Path, Problem, Instead string
		Line, Column                 int
	}
	if err := json.Unmarshal([]byte(lines[1]["error"]), &m); err != nil || m.File != name || m.Line != 3 || m.Column != 9 || m.Path != "users.bob.campagns" ||
		m.Problem != "is not a known key" || m.Instead != "did you mean campaigns?" {
		t.Errorf("the second mistake is %s (%v)", lines[1]["error"], err)
	}
}

func TestCheckFormats(t *testing.T) {
	t.Parallel()
	name := file(t, "a,b.yaml", mistakes)
	got := finish(t, nil, "check", "--format=json", name)
	var report struct {
		Users    int
		Mistakes []struct {
			File string
			Line int
		}
	}
	if err := json.Unmarshal([]byte(got.stdout), &report); err != nil || got.status != 1 || got.stderr != "" || len(report.Mistakes) != 2 || report.Mistakes[1].File != name || report.Mistakes[1].Line != 3 {
		t.Errorf("the report is %s (%v), the status %d", got.stdout, err, got.status)
	}
	got = finish(t, nil, "check", "--format=json", file(t, "good.yaml", users("own", "a", "b")))
	if got.status != 0 || got.stdout != `{"mistakes":[],"more":0,"users":2}`+"\n" {
		t.Errorf("without a mistake the report is %s, the status %d", got.stdout, got.status)
	}
	got = finish(t, nil, "check", "--format=github", name)
	want := "::error file=" + strings.ReplaceAll(name, ",", "%2C") + ",line=3,col=9::users.bob.campagns: is not a known key; did you mean campaigns?\n"
	if got.status != 1 || !strings.HasSuffix(got.stdout, want) || strings.Count(got.stdout, "\n") != 2 {
		t.Errorf("the annotations are\n%swant\n%s", got.stdout, want)
	}
}
