package fake

import (
	"bytes"
	"net/http"
	"slices"
	"strconv"

	"example.com/campaignfake/fixtures"
)

// An answer is a Response, prepared for sending.
type answer struct {
	status  int
	headers http.Header // its values never change
	body    []byte      // nil for a problem document, which is made for each request
}

// responses are the answers of a service by their names.
func responses(all *fixtures.Responses) map[ResponseName]*Response {
	return map[ResponseName]*Response{
		ResponseMissingToken: &all.MissingToken, ResponseInvalidToken: &all.InvalidToken, ResponseNotFound: &all.NotFound,
		ResponseMethodNotAllowed: &all.MethodNotAllowed, ResponseRateLimited: &all.RateLimited,
	}
}

// named returns an answer of the service by the name of its setting, which has been
// checked. It is made when it is needed: most servers send few of them.
func (p *snapshot) named(name ResponseName) answer {
	a, ok := p.answers[name]
	if !ok {
		return newAnswer(*responses(&p.service.Responses)[name], "application/problem+json")
	}
	a.headers = a.headers.Clone() // a reply adds its own
	return a
}

// withBodies prepares the answers that have a body, since the caller may change the value
// of the body later.
func withBodies(all *fixtures.Responses) map[ResponseName]answer {
	answers := make(map[ResponseName]answer)
	for name, r := range responses(all) {
		if r.Body != nil {
			answers[name] = newAnswer(*r, "application/problem+json")
		}
	}
	return answers
}

// newAnswer prepares a response that has been checked. The content type depends on
// the body, and is the given one without a body.
func newAnswer(r fixtures.Response, contentType string) answer {
	a := answer{status: r.Status, headers: make(http.Header)}
	switch r.Body.(type) {
	case nil:
	case string:
		contentType = "text/plain; charset=utf-8"
	default:
		contentType = "application/json"
	}
	if r.Body != nil {
		a.body, _ = r.AppendBody([]byte{}) // not nil, even if it is empty
	}
	a.headers["Content-Type"] = []string{contentType}
	for name, value := range r.Headers {
		a.headers.Set(name, value)
	}
	return a
}

// defaultHeader sets a header unless it is set already.
func (a *answer) defaultHeader(name, value string) {
	if a.headers.Get(name) == "" {
		a.headers.Set(name, value)
	}
}

// set sets the headers of the answer.
func (a *answer) set(header http.Header) {
	for name, values := range a.headers {
		if name == "Vary" { // keep the value that CORS has set
			values = append(slices.Clone(header[name]), values...)
		}
		header[name] = values
	}
}

// problem returns a problem document as RFC 9457 describes it.
func problem(status int, detail string) []byte {
	return bytes.TrimSpace(marshaled(newProblem(status, detail)))
}

// A problemDocument is a problem document by RFC 9457, extended with mistakes.
type problemDocument struct {
	Type     string             `json:"type"`
	Title    string             `json:"title"`
	Status   int                `json:"status"`
	Detail   string             `json:"detail"`
	Mistakes []fixtures.Mistake `json:"mistakes,omitempty"` // in the body of the request
	More     int                `json:"more,omitempty"`     // how many more there are
}

func newProblem(status int, detail string) problemDocument {
	return problemDocument{Type: "about:blank", Title: title(status), Status: status, Detail: detail}
}

func title(status int) string {
	if text := http.StatusText(status); text != "" {
		return text
	}
	return "Status " + strconv.Itoa(status)
}
