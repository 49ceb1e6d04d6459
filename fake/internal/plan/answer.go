package plan

import (
	"net/http"
	"slices"

	"example.com/campaignfake/fixtures"
)

// An Answer is a fixtures.Response, prepared for sending.
type Answer struct {
	Status  int
	Headers http.Header // its values never change
	Body    []byte      // nil if it has none, or a list of campaigns

	// HasCampaigns is true if the body is a list of campaigns. It is made for each user, and so
	// is not in Body.
	HasCampaigns bool
}

// Named returns an answer of the service by the name of its setting, which has been
// checked. Its body may have the detail in it.
func (p *Snapshot) Named(name fixtures.ResponseName, detail string) Answer {
	standard := p.Service.Responses.Default
	given := responseNamed(p.Configured, name)
	if given.Headers != nil {
		standard.Headers = nil
	}
	response := responseNamed(p.Service, name)
	a := newAnswer(response, standard)
	if HasBody(a.Status) {
		a.Body = errorBody(p.Service, response.Body, a.Status, detail)
	}
	return a
}

// Error returns an answer with a status that has no setting of its own, in the form of all errors.
func (p *Snapshot) Error(status int, detail string) Answer {
	a := newAnswer(fixtures.Response{Status: status}, p.Service.Responses.Default)
	if HasBody(status) {
		a.Body = errorBody(p.Service, nil, status, detail)
	}
	return a
}

// responseNamed returns what settings say of an answer.
func responseNamed(settings *fixtures.Service, name fixtures.ResponseName) fixtures.Response {
	responses := &settings.Responses
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

// newAnswer returns an answer whose body is left out: that of a response, or else the standard one.
// The standard headers are laid over those of the response. Their Content-Type holds for bodies
// that are of the same kind, text or JSON.
func newAnswer(response, standard fixtures.Response) Answer {
	a := Answer{Status: response.Status, Headers: make(http.Header)}
	body := response.Body
	if body == nil {
		body = standard.Body
	}
	if HasBody(response.Status) {
		a.Headers.Set("Content-Type", typeOf(body))
	}
	a.replaceHeaders(response.Headers)
	isOfOneKind := isText(body) == isText(standard.Body)
	if !HasBody(response.Status) || !isOfOneKind {
		standard.Headers = withoutType(standard.Headers)
	}
	a.replaceHeaders(standard.Headers)
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

// replaceHeaders sets headers, each in place of all values that it had. Their names can have any
// spelling.
func (a *Answer) replaceHeaders(headers http.Header) {
	for name, values := range headers {
		a.Headers[http.CanonicalHeaderKey(name)] = slices.Clone(values)
	}
}

// withoutType returns headers without the Content-Type. Their names can have any spelling.
func withoutType(headers http.Header) http.Header {
	others := make(http.Header)
	for name, values := range headers {
		if http.CanonicalHeaderKey(name) != "Content-Type" {
			others[name] = values
		}
	}
	return others
}
