package fake_test

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"html"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// expect fails unless a text contains each part.
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

// The document of the page is the same for any state of the server. Its policy allows the style and
// the script inside of it, and nothing else.
func TestPageIsWhole(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t)
	response, body := ask(t, srv, "GET", "/_fake/", nil)
	policy := "default-src 'none'; script-src " + hashOf(between(body, "<script>", "</script>")) +
		"; style-src " + hashOf(between(body, "<style>", "</style>")) +
		"; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; " +
		"frame-ancestors 'none'"
	for name, want := range map[string]string{
		"Content-Type":            "text/html; charset=utf-8",
		"Content-Security-Policy": policy,
		"X-Frame-Options":         "DENY",
		"Referrer-Policy":         "no-referrer",
		"Cache-Control":           "no-store",
		"X-Content-Type-Options":  "nosniff",
	} {
		if got := response.Header.Get(name); got != want {
			t.Errorf("%s is\n%s, want\n%s", name, got, want)
		}
	}
	if strings.Contains(body, "{{") {
		t.Errorf("the page lacks what belongs in %.20q", "{{"+between(body, "{{", "}}"))
	}
	if _, other := ask(t, srv, "GET", "/_fake/?token=alice&show=advice", nil); other != body {
		t.Error("with parameters the page is another")
	}
}

// hashOf returns the source of a policy that is a text of the page.
func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// The page offers every fault of the schema. Its buttons send replies that the server accepts: one
// button once, and the button beside it always, unless the reply holds requests.
func TestRepliesOfThePage(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithUser("alice", fixtures.User{}), fake.WithLenient())
	_, body := ask(t, srv, "GET", "/_fake/", nil)
	var schema struct {
		Definitions struct {
			Fault struct{ Enum []string }
		}
	}
	if err := json.Unmarshal(fixtures.Schema(), &schema); err != nil {
		t.Fatal(err)
	}
	options := "<option>" + strings.Join(schema.Definitions.Fault.Enum, "</option><option>")
	offered := between(body, `<option value="">none</option>`, "</select>")
	if !strings.HasPrefix(strings.Join(strings.Fields(offered), ""), options) {
		t.Errorf("the page offers %s, and there are %s", offered, options)
	}
	replies := regexp.MustCompile(`data-reply='(.*?)'`).FindAllStringSubmatch(body, -1)
	for _, found := range replies {
		reply := html.UnescapeString(found[1])
		always := strings.TrimSuffix(reply, "}") + `,"times":"always"}`
		for _, reply := range []string{reply, always} {
			status, answer := steer(t, srv, "POST", "replies?token=alice", reply)
			if status != 200 {
				t.Errorf("the reply %s is answered %d %s", reply, status, answer)
			}
		}
	}
	always := strings.Count(body, `data-times="always"`)
	expect(t, body, `data-reply='{"delay":"until released"}'`)
	if len(replies) < 2 || always != len(replies)-1 {
		t.Errorf("of %d replies, %d have a button for always", len(replies), always)
	}
}

// A browser that opens the URL without a path is redirected to the page, unless the server has no
// page.
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
