package services

import (
	"net"
	"os"
	"path/filepath"
	"slices"
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
		{"gigabytes", "more than 16 MiB", 1},
		{"gigabytes-zipped", "more than 16 MiB", 1},
		{"not-zipped", "not gzip", 1},
		{"brotli", "compressed with br", 1},
		{"utf-16", "its answer is not JSON", 1},
		{"invalid-json", "its answer is not JSON", 1},
		{"two-values", "not one JSON value", 1},
		{"a-string", "no list of campaigns", 1},
		{"nothing", "its answer is not JSON", 1},
		{"two-unusual-lists", "no list of campaigns", 1},
		{"numbers", "no list of campaigns", 1},
		{"bad-chunk", "the connection broke", 2},
		{"no-last-chunk", "the connection ended in the middle", 2},
		{"firewall", "a firewall in front of the service", 1},
		{"firewall-503", "a firewall in front of the service", 2},
		{"deep", "nested", 1},
		{"deep-in-a-campaign", "nested", 1},
		{"9,000-levels-in-a-campaign", "nested", 1},
		{"graphql-errors", "no list of campaigns", 1},
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

// Where a trouble passes, or leaves the list to be seen, there is a verdict. Where a question
// has no answer it is partial.
func TestVerdictDespiteTrouble(t *testing.T) {
	t.Parallel()
	for _, l := range []look{
		{name: "drips"},
		{name: "429-once"},
		{name: "500-once"},
		{name: "timeout-once"},
		{name: "502-once"},
		{name: "502-always", status: 5, again: 5, finds: "502"},
		{name: "429-third", status: 5, again: 5, finds: "429"},
		{name: "429-at-last", status: 5, again: 5, finds: "429"},
		{name: "zipped"},
		{name: "chunked"},
		{name: "bom", status: 4, finds: "byte_order_mark"},
		{name: "no-type", status: 4, finds: "Content-Type"},
		{name: "slash", finds: "slash"},
		{name: "two-lists"},
		{name: "nested", status: 4},
		{name: "empty", status: 5, again: 5, finds: "empty"},
		{name: "null", status: 5, again: 5, finds: "null"},
		{name: "hangs-up-when-used-again"},
		{name: "gigabytes-in-an-error", status: 5, again: 5, finds: "16 MiB"},
		{name: "deep-error", status: 4},
		{name: "login-for-the-unknown", status: 4},
		{name: "errors-for-the-unknown", status: 4},
		{name: "nothing-for-the-unknown", status: 4},
		{name: "null-for-the-unknown", status: 4},
	} {
		l.script, l.args = "trouble.py", l.name
		t.Run(l.name, l.learns)
	}
}

// Large answers take bounded memory, and at most the time of any other: on a machine that is
// busy it may be over before all is asked.
func TestLargeAnswers(t *testing.T) {
	t.Parallel()
	for _, trouble := range []string{"million-keys", "million-elements", "million-keys-in-an-error"} {
		t.Run(trouble, func(t *testing.T) {
			t.Parallel()
			s := start(t, "trouble.py", trouble)
			file := filepath.Join(t.TempDir(), "observed.yaml")
			if o := compare(t, s.baseURL, "--write", file); !slices.Contains([]int{0, 4, 5}, o.status) {
				t.Errorf("the status is %d, want 0, 4 or 5\n%s", o.status, o)
			}
			s.safe(t)
			written(t, file)
		})
	}
}

// Only a list that has campaigns shows that any token has some.
func TestUnknownTokensHaveNoCampaigns(t *testing.T) {
	t.Parallel()
	for _, trouble := range []string{"login-for-the-unknown", "errors-for-the-unknown", "nothing-for-the-unknown", "null-for-the-unknown"} {
		t.Run(trouble, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "observed.yaml")
			compare(t, start(t, "trouble.py", trouble).baseURL, "--write", file)
			if text := written(t, file); strings.Contains(text, "unknown_tokens: generate") {
				t.Errorf("it is written that any token has campaigns:\n%s", text)
			}
		})
	}
}

// A redirect to another origin is not followed.
func TestRedirectElsewhere(t *testing.T) {
	t.Parallel()
	other := start(t, "documented.py")
	s := start(t, "trouble.py", "elsewhere", other.baseURL)
	hasNoVerdict(t, compare(t, s.baseURL), "redirected to another")
	if asked := other.asked(t); len(asked) > 0 {
		t.Errorf("the other service was asked:\n%s", strings.Join(asked, ""))
	}
}

// A service that takes long for each answer is left after a minute, and there is a verdict on
// what it has shown until then.
func TestAllTimeIsOver(t *testing.T) {
	t.Parallel()
	s := start(t, "trouble.py", "answers-late")
	o := compare(t, s.baseURL)
	s.safe(t)
	look{status: 5, finds: "the time was over"}.check(t, o)
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
