package plan

import (
	"fmt"
	"net/http"

	"example.com/campaignfake/fixtures"
	"example.com/campaignfake/fixtures/protocol"
)

// A Reply is a fixtures.Reply, prepared for playing. It never changes.
type Reply struct {
	Fixture  fixtures.Reply // which nobody changes
	Origin   Origin
	Enqueued bool // it was given as a reply alone, not with a user
	Times    int  // for how many requests it is played: fixtures.Always, or at least 1
	Answer   PreparedAnswer

	body   func() []byte // of its own campaigns; nil if it has none
	number int           // among those that were given together, from 1
	count  int           // how many these are
}

// newReplies prepares the replies of a user that has been checked, and keeps them.
func (p *Snapshot) newReplies(token string, given []fixtures.Reply, origin Origin) []*Reply {
	replies := make([]*Reply, len(given))
	for i := range given {
		replies[i] = p.newReply(token, given[i])
		replies[i].Origin = origin
		replies[i].number = i + 1
		replies[i].count = len(given)
	}
	return replies
}

// NewQueue prepares replies that have been checked, to be enqueued for a token, and keeps them.
func (p *Snapshot) NewQueue(token string, given []fixtures.Reply, origin Origin) []*Reply {
	replies := p.newReplies(token, given, origin)
	for _, reply := range replies {
		reply.Enqueued = true
	}
	return replies
}

func (p *Snapshot) newReply(token string, given fixtures.Reply) *Reply {
	r := &Reply{
		Fixture: given,
		Times:   max(given.Times, 1),
		Answer:  p.answerOf(given),
	}
	if given.Times == fixtures.Always {
		r.Times = fixtures.Always
	}
	if given.Campaigns != nil {
		r.body = keptBody(p.Service, token, fixtures.User{Campaigns: given.Campaigns})
	}
	replaceHeaders(r.Answer.Headers, given.Headers)
	r.addUsualHeader()
	return r
}

// addUsualHeader adds the header on which clients may rely with the status of the reply. A response
// of the service is as its settings have it, and these may leave out WWW-Authenticate.
func (r *Reply) addUsualHeader() {
	var name, value string
	switch r.Answer.Status {
	case http.StatusUnauthorized:
		if r.Fixture.Response != "" {
			return
		}
		name, value = "WWW-Authenticate", "Bearer"
	case http.StatusMethodNotAllowed:
		name, value = "Allow", Allowed
	case http.StatusTooManyRequests:
		name, value = "Retry-After", "1"
	default:
		return
	}
	if r.Answer.Headers.Get(name) == "" {
		r.Answer.Headers.Set(name, value)
	}
}

// answerOf returns the answer of a reply: a response of the service, or else the reply's body and
// status. It does not have the headers of the reply yet.
func (p *Snapshot) answerOf(given fixtures.Reply) PreparedAnswer {
	if given.Response != "" {
		status := responseNamed(p.Service, given.Response).Status
		return p.Named(given.Response, detailOf(status))
	}
	isRedirect := given.Status >= 300 && given.Status < 400
	if isRedirect && given.Body == nil {
		return PreparedAnswer{Status: given.Status, Headers: make(http.Header)}
	}
	status := given.Status
	if status == 0 {
		status = p.Service.Success.Status
	}
	standard := p.Service.Success
	if given.Status >= 300 {
		standard = p.Service.Responses.Default
	}
	answer := PreparedAnswer{
		Status: status,
		Headers: newHeaders(headerSources{
			response: fixtures.Response{Status: status, Body: given.Body},
			standard: standard,
		}),
	}
	switch {
	case !protocol.HasBody(status):
		// Nothing is sent.
	case given.Body != nil:
		answer.Body = givenBody(given.Body)
	case given.Status >= 400:
		answer.Body = errorBody(p.Service, nil, given.Status, detailOf(given.Status))
	default:
		answer.HasCampaigns = true
	}
	return answer
}

// IsNormal reports whether the answer is the normal one, which the reply may only delay.
func (r *Reply) IsNormal() bool {
	given := r.Fixture
	hasBody := given.Body != nil || given.Campaigns != nil
	hasAnswer := given.Response != "" || given.Status != 0 || hasBody
	return !hasAnswer && given.Fault == "" && len(given.Headers) == 0
}

// HasOwnBody reports whether the body is that of the reply, and not that of the user.
func (r *Reply) HasOwnBody() bool {
	return r.body != nil || !r.Answer.HasCampaigns
}

// SetsHeader reports whether a header is among those of the reply itself, in any spelling.
func (r *Reply) SetsHeader(name string) bool {
	for given := range r.Fixture.Headers {
		if http.CanonicalHeaderKey(given) == name {
			return true
		}
	}
	return false
}

// BodyFor returns the body for a user's token: that of the reply, or the user's.
func (r *Reply) BodyFor(u *User, token string) []byte {
	switch {
	case r.body != nil:
		return r.body()
	case r.Answer.HasCampaigns:
		return u.Body(token)
	}
	return r.Answer.Body
}

// MayBreak reports whether one of some replies resets or closes the connection of some requests,
// but not of all.
func MayBreak(replies []*Reply) bool {
	for _, reply := range replies {
		if reply.Times != fixtures.Always && reply.Fixture.Fault.BreaksConnection() {
			return true
		}
	}
	return false
}

// Description names the reply in a message, as "enqueued reply 1 of 2 (503)".
func (r *Reply) Description() string {
	kind := "reply"
	if r.Enqueued {
		kind = "enqueued reply"
	}
	return fmt.Sprintf("%s %d of %d (%s)", kind, r.number, r.count, r.Fixture)
}
