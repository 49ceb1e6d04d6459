package fake

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"

	"example.com/campaignfake/fixtures"
)

// answers are the answers of the service, prepared from its settings.
type answers struct {
	success, missingToken, invalidToken, notFound, methodNotAllowed, rateLimited answer
}

// An answer is a Response that is ready to be sent.
type answer struct {
	status  int
	headers http.Header // its values are shared by all requests, and never changed
	body    []byte      // nil for a problem document, which is made for each request
}

func newAnswers(s *Service) answers {
	return answers{
		success:          newAnswer(s.Success, "application/json"),
		missingToken:     newAnswer(s.Responses.MissingToken, "application/problem+json"),
		invalidToken:     newAnswer(s.Responses.InvalidToken, "application/problem+json"),
		notFound:         newAnswer(s.Responses.NotFound, "application/problem+json"),
		methodNotAllowed: newAnswer(s.Responses.MethodNotAllowed, "application/problem+json"),
		rateLimited:      newAnswer(s.Responses.RateLimited, "application/problem+json"),
	}
}

// named returns the answer that has a name among the settings of the service.
func (a *answers) named(name string) *answer {
	switch name {
	case "missing_token":
		return &a.missingToken
	case "invalid_token":
		return &a.invalidToken
	case "not_found":
		return &a.notFound
	case "method_not_allowed":
		return &a.methodNotAllowed
	case "rate_limited":
		return &a.rateLimited
	}
	panic("campaignfake: no answer is called " + name) // names have been checked
}

// newAnswer prepares a response that has been checked. The content type is that
// of the body, and the given one if the body is the default.
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

// clone returns an answer whose headers can be changed.
func (a *answer) clone() answer {
	own := *a
	own.headers = a.headers.Clone()
	return own
}

// defaultHeader sets a header that is not set yet.
func (a *answer) defaultHeader(name, value string) {
	if a.headers.Get(name) == "" {
		a.headers.Set(name, value)
	}
}

// send writes a prepared answer. detail says what is wrong, in a problem
// document.
func (a *answer) send(x *exchange, detail string) {
	body := a.body
	if body == nil {
		body = problem(a.status, detail)
	}
	a.write(x, body, []string{strconv.Itoa(len(body))})
}

func (a *answer) write(x *exchange, body []byte, length []string) {
	x.body = body
	a.writeHeader(x, length)
	if x.r.Method == http.MethodHead {
		return
	}
	if sent, err := x.Write(body); err != nil {
		x.endedEarly(sent, len(body))
	}
}

func (a *answer) writeHeader(x *exchange, length []string) {
	header := x.Header()
	a.set(header)
	header["Content-Length"] = length
	x.WriteHeader(a.status)
}

// set sets the headers of the answer.
func (a *answer) set(header http.Header) {
	for name, values := range a.headers {
		if name == "Vary" { // that of CORS stays
			values = append(slices.Clone(header[name]), values...)
		}
		header[name] = values
	}
}

// problem returns a problem document as RFC 9457 describes it.
func problem(status int, detail string) []byte {
	var body bytes.Buffer
	encoder := json.NewEncoder(&body)
	encoder.SetEscapeHTML(false)
	encoder.Encode(newProblem(status, detail))
	return bytes.TrimSpace(body.Bytes())
}

// A problemDocument is what RFC 9457 has, with the mistakes that were made.
type problemDocument struct {
	Type     string             `json:"type"`
	Title    string             `json:"title"`
	Status   int                `json:"status"`
	Detail   string             `json:"detail"`
	Mistakes []fixtures.Mistake `json:"mistakes,omitempty"` // in a body
	More     int                `json:"more,omitempty"`     // that are not listed
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
