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
	Body    []byte      // nil if it depends on the request; see BodyWith

	response fixtures.ResponseName // whose body it has then; "" for the default
	shape    *fixtures.Shape
}

// BodyWith returns the body of the answer, which may have the detail in it.
func (a *Answer) BodyWith(detail string) []byte {
	if a.Body != nil {
		return a.Body
	}
	return a.shape.AppendError([]byte{}, a.response, a.Status, detail)
}

// HasBody reports whether answers with this status have a body.
func (a *Answer) HasBody() bool {
	return fixtures.Response{Status: a.Status}.HasBody()
}

// Named returns an answer of the service by the name of its setting, which has been
// checked. It is made when it is needed: most servers send few of them.
func (p *Snapshot) Named(name fixtures.ResponseName) Answer {
	r := p.Service.Responses.Named(name)
	_, isGiven := p.Places["responses."+string(name)+".headers"]
	a := p.newError(*r, !isGiven)
	a.response = name
	return a
}

// newError returns an answer without campaigns, whose body is left out: that of r or the default.
// The headers of the default are laid over those of r if it has them. Their Content-Type holds
// for bodies of the same kind.
func (p *Snapshot) newError(r fixtures.Response, hasDefaults bool) Answer {
	standard := &p.Service.Responses.Default
	contentType := typeOf(cmp.Or(r.Body, standard.Body))
	if r.Body == nil && standard.IsProblem() {
		contentType = "application/problem+json"
	}
	a := newAnswer(r.Status, contentType)
	a.shape = p.Shape
	a.replace(r.Headers, true)
	if hasDefaults {
		a.replace(standard.Headers, a.HasBody() && (r.Body == nil || isText(r.Body) == isText(standard.Body)))
	}
	return a
}

// newSuccess returns an answer to a valid token, whose body is left out: that of r or the list
// of campaigns. A Content-Type in the settings is that of the list.
func newSuccess(r fixtures.Response) Answer {
	a := newAnswer(r.Status, typeOf(r.Body))
	a.replace(r.Headers, a.HasBody() && !isText(r.Body))
	return a
}

// newAnswer returns an answer with a type of its body, which is left out. Where the status
// has no body, it is empty.
func newAnswer(status int, contentType string) Answer {
	a := Answer{Status: status, Headers: make(http.Header)}
	if a.HasBody() {
		a.Headers["Content-Type"] = []string{contentType}
	} else {
		a.Body = []byte{}
	}
	return a
}

// typeOf returns the Content-Type of a body, of which nil is the list of campaigns.
func typeOf(body any) string {
	if isText(body) {
		return "text/plain; charset=utf-8"
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

// setDefault sets a header unless it is set already.
func (a *Answer) setDefault(name, value string) {
	if a.Headers.Get(name) == "" {
		a.Headers.Set(name, value)
	}
}

// Set sets the headers of the answer.
func (a *Answer) Set(header http.Header) {
	for name, values := range a.Headers {
		if name == "Vary" { // keep the value that CORS has set
			values = append(slices.Clone(header[name]), values...)
		}
		header[name] = values
	}
}
