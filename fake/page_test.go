package fake_test

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// expect reports what a text does not have, though it should.
func expect(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("there is no %q in\n%s", part, text)
		}
	}
}

// between returns what stands between two parts of a text.
func between(text, before, after string) string {
	_, rest, _ := strings.Cut(text, before)
	middle, _, _ := strings.Cut(rest, after)
	return middle
}

// The page is one answer, the same for whatever it is to show, and its policy lets
// run what is in it and nothing else.
func TestPageIsWhole(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t)
	response, body := ask(t, srv, "GET", "/_fake/", nil)
	if response.StatusCode != 200 || response.Header.Get("Content-Type") != "text/html; charset=utf-8" {
		t.Errorf("the page is answered %d %s", response.StatusCode, response.Header.Get("Content-Type"))
	}
	policy := response.Header.Get("Content-Security-Policy")
	for source, element := range map[string]string{"style": "style>", "script": `script type="module">`} {
		sum := sha256.Sum256([]byte(between(body, "<"+element, "</"+source+">")))
		if want := source + "-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"; !strings.Contains(policy, want) {
			t.Errorf("the policy %s has no %s", policy, want)
		}
	}
	expect(t, policy, "default-src 'none'", "connect-src 'self'", "frame-ancestors 'none'")
	for _, attribute := range []string{` src=`, ` style=`, `<link rel="stylesheet"`, ` onclick=`} {
		if strings.Contains(between(body, "<body>", "</html>"), attribute) {
			t.Errorf("the page has %s", attribute)
		}
	}
	for name, want := range map[string]string{"X-Frame-Options": "DENY", "Referrer-Policy": "no-referrer", "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"} {
		if got := response.Header.Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if _, other := ask(t, srv, "GET", "/_fake/?token=alice&request=1&show=trouble&search=5xx&rows=all", nil); other != body {
		t.Error("with parameters the page is another")
	}
	if got, _ := ask(t, srv, "HEAD", "/_fake/", nil); got.StatusCode != 200 || got.ContentLength != int64(len(body)) {
		t.Errorf("HEAD is answered %d with the length %d", got.StatusCode, got.ContentLength)
	}
}

// The page offers every fault that the schema has.
func TestPageHasEveryFault(t *testing.T) {
	t.Parallel()
	_, body := ask(t, fake.NewTestServer(t), "GET", "/_fake/", nil)
	var offered []fixtures.Fault
	for option := range strings.SplitSeq(between(body, `<option value="">none</option>`, "</select>"), "</option>") {
		offered = append(offered, fixtures.Fault(strings.TrimPrefix(option, "<option>")))
	}
	var schema struct {
		Definitions struct {
			Fault struct{ Enum []fixtures.Fault }
		}
	}
	if err := json.Unmarshal(fixtures.Schema(), &schema); err != nil {
		t.Fatal(err)
	}
	faults := append(schema.Definitions.Fault.Enum, "")
	slices.Sort(offered)
	slices.Sort(faults)
	if !slices.Equal(offered, faults) {
		t.Errorf("the page offers %q, and there are %q", offered, faults)
	}
}

// Who comes without a path is led to the page, but not where there is none.
func TestTheWayToThePage(t *testing.T) {
	t.Parallel()
	for path, page := range map[string]string{
		"/": "/_fake/", "/_fake": "/_fake/",
		"/?token=a%26b+c%2Fd&show=trouble": "/_fake/?token=a%26b+c%2Fd&show=trouble", "/_fake?search=5xx": "/_fake/?search=5xx",
	} {
		for want, options := range map[int][]fake.Option{302: nil, 404: {fake.WithoutControl()}} {
			srv := fake.NewTestServer(t, options...)
			client := *srv.Client()
			client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
			response, _ := send(t, &client, newRequest(t, "GET", rootOf(srv)+path, nil))
			if location := response.Header.Get("Location"); response.StatusCode != want || want == 302 && location != page {
				t.Errorf("%s is answered %d and leads to %q, want %d and %q", path, response.StatusCode, location, want, page)
			}
		}
	}
}

// A link leads to the page from anywhere, but no page of another origin reads it.
func TestPageFromElsewhere(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t)
	for name, tt := range map[string]struct {
		path, mode, dest string
		want             int
	}{
		"a link":              {"/_fake/", "navigate", "document", 200},
		"a link to the start": {"/_fake", "navigate", "document", 200},
		"a frame":             {"/_fake/", "navigate", "iframe", 403},
		"a script":            {"/_fake/", "no-cors", "script", 403},
		"fetch":               {"/_fake/", "cors", "empty", 403},
		"a link to data":      {"/_fake/users", "navigate", "document", 403},
	} {
		header := http.Header{"Sec-Fetch-Site": {"cross-site"}, "Sec-Fetch-Mode": {tt.mode}, "Sec-Fetch-Dest": {tt.dest}}
		if response, _ := ask(t, srv, "GET", tt.path, header); response.StatusCode != tt.want {
			t.Errorf("%s is answered %d, want %d", name, response.StatusCode, tt.want)
		}
	}
}
