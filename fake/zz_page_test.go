package fake_test

import (
	"html"
	"strings"
	"testing"

	"example.com/campaignfake/fake"
)

// look asks for the page as a browser does, and returns it with its entities
// resolved.
func look(t *testing.T, srv *fake.Server, query string) string {
	t.Helper()
	response, body := ask(t, srv, "GET", "/_fake/"+query, nil)
	if response.StatusCode != 200 || response.Header.Get("Content-Type") != "text/html; charset=utf-8" {
		t.Fatalf("the page is answered %d %s", response.StatusCode, body)
	}
	return html.UnescapeString(body)
}

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
