package compare

import (
	"fmt"
	"net/http"
	"strings"

	"example.com/campaignfake/fake/internal/ask"
	"example.com/campaignfake/fixtures"
	"example.com/campaignfake/fixtures/text"
)

// refusedRequests are the requests that a service refuses, with the names of the responses that are
// settings for them.
var refusedRequests = map[question]fixtures.ResponseName{
	askWithoutToken: fixtures.ResponseMissingToken,
	askMadeUpToken:  fixtures.ResponseInvalidToken,
	askOtherPath:    fixtures.ResponseNotFound,
}

// comparedHeaders are the headers of a refusal that are compared.
var comparedHeaders = []string{"Content-Type", "Location", "WWW-Authenticate"}

// A refusal is what the two answers to a refused request have in common.
type refusal struct {
	name        fixtures.ResponseName
	statuses    [2]int
	headers     http.Header
	leftOut     []omission // of the headers
	body        part
	isBodyEmpty bool
	isAccepted  bool // the answers show a list, and refuse nothing
	isSet       bool // the fixtures set headers or a body for it, and so those are changed there
}

// readRefusals reads what the service refuses. It leaves out what differs between the two answers
// to a request.
func (o *observation) readRefusals() {
	o.refusals = make(map[question]refusal)
	for asked, name := range refusedRequests {
		answers := o.answers[asked]
		r := newRefusal(name, answers)
		r.body = o.commonBody(answers[0].Body, answers[1].Body)
		r.isBodyEmpty = len(answers[0].Body) == 0
		r.isSet = o.hasHeadersOrBody(name)
		if r.isBodyEmpty {
			r.headers.Del("Content-Type") // an empty body has no type
		}
		for _, header := range comparedHeaders {
			values := r.headers.Values(header)
			if len(values) == 0 {
				continue
			}
			why := o.whyLeftOut(values, answers[1].Header.Values(header))
			if why != "" {
				r.leftOut = append(r.leftOut, omission{header, why})
				r.headers.Del(header)
			}
		}
		o.refusals[asked] = r
	}
}

// readRefusalsLike reads what the fake refuses. It leaves out the same parts as the answers of the
// service leave out.
func (o *observation) readRefusalsLike(service *observation) {
	o.refusals = make(map[question]refusal)
	for asked, like := range service.refusals {
		answers := o.answers[asked]
		r := newRefusal(like.name, answers)
		value := valueOf(answers[0].Body)
		r.body = part{
			value: without(pathsOf(like.body.leftOut), "", value),
			why:   like.body.why,
		}
		if like.isBodyEmpty {
			r.headers.Del("Content-Type")
		}
		for _, omission := range like.leftOut {
			r.headers.Del(omission.path)
		}
		o.refusals[asked] = r
	}
}

// newRefusal returns what two answers to a request say, but for their bodies. It has the headers of
// the first answer.
func newRefusal(name fixtures.ResponseName, answers []ask.ServiceAnswer) refusal {
	first, second := answers[0], answers[1]
	r := refusal{
		name:       name,
		statuses:   [2]int{first.Status, second.Status},
		headers:    make(http.Header),
		isAccepted: showsList(first) && showsList(second),
	}
	for _, header := range comparedHeaders {
		for _, value := range first.Header.Values(header) {
			r.headers.Add(header, value)
		}
	}
	return r
}

// hasHeadersOrBody reports whether the settings of the fake have headers or a body for a response.
func (o *observation) hasHeadersOrBody(name fixtures.ResponseName) bool {
	setting := "responses." + string(name)
	_, hasHeaders := o.places[setting+".headers"]
	_, hasBody := o.places[setting+".body"]
	return hasHeaders || hasBody
}

// showsList reports whether an answer is a success, and has a list in it, which may be a list of
// campaigns. Some services refuse with a success, too, whose body is a text or a code.
func showsList(a ask.ServiceAnswer) bool {
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

// isConstant reports whether the request is always refused in the same way.
func (r refusal) isConstant() bool {
	return r.statuses[0] == r.statuses[1] && !r.isAccepted
}

func (r refusal) concludeStatus() conclusion {
	switch {
	case r.isAccepted && r.name == fixtures.ResponseInvalidToken:
		return conclusion{} // the finding about unknown tokens says it
	case r.isAccepted:
		return conclusion{text: fmt.Sprintf("%d with a list, and so no refusal", r.statuses[0])}
	case !r.isConstant():
		return conclusion{text: fmt.Sprintf("%d, or %d", r.statuses[0], r.statuses[1])}
	}
	return conclusion{
		text:        fmt.Sprint(r.statuses[0]),
		hasSettings: true,
		settings:    r.settings(fixtures.Response{Status: r.statuses[0]}),
	}
}

func (r refusal) concludeHeaders() conclusion {
	if !r.isConstant() {
		return conclusion{}
	}
	return conclusion{
		text:        headersText(r.headers),
		leftOut:     r.leftOut,
		hasSettings: true,
		settings:    r.settings(fixtures.Response{Headers: r.headers}),
	}
}

// concludeBody says what the body is. Headers are written with a body, since a new body can have
// another type.
func (r refusal) concludeBody() conclusion {
	if !r.isConstant() {
		return conclusion{}
	}
	response := fixtures.Response{Body: r.body.value}
	if !r.isSet {
		response.Headers = r.headers
	}
	c := conclusion{
		text:        jsonOf(r.body.value),
		leftOut:     r.body.leftOut,
		hasSettings: true,
		settings:    r.settings(response),
	}
	switch {
	case r.body.why != "": // only the type is compared
		c.text = kindOf(r.body.value)
	case r.body.value == "":
		c.text = "none"
	}
	return c
}

// settings returns the settings that have a response to the refused request.
func (r refusal) settings(response fixtures.Response) fixtures.Service {
	var settings fixtures.Service
	*settings.Responses.Named(r.name) = response
	return settings
}

// headersText shows the compared headers among some headers, on one line.
func headersText(headers http.Header) string {
	var texts []string
	for _, name := range comparedHeaders {
		values := headers.Values(name)
		if len(values) > 0 {
			texts = append(texts, name+": "+strings.Join(values, ", "))
		}
	}
	if len(texts) == 0 {
		return "none of " + strings.Join(comparedHeaders, ", ")
	}
	return strings.Join(texts, "; ")
}

// jsonOf writes a value as JSON on one line, without the escapes that are for HTML.
func jsonOf(value any) string {
	encoded, _ := text.AppendJSON(nil, value) // it was read as JSON, or has been checked
	return string(encoded)
}
