package control

import (
	"cmp"
	"encoding/json"
	"maps"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"example.com/campaignfake/fake/internal/api"
	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fake/internal/words"
	"example.com/campaignfake/fixtures"
)

// getAPI answers with the OpenAPI document of the service, for clients of it: what the
// settings in force promise. What replies break is not in it.
func getAPI(c *call) error {
	p := c.plane.State.InForce()
	server := "/"
	if c.own { // the service has another address
		server = strings.TrimSuffix(c.baseURL(), p.BasePath)
	}
	return c.json(newAPI(p, server))
}

const schemasPrefix = "#/components/schemas/"

// newAPI returns the OpenAPI document of the service at a URL. The base path is part of
// the path of the operation, since tools such as Prism ignore that of a server.
func newAPI(p *plan.Snapshot, server string) *openAPI {
	schemas := p.Shape.Schemas(schemasPrefix)
	standard := p.NewError(http.StatusInternalServerError, nil)
	standard.Body = standard.BodyWith("")
	schemas[errorSchema(p)] = bodySchema(&standard)
	operation := map[string]any{
		"tags":        []any{"campaigns"},
		"operationId": "listCampaigns",
		"summary":     "The campaigns of a user",
		"responses":   apiResponses(p),
	}
	return &openAPI{
		OpenAPI: "3.1.0",
		Info: map[string]any{
			"title": "Campaigns", "version": cmp.Or(words.Version(), "(devel)"),
			"description": "A campaign listing service, as campaignfake answers for it with the settings in force. Replies and faults break this on purpose.",
		},
		Servers:  []any{map[string]any{"url": server}},
		Security: []any{map[string]any{"bearer": []any{}}},
		Tags:     []any{map[string]any{"name": "campaigns", "description": "The list of campaigns."}},
		Paths:    map[string]map[string]any{p.Path: {"get": operation}},
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
	Examples map[string]any `json:"examples,omitempty"`
}

// apiResponses returns the answers of the service by their statuses.
func apiResponses(p *plan.Snapshot) map[string]*apiResponse {
	all := make(map[string]*apiResponse)
	success := &p.Success
	describeAnswer(all, strconv.Itoa(success.Status), "The campaigns.", success, reference("CampaignList"), listExamples(p))
	for _, r := range []struct {
		name                fixtures.ResponseName
		description, header string
	}{
		{"missing_token", "There is no bearer token.", ""},
		{"invalid_token", "No user has the token.", ""},
		{"not_found", "The service does not have the path.", ""},
		{"method_not_allowed", "The path has other methods.", "Allow"},
		{"rate_limited", "Too many requests were sent.", "Retry-After"},
	} {
		a := p.Named(r.name)
		schema := reference(errorSchema(p))
		a.Body = a.BodyWith(api.Detail(a.Status))
		if p.Service.Responses.Named(r.name).Body != nil {
			schema = bodySchema(&a)
		}
		if r.header != "" {
			a.DefaultHeader(r.header, map[string]string{"Allow": plan.Allowed, "Retry-After": "1"}[r.header])
		}
		describeAnswer(all, strconv.Itoa(a.Status), r.description, &a, schema, map[string]any{string(r.name): exampleOf(&a)})
	}
	failed := p.NewError(http.StatusServiceUnavailable, nil)
	failed.DefaultHeader("Retry-After", "1")
	failed.Body = failed.BodyWith(api.Detail(failed.Status))
	describeAnswer(all, "default", "The service has failed, or refuses the request.", &failed, reference(errorSchema(p)), map[string]any{"unavailable": exampleOf(&failed)})
	return all
}

// errorSchema returns the name of the schema of the default body.
func errorSchema(p *plan.Snapshot) string {
	if p.Service.Responses.Default.IsProblem() {
		return "Problem"
	}
	return "Error"
}

func reference(schema string) map[string]any { return map[string]any{"$ref": schemasPrefix + schema} }

// describeAnswer adds an answer to those of its status.
func describeAnswer(all map[string]*apiResponse, status, description string, a *plan.Answer, schema, examples map[string]any) {
	r := all[status]
	if r == nil {
		r = &apiResponse{Headers: make(map[string]any), Content: make(map[string]*apiMediaType)}
		all[status] = r
	}
	r.Description = strings.TrimSpace(r.Description + " " + description)
	for name, values := range a.Headers {
		if name != "Content-Type" && r.Headers[name] == nil {
			r.Headers[name] = describeHeader(values)
		}
	}
	kind := mediaType(a)
	if kind == "" || a.Body != nil && len(a.Body) == 0 {
		return
	}
	m := r.Content[kind]
	if m == nil {
		r.Content[kind] = &apiMediaType{Schema: schema, Examples: examples}
		return
	}
	m.Schema = eitherSchema(m.Schema, schema)
	maps.Copy(m.Examples, examples)
}

// describeHeader describes a header by its values: several are those of a list.
func describeHeader(values []string) map[string]any {
	schema := map[string]any{"type": "string"}
	if len(values) == 1 {
		return map[string]any{"schema": schema, "example": values[0]}
	}
	return map[string]any{"schema": map[string]any{"type": "array", "items": schema}, "example": values}
}

// eitherSchema returns a schema for what fits one of two.
func eitherSchema(one, other map[string]any) map[string]any {
	kinds, several := one["anyOf"].([]any)
	if !several {
		kinds = []any{one}
	}
	same := func(kind any) bool { return string(api.Encoded(kind)) == string(api.Encoded(other)) }
	if slices.ContainsFunc(kinds, same) {
		return one
	}
	return map[string]any{"anyOf": append(kinds, other)}
}

// mediaType returns the type of the body without its parameters, "" if it has none.
func mediaType(a *plan.Answer) string {
	parsed, _, _ := mime.ParseMediaType(a.Headers.Get("Content-Type"))
	return parsed
}

// isJSON reports whether the body is JSON, and said to be.
func isJSON(a *plan.Answer) bool {
	return strings.HasSuffix(mediaType(a), "json") && json.Valid(a.Body)
}

func bodySchema(a *plan.Answer) map[string]any {
	if isJSON(a) {
		return fixtures.JSONSchema(a.Body)
	}
	return map[string]any{"type": "string"}
}

// exampleOf returns the body as an example has it.
func exampleOf(a *plan.Answer) any {
	if isJSON(a) {
		return map[string]any{"value": json.RawMessage(a.Body)}
	}
	return map[string]any{"value": string(a.Body)}
}

// listExamples returns lists of the gallery as the service answers them, with two
// campaigns at most.
func listExamples(p *plan.Snapshot) map[string]any {
	examples := make(map[string]any)
	gallery, err := fixtures.LoadFS(fixtures.Gallery())
	if err != nil {
		panic(err) // it is part of the program
	}
	for _, token := range []string{"demo", "many", "empty"} {
		const few = 2
		first, _ := firstOf(gallery.Users[token], few)
		if body, err := p.Shape.AppendJSON(nil, token, first); err == nil { // as it is for all that has been checked
			examples[token] = map[string]any{"value": json.RawMessage(body)}
		}
	}
	return examples
}
