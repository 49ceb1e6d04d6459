package fake

import (
	"bytes"
	"cmp"
	"encoding/json"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"example.com/campaignfake/fixtures"
)

// getAPI answers with the OpenAPI document of the service, for clients of it: what the
// settings in force promise. What replies, chaos and Prefer break is not in it.
func getAPI(c *call) {
	if c.parameters().refused {
		return
	}
	p := c.server.state.inForce()
	server := "/"
	if c.own { // the service has another address
		server = strings.TrimSuffix(c.baseURL(), p.service.BasePath)
	}
	c.json(p.newAPI(server))
}

const schemasPrefix = "#/components/schemas/"

// newAPI returns the OpenAPI document of the service at a URL. The base path is part of
// the path of the operation, since tools such as Prism ignore that of a server.
func (p *snapshot) newAPI(server string) *openAPI {
	schemas := p.service.AnswerSchemas(schemasPrefix)
	schemas["Problem"] = fixtures.JSONSchema(problem(http.StatusInternalServerError, ""))
	operation := map[string]any{
		"tags":        []any{"campaigns"},
		"operationId": "listCampaigns",
		"summary":     "The campaigns of a user",
		"responses":   p.apiResponses(),
	}
	if p.service.Prefer != "off" {
		operation["parameters"] = []any{map[string]any{
			"name": "Prefer", "in": "header", "schema": map[string]any{"type": "string"}, "example": "code=503, delay=2s",
			"description": "Asks for an answer of its own: code, delay or fault. The real service does not have it.",
		}}
	}
	return &openAPI{
		OpenAPI: "3.1.0",
		Info: map[string]any{
			"title": "Campaigns", "version": cmp.Or(Version(), "(devel)"),
			"description": "A campaign listing service, as campaignfake answers for it with the settings in force. Replies, chaos and faults break this on purpose.",
		},
		Servers:  []any{map[string]any{"url": server}},
		Security: []any{map[string]any{"bearer": []any{}}},
		Tags:     []any{map[string]any{"name": "campaigns", "description": "The list of campaigns."}},
		Paths:    map[string]map[string]any{p.path: {"get": operation}},
		Components: map[string]map[string]any{
			"securitySchemes": {"bearer": map[string]any{"type": "http", "scheme": "bearer"}},
			"schemas":         schemas,
		},
	}
}

// An apiResponse is what the document says about the answers with one status.
type apiResponse struct {
	Description string                   `json:"description"`
	Headers     map[string]any           `json:"headers,omitempty"`
	Content     map[string]*apiMediaType `json:"content,omitempty"`
}

type apiMediaType struct {
	Schema   map[string]any `json:"schema"`
	Examples apiExamples    `json:"examples,omitempty"`
}

// apiResponses returns the answers of the service by their statuses.
func (p *snapshot) apiResponses() map[string]*apiResponse {
	all := make(map[string]*apiResponse)
	success := &p.success
	describeAnswer(all, strconv.Itoa(success.status), "The campaigns.", success, reference("CampaignList"), p.listExamples())
	for _, r := range []struct {
		name                ResponseName
		description, header string
	}{
		{"missing_token", "There is no bearer token.", ""},
		{"invalid_token", "No user has the token.", ""},
		{"not_found", "The service does not have the path.", ""},
		{"method_not_allowed", "The path has other methods.", "Allow"},
		{"rate_limited", "Too many requests were sent.", "Retry-After"},
	} {
		a := p.named(r.name)
		schema := reference("Problem")
		if a.body == nil {
			a.body = problem(a.status, detail(a.status))
		} else {
			schema = a.bodySchema()
		}
		if r.header != "" {
			a.defaultHeader(r.header, map[string]string{"Allow": allowed, "Retry-After": "1"}[r.header])
		}
		describeAnswer(all, strconv.Itoa(a.status), r.description, &a, schema, apiExamples{{string(r.name), a.example()}})
	}
	failed := newAnswer(Response{Status: http.StatusServiceUnavailable, Headers: map[string]string{"Retry-After": "1"}}, "application/problem+json")
	failed.body = problem(failed.status, detail(failed.status))
	describeAnswer(all, "default", "The service has failed, or refuses the request.", &failed, reference("Problem"), apiExamples{{"unavailable", failed.example()}})
	return all
}

func reference(schema string) map[string]any { return map[string]any{"$ref": schemasPrefix + schema} }

// describeAnswer adds an answer to those of its status.
func describeAnswer(all map[string]*apiResponse, status, description string, a *answer, schema map[string]any, examples apiExamples) {
	r := all[status]
	if r == nil {
		r = &apiResponse{Headers: make(map[string]any), Content: make(map[string]*apiMediaType)}
		all[status] = r
	}
	r.Description = strings.TrimSpace(r.Description + " " + description)
	for name := range a.headers {
		if name != "Content-Type" && r.Headers[name] == nil {
			r.Headers[name] = map[string]any{"schema": map[string]any{"type": "string"}, "example": a.headers.Get(name)}
		}
	}
	mediaType := a.mediaType()
	if mediaType == "" || a.body != nil && len(a.body) == 0 {
		return
	}
	m := r.Content[mediaType]
	if m == nil {
		r.Content[mediaType] = &apiMediaType{Schema: schema, Examples: examples}
		return
	}
	m.Schema = eitherSchema(m.Schema, schema)
	m.Examples = append(m.Examples, examples...)
}

// eitherSchema returns a schema for what fits one of two.
func eitherSchema(one, other map[string]any) map[string]any {
	kinds, several := one["anyOf"].([]any)
	if !several {
		kinds = []any{one}
	}
	same := func(kind any) bool { return string(encoded(kind)) == string(encoded(other)) }
	if slices.ContainsFunc(kinds, same) {
		return one
	}
	return map[string]any{"anyOf": append(kinds, other)}
}

// mediaType returns the type of the body without its parameters, "" if it has none.
func (a *answer) mediaType() string {
	mediaType, _, _ := mime.ParseMediaType(a.headers.Get("Content-Type"))
	return mediaType
}

// isJSON reports whether the body is JSON, and said to be.
func (a *answer) isJSON() bool {
	return strings.HasSuffix(a.mediaType(), "json") && json.Valid(a.body)
}

func (a *answer) bodySchema() map[string]any {
	if a.isJSON() {
		return fixtures.JSONSchema(a.body)
	}
	return map[string]any{"type": "string"}
}

// example returns the body as an example has it.
func (a *answer) example() json.RawMessage {
	if a.isJSON() {
		return a.body
	}
	return encoded(string(a.body))
}

// apiExamples are named examples in their order: tools show the first.
type apiExamples []apiExample

type apiExample struct {
	name  string
	value json.RawMessage
}

// MarshalJSON returns an object that keeps the order.
func (list apiExamples) MarshalJSON() ([]byte, error) {
	var text bytes.Buffer
	for i, example := range list {
		text.WriteString([]string{"{", ","}[min(i, 1)])
		text.Write(encoded(example.name))
		text.WriteString(`:{"value":`)
		text.Write(example.value)
		text.WriteString("}")
	}
	text.WriteString("}")
	return text.Bytes(), nil
}

// listExamples returns lists of the gallery as the service answers them, with two
// campaigns at most. The ids of demo are written by hand, and are no integers.
func (p *snapshot) listExamples() (list apiExamples) {
	gallery, err := fixtures.LoadFS(fixtures.Gallery())
	if err != nil {
		panic(err) // it is part of the program
	}
	for _, token := range []string{"demo", "many", "empty"} {
		if token == "demo" && p.service.IDs == "integers" {
			continue
		}
		const few = 2
		first, _ := firstOf(gallery.Users[token], few)
		if body, err := p.service.AppendJSON(nil, token, first); err == nil { // as it is for all that has been checked
			list = append(list, apiExample{token, body})
		}
	}
	return list
}

// encoded returns the JSON of a value that has one.
func encoded(value any) []byte {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return text
}
