package plan_test

import (
	"net/http"
	"reflect"
	"testing"

	"example.com/campaignfake/fixtures"
)

const own = `{"campaigns":[]}` // the campaigns of alice

// A reply is what it gives, and in all else the normal answer, or the usual one of its status.
func TestReplies(t *testing.T) {
	t.Parallel()
	const problem, asJSON, asText = "application/problem+json", "application/json", "text/plain; " +
		"charset=utf-8"
	service := fixtures.Service{
		Success: fixtures.Response{Status: 203, Headers: http.Header{"X-Success": {"1"}}},
		Responses: fixtures.Responses{
			Default:     fixtures.Response{Headers: http.Header{"X-Error": {"1"}}},
			RateLimited: fixtures.Response{Status: 420, Body: "slowly"},
			InvalidToken: fixtures.Response{
				Headers: http.Header{"X-Other": {"1"}},
				Body:    "no",
			},
		},
	}
	for name, tt := range map[string]struct {
		reply   fixtures.Reply
		status  int
		body    string
		headers http.Header
	}{
		"normal": {
			fixtures.Reply{}, 203, own,
			http.Header{"Content-Type": {asJSON}, "X-Success": {"1"}},
		},
		"no content": {
			fixtures.Reply{Status: 204}, 204, "",
			http.Header{"X-Success": {"1"}},
		},
		"a redirect": {
			fixtures.Reply{Status: 300}, 300, "",
			http.Header{},
		},
		"a redirect with a body": {
			fixtures.Reply{Status: 302, Body: "moved"}, 302, "moved",
			http.Header{"Content-Type": {asText}, "X-Error": {"1"}},
		},
		"an error": {
			fixtures.Reply{Status: 503}, 503,
			`{"type":"about:blank","title":"Service Unavailable","status":503,` +
				`"detail":"The service is not available at the moment."}`,
			http.Header{"Content-Type": {problem}, "X-Error": {"1"}},
		},
		"an error with a body": {
			fixtures.Reply{Status: 503, Body: []int{1}}, 503, "[1]",
			http.Header{"Content-Type": {asJSON}, "X-Error": {"1"}},
		},
		"headers": {
			reply: fixtures.Reply{
				Headers: http.Header{"x-success": {"2", "3"}, "content-type": {"text/x"}},
			},
			status:  203,
			body:    own,
			headers: http.Header{"Content-Type": {"text/x"}, "X-Success": {"2", "3"}},
		},
		"campaigns": {
			fixtures.Reply{Campaigns: []fixtures.Campaign{
				{ID: "1", Omit: []string{"name", "status", "created_at", "updated_at"}},
			}},
			203, `{"campaigns":[{"id":"1"}]}`,
			http.Header{"Content-Type": {asJSON}, "X-Success": {"1"}},
		},
		"a response of the service": {
			fixtures.Reply{Response: fixtures.ResponseRateLimited}, 420, "slowly",
			http.Header{"Content-Type": {asText}, "X-Error": {"1"}},
		},
		"401 of the service, which has other headers": {
			fixtures.Reply{Response: fixtures.ResponseInvalidToken}, 401, "no",
			http.Header{"Content-Type": {asText}, "X-Other": {"1"}},
		},
		"401": {
			fixtures.Reply{Status: 401, Body: ""}, 401, "",
			http.Header{"Content-Type": {asText}, "X-Error": {"1"}, "Www-Authenticate": {"Bearer"}},
		},
		"405": {
			fixtures.Reply{Status: 405, Body: ""}, 405, "",
			http.Header{"Content-Type": {asText}, "X-Error": {"1"}, "Allow": {"GET, HEAD"}},
		},
		"429": {
			fixtures.Reply{Status: 429, Body: ""}, 429, "",
			http.Header{"Content-Type": {asText}, "X-Error": {"1"}, "Retry-After": {"1"}},
		},
		"429 without its header": {
			fixtures.Reply{Status: 429, Body: "", Headers: http.Header{"retry-after": {}}}, 429, "",
			http.Header{"Content-Type": {asText}, "X-Error": {"1"}, "Retry-After": {}},
		},
		"a text that is JSON": {
			fixtures.Reply{Body: " [1]"}, 203, " [1]",
			http.Header{"Content-Type": {asJSON}, "X-Success": {"1"}},
		},
		"a text that is not quite JSON": {
			fixtures.Reply{Body: `{"a": 1`}, 203, `{"a": 1`,
			http.Header{"Content-Type": {asText}, "X-Success": {"1"}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := snapshot(t, service, fixtures.User{Replies: []fixtures.Reply{tt.reply}})
			user := p.User("alice")
			reply := user.Replies[0]
			got := string(reply.BodyFor(user, "alice").Bytes)
			if reply.Answer.Status != tt.status || got != tt.body {
				t.Errorf("it is answered %d %s, want %d %s",
					reply.Answer.Status, got, tt.status, tt.body)
			}
			if !reflect.DeepEqual(reply.Answer.Headers, tt.headers) {
				t.Errorf("the headers are %v, want %v", reply.Answer.Headers, tt.headers)
			}
		})
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

// The headers of a response stand in place of the standard ones if they are given.
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
