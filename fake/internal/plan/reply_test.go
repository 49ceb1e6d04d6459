package plan_test

import (
	"net/http"
	"reflect"
	"testing"

	"example.com/campaignfake/fake/internal/plan"
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
		"another success": {
			fixtures.Reply{Status: 206}, 206, own,
			http.Header{"Content-Type": {asJSON}, "X-Success": {"1"}},
		},
		"no content": {
			fixtures.Reply{Status: 204}, 204, "",
			http.Header{"X-Success": {"1"}},
		},
		"the first status of a redirect": {
			fixtures.Reply{Status: 300}, 300, "",
			http.Header{},
		},
		"the last status of a redirect": {
			fixtures.Reply{Status: 399}, 399, "",
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
		"an error that nobody knows": {
			fixtures.Reply{Status: 599}, 599,
			`{"type":"about:blank","title":"Status 599","status":599,` +
				`"detail":"The service answers this request with status 599."}`,
			http.Header{"Content-Type": {problem}, "X-Error": {"1"}},
		},
		"an error with a body": {
			fixtures.Reply{Status: 503, Body: []int{1}}, 503, "[1]",
			http.Header{"Content-Type": {asJSON}, "X-Error": {"1"}},
		},
		"a body": {
			fixtures.Reply{Body: "text"}, 203, "text",
			http.Header{"Content-Type": {asText}, "X-Success": {"1"}},
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
		"401": {
			fixtures.Reply{Status: 401, Body: ""}, 401, "",
			http.Header{"Content-Type": {asText}, "X-Error": {"1"}, "Www-Authenticate": {"Bearer"}},
		},
		"401 with its header": {
			fixtures.Reply{
				Status:  401,
				Body:    "",
				Headers: http.Header{"www-authenticate": {"Basic"}},
			}, 401, "",
			http.Header{"Content-Type": {asText}, "X-Error": {"1"}, "Www-Authenticate": {"Basic"}},
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
		"a text that is a number": {
			fixtures.Reply{Body: "1"}, 203, "1",
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

// The response of an unknown token is as its settings have it, even without WWW-Authenticate.
func TestResponseWithoutItsHeader(t *testing.T) {
	t.Parallel()
	service := fixtures.Service{Responses: fixtures.Responses{
		InvalidToken: fixtures.Response{Headers: http.Header{}},
	}}
	service.Responses.InvalidToken.Headers.Set("X-Other", "1")
	p := snapshot(t, service,
		fixtures.User{Replies: []fixtures.Reply{{Response: fixtures.ResponseInvalidToken}}})
	headers := p.User("alice").Replies[0].Answer.Headers
	if headers["Www-Authenticate"] != nil || headers.Get("X-Other") != "1" {
		t.Errorf("the headers are %v", headers)
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
	headers.Set("X-Error", "changed")
	if got := p.Named(fixtures.ResponseNotFound, "").Headers.Get("X-Error"); got != "2" {
		t.Errorf("who changes an answer changes the settings: %s", got)
	}
}

// Replies may break a connection if one of them does for some requests, and not for others.
func TestMayBreak(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		reply fixtures.Reply
		want  bool
	}{
		"once":     {fixtures.Reply{Fault: fixtures.FaultReset}, true},
		"always":   {fixtures.Reply{Fault: fixtures.FaultReset, Times: fixtures.Always}, false},
		"no break": {fixtures.Reply{Fault: fixtures.FaultHang}, false},
	} {
		p := snapshot(t, fixtures.Service{}, fixtures.User{Replies: []fixtures.Reply{{}, tt.reply}})
		if got := plan.MayBreak(p.User("alice").Replies); got != tt.want {
			t.Errorf("%s: that they may break one is %t, want %t", name, got, tt.want)
		}
	}
}

// A message names the place of a reply among the replies that were given together.
func TestDescriptions(t *testing.T) {
	t.Parallel()
	given := []fixtures.Reply{{Status: 503}, {Times: 3}, {Times: fixtures.Always}}
	p := snapshot(t, fixtures.Service{}, fixtures.User{Replies: given})
	queue := p.NewQueue("alice", given, plan.DoorHTTP)
	for i, want := range []struct {
		text  string
		times int
	}{
		{"reply 1 of 3 (503)", 1},
		{"reply 2 of 3 (normal answer)", 3},
		{"reply 3 of 3 (normal answer)", fixtures.Always},
	} {
		reply := p.User("alice").Replies[i]
		if reply.Description() != want.text || reply.Times != want.times {
			t.Errorf("reply %d is %+v, %s, want %+v", i, reply, reply.Description(), want)
		}
		enqueued := queue[i]
		if enqueued.Description() != "enqueued "+want.text || enqueued.Times != want.times {
			t.Errorf("enqueued, it is %+v, %s", enqueued, enqueued.Description())
		}
		if reply.Enqueued || reply.Door != plan.DoorFile || !enqueued.Enqueued ||
			enqueued.Door != plan.DoorHTTP {
			t.Errorf("reply %d is of %+v, and enqueued of %+v", i, reply.Door, enqueued.Door)
		}
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
