package fake_test

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"html"
	"net/http"
	"regexp"
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

// getPage returns the answer with the page, and its HTML.
func getPage(t *testing.T, srv *fake.Server) (*http.Response, string) {
	t.Helper()
	response, body := ask(t, srv, "GET", "/_fake/", nil)
	if response.StatusCode != 200 {
		t.Fatalf("the page is answered %d", response.StatusCode)
	}
	return response, body
}

// The document of the page is the same for whatever it is to show.
func TestPageIsWhole(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t)
	response, body := getPage(t, srv)
	for name, want := range map[string]string{
		"Content-Type":           "text/html; charset=utf-8",
		"X-Frame-Options":        "DENY",
		"Referrer-Policy":        "no-referrer",
		"Cache-Control":          "no-store",
		"X-Content-Type-Options": "nosniff",
	} {
		if got := response.Header.Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if strings.Contains(body, "{{") {
		t.Errorf("the page lacks what belongs in %.20q", "{{"+between(body, "{{", "}}"))
	}
	elements := between(body, "<body>", "<script>")
	for _, attribute := range []string{` src=`, ` style=`, `<link rel="stylesheet"`, ` onclick=`} {
		if strings.Contains(elements, attribute) {
			t.Errorf("the page has %s", attribute)
		}
	}
	query := "?token=alice&request=1&show=advice&search=5xx&rows=all"
	if _, other := ask(t, srv, "GET", "/_fake/"+query, nil); other != body {
		t.Error("with parameters the page is another")
	}
	head, _ := ask(t, srv, "HEAD", "/_fake/", nil)
	if head.StatusCode != 200 || head.ContentLength != int64(len(body)) {
		t.Errorf("HEAD is answered %d with the length %d", head.StatusCode, head.ContentLength)
	}
}

// The policy of the page applies the style that is in it, runs the script that is in it, and allows
// nothing else.
func TestPolicyOfThePage(t *testing.T) {
	t.Parallel()
	response, body := getPage(t, fake.NewTestServer(t))
	style := between(body, "<style>", "</style>")
	script := between(body, "<script>", "</script>")
	want := "default-src 'none'; script-src " + hashOf(script) + "; style-src " + hashOf(style) +
		"; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; " +
		"frame-ancestors 'none'"
	if got := response.Header.Get("Content-Security-Policy"); got != want {
		t.Errorf("the policy is\n%s, want\n%s", got, want)
	}
}

// hashOf returns the source of a policy that is a text of the page.
func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// The page offers every fault that the schema has, and the server plays each.
func TestPageHasEveryFault(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithUser("alice", fixtures.User{}))
	_, body := getPage(t, srv)
	list := between(body, `<option value="">none</option>`, "</select>")
	var offered []string
	for _, option := range regexp.MustCompile(`<option>(.*?)</option>`).FindAllStringSubmatch(list,
		-1) {
		offered = append(offered, option[1])
	}
	var schema struct {
		Definitions struct {
			Fault struct{ Enum []string }
		}
	}
	if err := json.Unmarshal(fixtures.Schema(), &schema); err != nil {
		t.Fatal(err)
	}
	if faults := schema.Definitions.Fault.Enum; len(faults) == 0 || !slices.Equal(offered, faults) {
		t.Errorf("the page offers %q, and there are %q", offered, faults)
	}
	for _, fault := range offered {
		expectReply(t, srv, `{"fault": "`+fault+`"}`)
	}
}

// Each button for the next answer has a reply that the server plays: once, and always unless it
// holds requests.
func TestButtonsOfThePage(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithUser("alice", fixtures.User{}))
	_, body := getPage(t, srv)
	replies := regexp.MustCompile(`data-reply='(.*?)'`).FindAllStringSubmatch(body, -1)
	if len(replies) == 0 {
		t.Fatal("the page has no buttons for the next answer")
	}
	for _, found := range replies {
		reply := html.UnescapeString(found[1])
		expectReply(t, srv, reply)
		if !strings.Contains(reply, "until released") {
			expectReply(t, srv, strings.TrimSuffix(reply, "}")+`,"times":"always"}`)
		}
	}
}

// A reply of a button is played once, and by the button beside it always. One that holds has no
// other: it holds all requests until they are released.
func TestButtonsOfThePageAlways(t *testing.T) {
	t.Parallel()
	_, body := getPage(t, fake.NewTestServer(t))
	pairs := strings.Split(between(body, `<div class="quick">`, "</div>"), `<span class="pair"`)
	for _, pair := range pairs[1:] {
		pair, _, _ = strings.Cut(pair, "</span>")
		replies := strings.Count(pair, "data-reply=")
		buttons := strings.Count(pair, "<button")
		always := strings.Count(pair, `data-times="always"`)
		if replies != 1 || buttons != 2 || always != 1 {
			t.Errorf("a pair has %d replies, %d buttons, and %d of them for always",
				replies, buttons, always)
		}
	}
	single := regexp.MustCompile(`<button[^>]*data-reply='(.*?)'`).FindAllStringSubmatch(body, -1)
	if len(pairs) < 2 || len(single) != 1 || single[0][1] != `{"delay":"until released"}` {
		t.Errorf("there are %d pairs, and beside them %q", len(pairs)-1, single)
	}
}

// expectReply reports if a reply cannot be enqueued.
func expectReply(t *testing.T, srv *fake.Server, reply string) {
	t.Helper()
	if status, answer := steer(t, srv, "POST", "replies?token=alice", reply); status != 200 {
		t.Errorf("the reply %s is answered %d %s", reply, status, answer)
	}
	steer(t, srv, "DELETE", "replies?token=alice", "") // or the test would owe it
}

// Who comes without a path is led to the page, but not where there is none.
func TestTheWayToThePage(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t)
	client := srv.Client()
	client.CheckRedirect = func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}
	closed := fake.NewTestServer(t, fake.WithoutControl())
	for path, want := range map[string]string{
		"/":                               "/_fake/",
		"/_fake":                          "/_fake/",
		"/?token=a%26b+c%2Fd&show=advice": "/_fake/?token=a%26b+c%2Fd&show=advice",
		"/_fake?search=5xx":               "/_fake/?search=5xx",
	} {
		response, _ := send(t, client, newRequest(t, "GET", rootOf(srv)+path, nil))
		location := response.Header.Get("Location")
		if response.StatusCode != 302 || location != want {
			t.Errorf("%s is answered %d and leads to %q, want %q",
				path, response.StatusCode, location, want)
		}
		response, _ = ask(t, closed, "GET", path, nil)
		if response.StatusCode != 404 {
			t.Errorf("without a control plane %s is answered %d", path, response.StatusCode)
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
		header := http.Header{
			"Sec-Fetch-Site": {"cross-site"},
			"Sec-Fetch-Mode": {tt.mode},
			"Sec-Fetch-Dest": {tt.dest},
		}
		if response, _ := ask(t, srv, "GET", tt.path, header); response.StatusCode != tt.want {
			t.Errorf("%s is answered %d, want %d", name, response.StatusCode, tt.want)
		}
	}
}
