package plan

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"

	"example.com/campaignfake/fixtures"
	"example.com/campaignfake/fixtures/protocol"
)

// A PreparedAnswer holds the parts of an answer that are known before a request arrives.
type PreparedAnswer struct {
	Status  int
	Headers http.Header // nobody changes its values
	Body    Body        // zero for no body, and for a list of campaigns

	// HasCampaigns is true if the body is a list of campaigns. The field Body is then zero, because
	// each user has a list of their own.
	HasCampaigns bool
}

// Named returns the answer that the settings have under a name, such as invalid_token. The name
// must be valid. The body shows the detail in place of {detail}.
func (p *Snapshot) Named(name fixtures.ResponseName, detail string) PreparedAnswer {
	response := *p.Service.Responses.Named(name)
	configured := p.Configured.Responses.Named(name)
	answer := PreparedAnswer{
		Status: response.Status,
		Headers: newHeaders(headerSources{
			response:   response,
			standard:   p.Service.Responses.Default,
			isComplete: configured.Headers != nil,
		}),
	}
	if protocol.HasBody(response.Status) {
		answer.Body = errorBody(p.Service, response.Body, response.Status, detail)
	}
	return answer
}

// Error returns the answer for an error status that has no setting of its own, for example 403. The
// setting responses.default shapes this answer. The body shows the argument detail in place of
// {detail}.
func (p *Snapshot) Error(status int, detail string) PreparedAnswer {
	answer := PreparedAnswer{
		Status: status,
		Headers: newHeaders(headerSources{
			response: fixtures.Response{Status: status},
			standard: p.Service.Responses.Default,
		}),
	}
	if protocol.HasBody(status) {
		answer.Body = errorBody(p.Service, nil, status, detail)
	}
	return answer
}

// headerSources has the settings from which newHeaders makes the headers of an answer.
type headerSources struct {
	response fixtures.Response // for this answer; if its Body is nil, standard.Body counts
	standard fixtures.Response // Service.Success or Responses.Default; zero to add no headers

	// isComplete is true if somebody has set the headers of the response, so that the standard
	// headers are not sent.
	isComplete bool
}

// newHeaders returns the headers of an answer. Each step replaces headers that earlier steps have
// set.
func newHeaders(from headerSources) http.Header {
	headers := make(http.Header)
	hasBody := protocol.HasBody(from.response.Status)
	body := from.response.Body
	if body == nil {
		body = from.standard.Body
	}

	// 1. The body decides about its Content-Type.
	if hasBody {
		headers.Set("Content-Type", typeOf(body))
	}

	// 2. The response adds its own headers, configured or default: a 401 has WWW-Authenticate by
	// default.
	maps.Copy(headers, canonicalHeaders(from.response.Headers))

	// 3. If somebody has set headers for this response, it gets no standard headers.
	if from.isComplete {
		return headers
	}

	// 4. The standard headers are added. Their Content-Type describes the standard body, so it is
	// also right for another body of the same kind, text or JSON.
	standard := canonicalHeaders(from.standard.Headers)
	isOfOneKind := isText(body) == isText(from.standard.Body)
	if !hasBody || !isOfOneKind {
		standard.Del("Content-Type")
	}
	maps.Copy(headers, standard)
	return headers
}

// typeOf returns the Content-Type of a body. A nil body stands for the list of campaigns. A text
// that is a JSON object or a JSON list has the type of JSON.
func typeOf(body any) string {
	written, isString := body.(string)
	switch {
	case isString && !isJSON(written):
		return "text/plain; charset=utf-8"
	case isProblem(body):
		return "application/problem+json"
	}
	return "application/json"
}

// isJSON reports whether a text is an object or a list of JSON.
func isJSON(written string) bool {
	start := strings.TrimLeft(written, " \t\r\n")
	mayBe := strings.HasPrefix(start, "{") || strings.HasPrefix(start, "[")
	return mayBe && json.Valid([]byte(written))
}

// isText reports whether a body is a text, which is sent as it is. Any other body is encoded as
// JSON.
func isText(body any) bool {
	_, isString := body.(string)
	return isString
}

// canonicalHeaders returns a copy of headers, and nil for no headers. The copy spells the names as
// the methods of http.Header expect; in Go code they may have any spelling.
func canonicalHeaders(given http.Header) http.Header {
	if given == nil {
		return nil
	}
	headers := make(http.Header, len(given))
	for name, values := range given {
		headers[http.CanonicalHeaderKey(name)] = slices.Clone(values)
	}
	return headers
}
