package fake_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"example.com/campaignfake/fake"
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
		fake.WithService(fake.Service{
			Success:   fake.Response{Headers: http.Header{"x-list": {"b", "a", "b", ""}, "Set-Cookie": {"a=1", "b=2"}, "Vary": {"Accept", "Cookie"}}},
			Responses: fake.Responses{InvalidToken: fake.Response{Headers: http.Header{"www-authenticate": {"Bearer", `Basic realm="x"`}}}},
		}),
		fake.WithUser("alice", fake.User{Replies: []fake.Reply{
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
		if vary := strings.Join(response.Header.Values("Vary"), ", "); want.challenges == nil && !strings.Contains(vary, "Accept, Cookie") {
			t.Errorf("Vary is %q", vary)
		}
	}
	response, _ := ask(t, srv, "GET", listPath, bearer("nobody"))
	wantValues(t, response, "WWW-Authenticate", "Bearer", `Basic realm="x"`)
}

// What is set over HTTP is sent, and read back as it was written.
func TestHeadersOverHTTP(t *testing.T) {
	t.Parallel()
	const headers = `{"Set-Cookie":["b=2","a=1"],"WWW-Authenticate":"Own","X-One":"1"}`
	srv := fake.NewTestServer(t, fake.WithLenient(), fake.WithFixtures(files("service: {success: {headers: "+headers+"}}")))
	for _, put := range []struct{ method, path, body string }{
		{"PUT", "users?token=alice", `{}`},
		{"PUT", "users?token=bob", `{"replies":[{"status":204,"headers":` + headers + `}]}`},
		{"POST", "replies?token=carol", `[{"status":304,"headers":` + strings.Replace(headers, `"1"`, `["1"]`, 1) + `}]`},
	} {
		if put.path == "replies?token=carol" {
			steer(t, srv, "PUT", "users?token=carol", "{}")
		}
		if status, answer := steer(t, srv, put.method, put.path, put.body); status >= 300 {
			t.Fatalf("%s %s is answered %d %s", put.method, put.path, status, answer)
		}
		if _, answer := steer(t, srv, "GET", put.path, ""); strings.Contains(put.body, "Cookie") && !strings.Contains(strings.NewReplacer(" ", "", "\n", "").Replace(answer), headers) {
			t.Errorf("GET %s is answered %s", put.path, answer)
		}
	}
	for _, token := range []string{"alice", "bob", "carol"} {
		response, _ := ask(t, srv, "GET", listPath, bearer(token))
		wantValues(t, response, "Set-Cookie", "b=2", "a=1")
		wantValues(t, response, "WWW-Authenticate", "Own")
	}
	for body, want := range map[string]string{
		`{"replies":[{"headers":{"X-A":["a"," b"]}}]}`:        "users.alice.replies[0].headers.X-A[1]",
		`{"replies":[{"headers":{"X-A":[]}}]}`:                "users.alice.replies[0].headers.X-A",
		`{"replies":[{"headers":{"X-A":["a",["b"]]}}]}`:       "users.alice.replies[0].headers.X-A[1]",
		`{"replies":[{"headers":{"X-A":"a","x-a":["b"]}}]}`:   "users.alice.replies[0].headers.x-a",
		`{"replies":[{"status":204,"body":"","headers":{}}]}`: "users.alice.replies[0].body",
		`{"replies":[{"status":304,"fault":"truncate"}]}`:     "users.alice.replies[0].fault",
	} {
		if status, answer := steer(t, srv, "PUT", "users?token=alice", body); status != 400 || !strings.Contains(answer, fmt.Sprintf(`"path":%q`, want)) {
			t.Errorf("PUT %s is answered %d %s, want a mistake at %s", body, status, answer, want)
		}
	}
}

// A Content-Type that is set for the campaigns, or by default, holds for bodies of the same
// kind: JSON or text.
func TestContentTypeOfOtherBodies(t *testing.T) {
	t.Parallel()
	const list, html, json, text = "application/vnd.api+json", "text/html", "application/json", "text/plain; charset=utf-8"
	ofJSON, ofText := map[string]any{"a": 1}, "sorry"
	replies := []fake.Reply{
		{Status: 500}, {Status: 500, Body: ofJSON}, {Status: 500, Body: ofText}, {Response: "not_found"},
		{Status: 202}, {Status: 202, Body: ofJSON}, {Status: 202, Body: ofText}, {Status: 202, Body: ofText, Headers: http.Header{"content-type": {"own"}}},
	}
	for name, tt := range map[string]struct {
		standard any
		want     []string
	}{
		"text": {"<p>sorry</p>", []string{html, json, html, json, list, list, text, "own"}},
		"JSON": {map[string]any{"message": "{detail}"}, []string{html, html, text, html, list, list, text, "own"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			srv := fake.NewTestServer(t, fake.WithUser("alice", fake.User{Replies: replies}), fake.WithService(fake.Service{
				Success: fake.Response{Headers: http.Header{"Content-Type": {list}}},
				Responses: fake.Responses{
					Default:  fake.Response{Headers: http.Header{"Content-Type": {html}}, Body: tt.standard},
					NotFound: fake.Response{Body: ofJSON},
				},
			}))
			for i, want := range tt.want {
				if response, _ := ask(t, srv, "GET", listPath, bearer("alice")); response.Header.Get("Content-Type") != want {
					t.Errorf("the type of answer %d is %q, want %q", i, response.Header.Get("Content-Type"), want)
				}
			}
		})
	}
}
