package observe

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"example.com/campaignfake/fake/internal/ask"
	"example.com/campaignfake/fixtures"
	"example.com/campaignfake/fixtures/protocol"
)

// madeUp begins each token and path that is made up.
const madeUp = "campaignfake-made-up"

// A refusedRequest is what a service refuses, and asked twice, to find what changes between two
// answers. The two have different tokens or paths, so that a part which repeats them changes, too.
type refusedRequest struct {
	name   fixtures.ResponseName // of the setting for it
	paths  [2]string
	tokens [2]string // theToken stands for that of the service
}

// theToken stands for the token of the service in a request.
const theToken = "the token"

// refusedRequests are sent in this order. Of the two answers to other paths, the first may have
// texts of the customer whose token it is. The second cannot, and so what they have in common
// does not.
var refusedRequests = []refusedRequest{
	{
		name:  fixtures.ResponseMissingToken,
		paths: [2]string{protocol.CampaignsPath, protocol.CampaignsPath},
	},
	{
		name:   fixtures.ResponseInvalidToken,
		paths:  [2]string{protocol.CampaignsPath, protocol.CampaignsPath},
		tokens: [2]string{madeUp + "-1", madeUp + "-2"},
	},
	{
		name:   fixtures.ResponseNotFound,
		paths:  [2]string{"/" + madeUp + "-1", "/" + madeUp + "-2"},
		tokens: [2]string{theToken, madeUp + "-3"},
	},
}

// A refusal is what the two answers to a request have in common.
type refusal struct {
	statuses [2]int
	headers  map[string]any // texts, or open values
	body     any            // has open values in it, or is one
	accepts  bool           // the answers show a list, and refuse nothing
}

// askRefusal sends a request twice. A service that has not answered is not asked again.
func (o *Observation) askRefusal(ctx context.Context, asked refusedRequest) {
	var answers [2]ask.Answer
	for i := range answers {
		token := asked.tokens[i]
		if token == theToken {
			token = o.subject.Token
		}
		request := o.subject.Request(http.MethodGet, asked.paths[i], token)
		answers[i] = o.send(ctx, request)
		if answers[i].Missing != "" {
			o.unseen["responses."+string(asked.name)] = answers[i].Missing
			if asked.name == fixtures.ResponseInvalidToken {
				o.unseen["unknown_tokens"] = answers[i].Missing
			}
			return
		}
	}
	o.refusals[asked.name] = newRefusal(asked.name, answers[0], answers[1])
}

// refusalHeaders are the headers of a refusal that are looked at.
var refusalHeaders = []string{"Content-Type", "Location", "WWW-Authenticate"}

// mostRead bounds a body that is looked into, in bytes.
const mostRead = 64 << 10

// newRefusal reads two answers.
func newRefusal(name fixtures.ResponseName, first, second ask.Answer) *refusal {
	r := &refusal{
		statuses: [2]int{first.Status, second.Status},
		headers:  make(map[string]any),
		body:     valueOf(first.Body),
		accepts:  showsList(first) && showsList(second),
	}
	for _, header := range refusalHeaders {
		value := strings.Join(first.Header.Values(header), ", ")
		other := strings.Join(second.Header.Values(header), ", ")
		if value != "" {
			r.headers[header] = commonScalar(value, other)
		}
	}
	if name == fixtures.ResponseNotFound {
		// A service may tell a token that it knows from another one before it looks at the path. So
		// the first status is right, and the body has what is common to both.
		r.statuses[1] = first.Status
		r.accepts = showsList(first)
	}
	if len(first.Body) > mostRead {
		r.body = openLike(r.body)
	} else {
		r.body = common(r.body, valueOf(second.Body))
	}
	contentType := first.Header.Get("Content-Type")
	if contentType != "" { // which is no text of a customer, and has to be that of the body
		r.headers["Content-Type"] = contentType
	}
	if len(first.Body) == 0 { // nothing has no type
		delete(r.headers, "Content-Type")
	}
	return r
}

// align gives a refusal of the fake the open values of the same refusal of the service.
func (r *refusal) align(service *refusal) {
	r.body = aligned(r.body, service.body)
	for name, value := range r.headers {
		r.headers[name] = aligned(value, service.headers[name])
	}
}

// add adds what was found out about the refusal with a name.
func (r *refusal) add(all findings, name fixtures.ResponseName) {
	path := "responses." + string(name)
	status := r.statuses[0]
	switch {
	case r.accepts && name == fixtures.ResponseInvalidToken:
		all.setting("unknown_tokens",
			fixtures.Service{UnknownTokens: fixtures.UnknownTokensGenerate})
		return
	case r.accepts:
		all.fact(path+".status", fmt.Sprintf("%d with a list, and so no refusal", status))
		return
	case status != r.statuses[1]:
		all.fact(path+".status", fmt.Sprintf("%d, or %d", status, r.statuses[1]))
		return
	case name == fixtures.ResponseInvalidToken:
		all.setting("unknown_tokens", fixtures.Service{}) // they are refused
	}
	headers := make(http.Header)
	for header, value := range r.headers {
		text, isText := value.(string)
		if !isText {
			text = openText
		}
		headers.Set(header, text)
	}
	set := func(part string, response fixtures.Response) {
		var settings fixtures.Service
		*settings.Responses.Named(name) = response
		all.setting(path+part, settings)
	}
	set(".status", fixtures.Response{Status: status})
	set(".headers", fixtures.Response{Headers: headers})
	if protocol.HasBody(status) {
		set(".body", fixtures.Response{Body: plain(r.body)})
	}
}

// plain returns a value without the marks of open values: a text as it is, and all else as JSON.
func plain(value any) any {
	open, isOpen := value.(open)
	if isOpen {
		value = open.empty
	}
	text, isText := value.(string)
	if isText {
		return text
	}
	return json.RawMessage(jsonOf(value))
}

// showsList reports whether an answer is a success, and has a list in it, which may be a list of
// campaigns. Some services refuse with a success, too, whose body is a text or a code.
func showsList(a ask.Answer) bool {
	return a.Status < 300 && hasList(valueOf(a.Body))
}

func hasList(value any) bool {
	switch value := value.(type) {
	case []any:
		return true
	case map[string]any:
		for _, inside := range value {
			if hasList(inside) {
				return true
			}
		}
	}
	return false
}
