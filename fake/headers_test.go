package fake_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// wantValues checks the values of a header, and their order.
func wantValues(t *testing.T, response *http.Response, name string, want ...string) {
	t.Helper()
	if got := response.Header.Values(name); !slices.Equal(got, want) {
		t.Errorf("%s is %q, want %q", name, got, want)
	}
}

// All values of a header are sent, in their order, and replaced together.
func TestHeadersOfSeveralValues(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t,
		fake.WithService(fixtures.Service{
			Success: fixtures.Response{Headers: http.Header{
				"x-list":     {"b", "a", "b", ""},
				"Set-Cookie": {"a=1", "b=2"},
				"Vary":       {"Accept", "Cookie"},
			}},
			Responses: fixtures.Responses{InvalidToken: fixtures.Response{Headers: http.Header{
				"www-authenticate": {"Bearer", `Basic realm="x"`},
			}}},
		}),
		fake.WithUser("alice", fixtures.User{Replies: []fixtures.Reply{
			{},
			{Headers: http.Header{"X-LIST": {"c"}, "set-cookie": {"c=3", "d=4"}}},
			{Response: "invalid_token", Headers: http.Header{"WWW-AUTHENTICATE": {"Own"}}},
			{Fault: "bad_json", Headers: http.Header{"X-List": {"1", "2"}}},
		}}))
	for i, want := range []struct{ list, cookies, challenges []string }{
		{[]string{"b", "a", "b", ""}, []string{"a=1", "b=2"}, nil},
		{[]string{"c"}, []string{"c=3", "d=4"}, nil},
		{nil, nil, []string{"Own"}},
		{[]string{"1", "2"}, []string{"a=1", "b=2"}, nil},
	} {
		response, _ := ask(t, srv, "GET", listPath, bearer("alice"))
		wantValues(t, response, "X-List", want.list...)
		wantValues(t, response, "Set-Cookie", want.cookies...)
		wantValues(t, response, "WWW-Authenticate", want.challenges...)
		if answer := srv.Requests()[i].Answer; !slices.Equal(answer.Header["X-List"], want.list) {
			t.Errorf("the journal has %v", answer.Header)
		}
		vary := strings.Join(response.Header.Values("Vary"), ", ")
		if want.challenges == nil && !strings.Contains(vary, "Accept, Cookie") {
			t.Errorf("Vary is %q", vary)
		}
	}
	response, _ := ask(t, srv, "GET", listPath, bearer("nobody"))
	wantValues(t, response, "WWW-Authenticate", "Bearer", `Basic realm="x"`)
}

// A Content-Type that is set for the campaigns, or by default, holds for bodies of the same
// kind: JSON or text.
func TestContentTypeOfOtherBodies(t *testing.T) {
	t.Parallel()
	const (
		list = "application/vnd.api+json"
		html = "text/html"
		json = "application/json"
		text = "text/plain; charset=utf-8"
	)
	ofJSON, ofText := map[string]any{"a": 1}, "sorry"
	replies := []fixtures.Reply{
		{Status: 500},
		{Status: 500, Body: ofJSON},
		{Status: 500, Body: ofText},
		{Response: "not_found"},
		{Status: 202},
		{Status: 202, Body: ofJSON},
		{Status: 202, Body: ofText},
		{Status: 202, Body: ofText, Headers: http.Header{"content-type": {"own"}}},
	}
	for name, tt := range map[string]struct {
		standard any
		want     []string
	}{
		"text": {"<p>sorry</p>", []string{html, json, html, json, list, list, text, "own"}},
		"JSON": {
			standard: map[string]any{"message": "{detail}"},
			want:     []string{html, html, text, html, list, list, text, "own"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			service := fixtures.Service{
				Success: fixtures.Response{Headers: http.Header{"Content-Type": {list}}},
				Responses: fixtures.Responses{
					Default: fixtures.Response{
						Headers: http.Header{"Content-Type": {html}},
						Body:    tt.standard,
					},
					NotFound: fixtures.Response{Body: ofJSON},
				},
			}
			srv := fake.NewTestServer(t,
				fake.WithUser("alice", scripted(replies...)),
				fake.WithService(service),
			)
			for i, want := range tt.want {
				response, _ := ask(t, srv, "GET", listPath, bearer("alice"))
				if got := response.Header.Get("Content-Type"); got != want {
					t.Errorf("the type of answer %d is %q, want %q", i, got, want)
				}
			}
		})
	}
}
