package plan

import (
	"cmp"
	"net/http"
	"slices"

	"example.com/campaignfake/fixtures"
)

// An Answer is a Response, prepared for sending.
type Answer struct {
	Status  int
	Headers http.Header // its values never change
	Body    []byte      // nil if it is a list of campaigns
}

// Named returns an answer of the service by the name of its setting, which has been
// checked. Its body may have the detail in it.
func (p *Snapshot) Named(name fixtures.ResponseName, detail string) Answer {
	standard := p.Service.Responses.Default
	if _, isGiven := p.Places["responses."+string(name)+".headers"]; isGiven {
		standard.Headers = nil
	}
	response := p.responseNamed(name)
	a := newAnswer(response, standard)
	if a.Body == nil {
		a.Body = errorBody(p.Service, response.Body, a.Status, detail)
	}
	return a
}

// responseNamed returns what the settings say of an answer.
func (p *Snapshot) responseNamed(name fixtures.ResponseName) fixtures.Response {
	responses := &p.Service.Responses
	switch name {
	case fixtures.ResponseMissingToken:
		return responses.MissingToken
	case fixtures.ResponseInvalidToken:
		return responses.InvalidToken
	case fixtures.ResponseNotFound:
		return responses.NotFound
	case fixtures.ResponseMethodNotAllowed:
		return responses.MethodNotAllowed
	case fixtures.ResponseRateLimited:
		return responses.RateLimited
	}
	return responses.Default
}

// newAnswer returns an answer whose body is left out: that of r, or else the standard one. The
// standard headers are laid over those of r. Their Content-Type holds for bodies of the same kind.
func newAnswer(r, standard fixtures.Response) Answer {
	a, body := Answer{Status: r.Status, Headers: make(http.Header)}, cmp.Or(r.Body, standard.Body)
	if HasBody(r.Status) {
		a.Headers["Content-Type"] = []string{typeOf(body)}
	} else {
		a.Body = []byte{}
	}
	a.replace(r.Headers, true)
	a.replace(standard.Headers, HasBody(r.Status) && isText(body) == isText(standard.Body))
	return a
}

// typeOf returns the Content-Type of a body, of which nil is the list of campaigns.
func typeOf(body any) string {
	switch {
	case isText(body):
		return "text/plain; charset=utf-8"
	case isProblem(body):
		return "application/problem+json"
	}
	return "application/json"
}

// isText reports whether a body is sent as text, and not as JSON.
func isText(body any) bool {
	_, is := body.(string)
	return is
}

// replace sets headers, each in place of all values that it had, and the Content-Type only
// with the type. Their names can have any spelling.
func (a *Answer) replace(headers http.Header, withType bool) {
	for name, values := range headers {
		name = http.CanonicalHeaderKey(name)
		if name != "Content-Type" || withType {
			a.Headers[name] = slices.Clone(values)
		}
	}
}
