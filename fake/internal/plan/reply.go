package plan

import (
	"fmt"
	"maps"
	"net/http"

	"example.com/campaignfake/fixtures"
	"example.com/campaignfake/fixtures/protocol"
)

// A Reply is a fixtures.Reply, prepared for playing. It never changes.
type Reply struct {
	Fixture  fixtures.Reply // nobody changes it; the names of its headers are canonical
	Door     Door
	Enqueued bool // given alone, not with a user
	Times    int  // how many requests it answers: at least 1, or fixtures.Always
	Answer   PreparedAnswer

	body   func() Body // encodes the reply's own campaigns; nil if the reply has none
	number int         // its number among the replies that were given together, from 1
	count  int         // how many replies were given together
}

// newReplies prepares the replies of a user, which have been checked. It does not copy them, so
// nobody may change them afterwards.
func (p *Snapshot) newReplies(token string, given []fixtures.Reply, door Door) []*Reply {
	replies := make([]*Reply, len(given))
	for i := range given {
		replies[i] = p.newReply(token, given[i])
		replies[i].Door = door
		replies[i].number = i + 1
		replies[i].count = len(given)
	}
	return replies
}

// NewQueue prepares replies that are enqueued for a token, and that have been checked. It does not
// copy them, so the caller must not change them afterwards.
func (p *Snapshot) NewQueue(token string, given []fixtures.Reply, door Door) []*Reply {
	replies := p.newReplies(token, given, door)
	for _, reply := range replies {
		reply.Enqueued = true
	}
	return replies
}

func (p *Snapshot) newReply(token string, given fixtures.Reply) *Reply {
	given.Headers = canonicalHeaders(given.Headers)
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
	if given.Fault == fixtures.FaultWrongType {
		r.Answer.Headers.Set("Content-Type", "text/html; charset=utf-8") // the fault sends a page
	}
	maps.Copy(r.Answer.Headers, given.Headers)
	r.addUsualHeader()
	return r
}

// addUsualHeader adds the header that clients expect with the status of the answer. A reply with a
// response of the service, such as invalid_token, gets no WWW-Authenticate here, because the
// settings of the response may leave this header out.
func (r *Reply) addUsualHeader() {
	switch r.Answer.Status {
	case http.StatusUnauthorized:
		if r.Fixture.Response == "" {
			r.addHeader("WWW-Authenticate", "Bearer")
		}
	case http.StatusMethodNotAllowed:
		r.addHeader("Allow", Allowed)
	case http.StatusTooManyRequests:
		r.addHeader("Retry-After", "1")
	}
}

// addHeader sets a header, unless the answer already has its name. A name with an empty list of
// values counts, too: such a list means that the header is not sent.
func (r *Reply) addHeader(name, value string) {
	_, isGiven := r.Answer.Headers[http.CanonicalHeaderKey(name)]
	if !isGiven {
		r.Answer.Headers.Set(name, value)
	}
}

// answerOf returns the answer of a reply: a response of the service, or else the reply's body and
// status. It does not have the headers of the reply yet.
func (p *Snapshot) answerOf(given fixtures.Reply) PreparedAnswer {
	if given.Response != "" {
		status := p.Service.Responses.Named(given.Response).Status
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
		// The answer has no body.
	case given.Body != nil:
		answer.Body = givenBody(given.Body)
	case given.Status >= 400:
		answer.Body = errorBody(p.Service, nil, given.Status, detailOf(given.Status))
	default:
		answer.HasCampaigns = true
	}
	return answer
}

// IsNormal reports whether the reply is the normal answer, perhaps with a delay.
func (r *Reply) IsNormal() bool {
	given := r.Fixture
	hasBody := given.Body != nil || given.Campaigns != nil
	hasStatus := given.Response != "" || given.Status != 0
	hasHeaders := len(given.Headers) > 0
	hasFault := given.Fault != ""
	return !hasBody && !hasStatus && !hasHeaders && !hasFault
}

// BodyFor returns the body that the reply sends to a token: the campaigns or the body of the reply,
// or else the campaigns of the user u. It is zero if the answer has no body.
func (r *Reply) BodyFor(u *User, token string) Body {
	switch {
	case r.body != nil:
		return r.body()
	case r.Answer.HasCampaigns:
		return u.Body(token)
	}
	return r.Answer.Body
}

// MayBreak reports whether at least one reply has a fault that breaks the connection, and may be
// played a limited number of times. A reply with Times Always does not count: if the client
// silently repeats the request, it gets the same reply again.
func MayBreak(replies []*Reply) bool {
	for _, reply := range replies {
		if reply.Times != fixtures.Always && reply.Fixture.Fault.BreaksConnection() {
			return true
		}
	}
	return false
}

// Reason says in words that a request gets this reply, and how often the reply has been played. An
// example is "scripted: 503, delay 2s (1 of 2)".
func (r *Reply) Reason(played int) string {
	phrase := "scripted: "
	if r.Enqueued {
		phrase = "enqueued: "
	}
	phrase += r.Fixture.String()
	switch {
	case r.Times == fixtures.Always:
		phrase += " (always)"
	case r.Times > 1:
		phrase += fmt.Sprintf(" (%d of %d)", played, r.Times)
	}
	return phrase
}

// Description names the reply in a message, for example "enqueued reply 1 of 2 (503)".
func (r *Reply) Description() string {
	kind := "reply"
	if r.Enqueued {
		kind = "enqueued reply"
	}
	return fmt.Sprintf("%s %d of %d (%s)", kind, r.number, r.count, r.Fixture)
}
