package services

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Where the list cannot be seen there is no verdict, and the reason says what is wrong
// without repeating anything that the service has sent.
func TestNoVerdict(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		trouble, reason string
		asked           int // requests
	}{
		{"drips-for-minutes", "did not answer within", 2},
		{"never-answers", "did not answer within", 2},
		{"headers-for-minutes", "did not answer within", 2},
		{"resets", "the connection broke", 2},
		{"hangs-up", "the connection ended", 2},
		{"half", "the connection ended in the middle", 2},
		{"garbage", "the answer was not HTTP", 2},
		{"login-page", "a page of HTML where JSON should be", 1},
		{"login-page-as-json", "a page of HTML where JSON should be", 1},
		{"redirects", "redirected to another place (302)", 1},
		{"401", "the token is refused (401)", 1},
		{"403", "the token is refused (403)", 1},
		{"404", "there is no list at {base URL}/user/campaigns (404)", 1},
		{"406", "the list is answered 406", 1},
		{"204", "its answer is not JSON", 1},
		{"429-always", "the list is answered 429", 2},
		{"429-date", "the list is answered 429", 1},
		{"503-always", "the list is answered 503", 2},
		{"20-mb", "more than 16 MiB", 1},
		{"20-mb-zipped", "more than 16 MiB", 1},
		{"not-zipped", "not gzip", 1},
		{"brotli", "its answer is not JSON", 1},
		{"bom", "its answer is not JSON", 1},
		{"utf-16", "its answer is not JSON", 1},
		{"invalid-json", "its answer is not JSON", 1},
		{"two-values", "not one JSON value", 1},
		{"a-string", "no list of campaigns", 1},
		{"nothing", "its answer is not JSON", 1},
		{"no-list", "no list of campaigns", 1},
		{"two-unusual-lists", "no list of campaigns", 1},
		{"numbers", "something else than objects", 1},
		{"bad-chunk", "the connection broke", 2},
		{"no-last-chunk", "the connection ended in the middle", 2},
		{"firewall", "a firewall in front of the service", 1},
		{"firewall-503", "a firewall in front of the service", 2},
		{"deep", "its answer is not JSON", 1},
	} {
		t.Run(c.trouble, func(t *testing.T) {
			t.Parallel()
			s := start(t, "trouble.py", c.trouble)
			file := filepath.Join(t.TempDir(), "observed.yaml")
			hasNoVerdict(t, compare(t, s.baseURL, "--write", file), c.reason)
			s.safe(t)
			if asked := len(s.asked(t)); asked != c.asked {
				t.Errorf("%d requests were sent, want %d", asked, c.asked)
			}
			if _, err := os.Stat(file); err == nil {
				t.Error("there is no verdict, and nevertheless a file")
			}
		})
	}
}

// Where a trouble passes, or leaves the list to be seen, there is a verdict.
func TestVerdictDespiteTrouble(t *testing.T) {
	t.Parallel()
	for _, l := range []look{
		{name: "drips"},
		{name: "429-once"},
		{name: "500-once"},
		{name: "zipped"},
		{name: "chunked"},
		{name: "two-lists", differs: "beside", real: map[string]string{"envelope": `"campaigns"`, "beside": `{"channels":[{"id":0}],"errors":[]}`}},
		{name: "nested", differs: "nested", again: "nested", real: map[string]string{"nested": `"data.campaigns"`}},
		{name: "hangs-up-when-used-again"},
		{name: "429-third", notAsked: "limits requests (429)"},
	} {
		l.script, l.args = "trouble.py", l.name
		t.Run(l.name, l.learns)
	}
}

// Of an empty list little can be told, and nothing is written down.
func TestEmptyList(t *testing.T) {
	t.Parallel()
	s := start(t, "trouble.py", "empty")
	file := filepath.Join(t.TempDir(), "observed.yaml")
	o := compare(t, s.baseURL, "--write", file)
	s.safe(t)
	if o.status != 1 || !strings.Contains(o.stderr, "the list was empty") || o.report.with("differs") != "" {
		t.Errorf("the status is %d, want 1 since the list was empty\n%s", o.status, o)
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("the file was written nevertheless")
	}
}

// A service that takes long for each answer is left after a minute, and there is a verdict on
// what it has shown until then.
func TestAllTimeIsOver(t *testing.T) {
	t.Parallel()
	s := start(t, "trouble.py", "answers-late")
	o := compare(t, s.baseURL)
	s.safe(t)
	look{notAsked: "the time was over"}.check(t, o)
	for _, f := range o.report.Findings {
		if f.Setting == "query" && f.Verdict != "unknown" {
			t.Errorf("of the query, which was not asked, the verdict is %s", f.Verdict)
		}
	}
}

// Addresses where nobody answers have no verdict. Those to which the token must not be sent
// are a mistake in the command line.
func TestAddresses(t *testing.T) {
	t.Parallel()
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	plain := start(t, "documented.py")
	for _, c := range []struct {
		name, baseURL, says string
		status              int
	}{
		{"nobody listens", "http://" + closed.Addr().String() + "/api", "no connection could be made", 1},
		{"no such name", "https://something.invalid/api", "the name of the host cannot be resolved", 1},
		{"TLS where there is none", strings.Replace(plain.baseURL, "http:", "https:", 1), "it does not speak TLS", 1},
		{"plain HTTP to another machine", "http://192.0.2.1/api", "unencrypted", 2},
		{"plain HTTP to a name", "http://something.invalid/api", "unencrypted", 2},
		{"plain HTTP to all interfaces", "http://0.0.0.0/api", "unencrypted", 2},
		{"a name that starts as this machine's", "http://localhost.something.invalid/api", "unencrypted", 2},
		{"another scheme", "ftp://something.invalid/api", "https://", 2},
		{"a user in the URL", "https://kite:secret@something.invalid/api", "more than a host and a path", 2},
		{"a query in the URL", "https://something.invalid/api?token=secret", "more than a host and a path", 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			o := compare(t, c.baseURL)
			if o.status != c.status || !strings.Contains(o.stderr, c.says) {
				t.Errorf("the status is %d, want %d and %q\n%s", o.status, c.status, c.says, o.stderr)
			}
			if strings.Contains(o.stderr+o.stdout, "secret") {
				t.Errorf("what was printed holds a secret of the URL:\n%s%s", o.stderr, o.stdout)
			}
		})
	}
}
