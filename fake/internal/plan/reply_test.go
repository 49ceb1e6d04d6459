package plan_test

import (
	"fmt"
	"net/http"
	"testing"

	"example.com/campaignfake/fixtures"
)

// A reply changes what it gives. Everything else is as in the normal answer, or as in the usual
// answer with its status.
func TestReplies(t *testing.T) {
	t.Parallel()
	service := fixtures.Service{
		Success: fixtures.Response{Status: 203, Headers: http.Header{"X-Success": {"1"}}},
		Responses: fixtures.Responses{
			Default:      fixtures.Response{Headers: http.Header{"X-Error": {"1"}}},
			RateLimited:  fixtures.Response{Status: 420, Body: "slowly"},
			InvalidToken: fixtures.Response{Body: "no", Headers: http.Header{"X-Other": {"1"}}},
		},
	}
	one := []fixtures.Campaign{{ID: "1", Omit: fixtures.FieldNames()[1:]}}
	own := http.Header{"x-success": {"2", "3"}, "content-type": {"text/x"}}
	const text = "Content-Type:[text/plain; charset=utf-8]"
	const asJSON = "Content-Type:[application/json]"
	for _, tt := range []struct {
		reply fixtures.Reply
		want  string // status, headers and body
	}{
		{fixtures.Reply{}, "203 map[" + asJSON + ` X-Success:[1]] {"campaigns":[]}`},
		{fixtures.Reply{Campaigns: one},
			"203 map[" + asJSON + ` X-Success:[1]] {"campaigns":[{"id":"1"}]}`},
		{fixtures.Reply{Headers: own},
			`203 map[Content-Type:[text/x] X-Success:[2 3]] {"campaigns":[]}`},
		{fixtures.Reply{Status: 204}, "204 map[X-Success:[1]] "},
		{fixtures.Reply{Status: 300}, "300 map[] "},
		{fixtures.Reply{Status: 302, Body: "moved"}, "302 map[" + text + " X-Error:[1]] moved"},
		{fixtures.Reply{Status: 503}, "503 map[Content-Type:[application/problem+json] " +
			`X-Error:[1]] {"type":"about:blank","title":"Service Unavailable","status":503,` +
			`"detail":"The service is not available at the moment."}`},
		{fixtures.Reply{Status: 503, Body: []int{1}}, "503 map[" + asJSON + " X-Error:[1]] [1]"},
		{fixtures.Reply{Response: fixtures.ResponseRateLimited},
			"420 map[" + text + " X-Error:[1]] slowly"},
		{fixtures.Reply{Response: fixtures.ResponseInvalidToken},
			"401 map[" + text + " X-Other:[1]] no"}, // the settings leave out the usual headers
		{fixtures.Reply{Status: 401, Body: ""},
			"401 map[" + text + " Www-Authenticate:[Bearer] X-Error:[1]] "},
		{fixtures.Reply{Status: 405, Body: ""},
			"405 map[Allow:[GET, HEAD] " + text + " X-Error:[1]] "},
		{fixtures.Reply{Status: 429, Body: ""},
			"429 map[" + text + " Retry-After:[1] X-Error:[1]] "},
		{fixtures.Reply{Status: 429, Body: "", Headers: http.Header{"retry-after": {}}},
			"429 map[" + text + " Retry-After:[] X-Error:[1]] "},
		{fixtures.Reply{Body: " [1]"}, "203 map[" + asJSON + " X-Success:[1]]  [1]"},
		{fixtures.Reply{Body: `{"a": 1`}, "203 map[" + text + ` X-Success:[1]] {"a": 1`},
	} {
		p := snapshot(t, service, fixtures.User{Replies: []fixtures.Reply{tt.reply}})
		user := p.User("alice")
		reply := user.Replies[0]
		got := fmt.Sprintf("%d %v %s", reply.Answer.Status, reply.Answer.Headers,
			reply.BodyFor(user, "alice").Bytes)
		if got != tt.want {
			t.Errorf("%s is answered\n%s\nwant\n%s", tt.reply, got, tt.want)
		}
	}
}

// The standard Content-Type is for bodies of its kind, and not for answers without a body.
func TestStandardTypes(t *testing.T) {
	t.Parallel()
	standard := http.Header{"content-type": {"application/vnd.api+json"}, "x-error": {"1"}}
	p := snapshot(t, fixtures.Service{Responses: fixtures.Responses{
		Default:      fixtures.Response{Headers: standard},
		InvalidToken: fixtures.Response{Status: 204},
		NotFound:     fixtures.Response{Body: "text"},
	}}, fixtures.User{})
	for name, want := range map[fixtures.ResponseName]string{
		fixtures.ResponseMissingToken: "application/vnd.api+json",
		fixtures.ResponseInvalidToken: "",
		fixtures.ResponseNotFound:     "text/plain; charset=utf-8",
	} {
		headers := p.Named(name, "").Headers
		if got := headers.Get("Content-Type"); got != want || headers.Get("X-Error") != "1" {
			t.Errorf("%s has the headers %v, want the type %q", name, headers, want)
		}
	}
}

// The headers of a response replace the standard headers if they are given.
func TestOwnHeaders(t *testing.T) {
	t.Parallel()
	p := snapshot(t, fixtures.Service{Responses: fixtures.Responses{
		Default:  fixtures.Response{Headers: http.Header{"X-Error": {"1"}, "X-Other": {"1"}}},
		NotFound: fixtures.Response{Headers: http.Header{"X-Error": {"2"}}},
	}}, fixtures.User{})
	headers := p.Named(fixtures.ResponseNotFound, "").Headers
	if headers.Get("X-Error") != "2" || headers.Get("X-Other") != "" {
		t.Errorf("the headers are %v", headers)
	}
}

// A body is encoded once, unless each token has its own.
func TestBodiesAreKept(t *testing.T) {
	t.Parallel()
	generated := fixtures.User{Generate: &fixtures.Generate{Count: 3}}
	p := snapshot(t, fixtures.Service{UnknownTokens: fixtures.UnknownTokensGenerate}, generated)
	alice := p.User("alice")
	if &alice.Body("alice").Bytes[0] != &alice.Body("alice~1").Bytes[0] {
		t.Error("the body of a user is encoded twice, or differs for a token that is like it")
	}
	one, two := string(p.UnknownUser.Body("one").Bytes), string(p.UnknownUser.Body("two").Bytes)
	if one == two || one != string(p.UnknownUser.Body("one").Bytes) {
		t.Error("two unknown tokens have the same body, or one has two")
	}
}
