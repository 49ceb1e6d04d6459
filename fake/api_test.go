package fake_test

import (
	"encoding/json"
	"net/http"
	"path"
	"regexp"
	"strings"
	"testing"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// A document describes a service as OpenAPI does.
type document map[string]any

// api returns the document of the service, and its text.
func api(t *testing.T, srv *fake.Server) (d document, text string) {
	t.Helper()
	status, text := steer(t, srv, "GET", "api.json", "")
	if err := json.Unmarshal([]byte(text), &d); err != nil || status != 200 {
		t.Fatalf("the document is answered %d %.100s: %v", status, text, err)
	}
	for reference, want := range map[string]string{"#/openapi": `"3.1.0"`, "#/info/title": `"?*"`, "#/info/version": `"?*"`} {
		if matches, _ := path.Match(want, d.find(reference)); !matches {
			t.Errorf("%s is %s, want %s", reference, d.find(reference), want)
		}
	}
	return d, text
}

// find returns the value at a reference (RFC 6901), in JSON; "" if there is none.
func (d document) find(reference string) string {
	value, found := any(map[string]any(d)), true
	for key := range strings.SplitSeq(strings.TrimPrefix(reference, "#/"), "/") {
		object, _ := value.(map[string]any)
		if value, found = object[strings.ReplaceAll(key, "~1", "/")]; !found {
			return ""
		}
	}
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.Encode(value)
	return strings.TrimSpace(text.String())
}

const (
	campaignSchema = "#/components/schemas/Campaign/"
	operationAt    = "#/paths/~1user~1campaigns/get/"
	problemJSON    = "/content/application~1problem+json/"
	problemSchema  = `{"$ref":"#/components/schemas/Problem"}`
)

// The document has what the settings say about every answer.
func TestAPIFollowsTheSettings(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		service fixtures.Service
		want    map[string]string // JSON by references; "" for what is not there
	}{
		"defaults": {fixtures.Service{}, map[string]string{
			"#/servers":                           `[{"url":"/api"}]`,
			"#/security":                          `[{"bearer":[]}]`,
			"#/components/securitySchemes/bearer": `{"scheme":"bearer","type":"http"}`,
			operationAt + "operationId":           `"listCampaigns"`,
			operationAt + "responses/200/content/application~1json/schema": `{"$ref":"#/components/schemas/CampaignList"}`,
			"#/components/schemas/CampaignList/required":                   `["campaigns"]`,
			campaignSchema + "required":                                    `["id","name","created_at","updated_at","status"]`,
			campaignSchema + "properties/id":                               `{"type":"string"}`,
			campaignSchema + "properties/updated_at":                       `{"format":"date-time","type":"string"}`,
			operationAt + "responses/401/description":                      `"There is no bearer token, or no user has it."`,
			operationAt + "responses/401" + problemJSON + "schema":         problemSchema,
			operationAt + "responses/404" + problemJSON + "schema":         problemSchema,
			operationAt + "responses/405/headers/Allow/schema/type":        `"string"`,
			operationAt + "responses/429/headers/Retry-After/schema/type":  `"string"`,
			operationAt + "responses/default" + problemJSON + "schema":     problemSchema,
			"#/components/schemas/Problem/required":                        `["type","title","status","detail"]`,
		}},
		"another address": {fixtures.Service{BasePath: "/shop/v2"}, map[string]string{"#/servers": `[{"url":"/shop/v2"}]`}},
		"other dates":     {fixtures.Service{Timestamps: "sql"}, map[string]string{campaignSchema + "properties/updated_at": `{"type":"string"}`}},
		"no base path":    {fixtures.Service{BasePath: "/"}, map[string]string{"#/servers": `[{"url":"/"}]`}},
		"other fields": {fixtures.Service{Omit: []string{"updated_at"}, Extra: map[string]any{"budget": 1200, "status": nil}}, map[string]string{
			campaignSchema + "required":          `["id","name","created_at","status"]`,
			campaignSchema + "properties/budget": `{}`,
			campaignSchema + "properties/status": `{}`,
			campaignSchema + "properties/name":   `{"type":"string"}`,
		}},
		"answers of its own": {fixtures.Service{
			Success: fixtures.Response{Status: 203, Headers: http.Header{"Content-Type": {"application/vnd.campaigns+json"}}},
			Responses: fixtures.Responses{
				MethodNotAllowed: fixtures.Response{Status: 204},
				MissingToken:     fixtures.Response{Status: 403, Headers: http.Header{}, Body: "<no>"},
				InvalidToken:     fixtures.Response{Status: 403, Body: map[string]any{"code": 7}},
				NotFound:         fixtures.Response{Status: 403},
				RateLimited:      fixtures.Response{Body: `["slow"]`, Headers: http.Header{"Content-Type": {"application/json"}}},
			},
		}, map[string]string{
			operationAt + "responses/200": ``,
			operationAt + "responses/401": ``,
			operationAt + "responses/203/content/application~1vnd.campaigns+json/schema": `{"$ref":"#/components/schemas/CampaignList"}`,
			operationAt + "responses/default/content":                                    `{"*/*":{}}`,
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, text := api(t, fake.NewTestServer(t, fake.WithService(tt.service)))
			for reference, want := range tt.want {
				if got := d.find(reference); got != want {
					t.Errorf("%s is\n%s, want\n%s", reference, got, want)
				}
			}
			for _, reference := range regexp.MustCompile(`"\$ref": *"([^"]*)"`).FindAllStringSubmatch(text, -1) {
				if d.find(reference[1]) == "" {
					t.Errorf("there is no %s", reference[1])
				}
			}
		})
	}
}

// Each document is the same whenever it is asked for, and HEAD has no body.
func TestDocumentsAreAnswered(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t)
	without := fake.NewTestServer(t, fake.WithoutControl())
	for _, path := range []string{"/_fake/schema.json", "/_fake/api.json"} {
		_, first := ask(t, srv, "GET", path, nil)
		for range 5 {
			response, text := ask(t, srv, "GET", path, nil)
			if got := response.Header.Get("Content-Type"); text != first || got != "application/json" || !json.Valid([]byte(text)) {
				t.Errorf("%s is another document, or not JSON but %s", path, got)
			}
		}
		response, text := ask(t, srv, "HEAD", path, nil)
		if response.StatusCode != 200 || response.Header.Get("Content-Type") != "application/json" || text != "" {
			t.Errorf("HEAD %s is answered %d, %v, %q", path, response.StatusCode, response.Header, text)
		}
		if response, _ := ask(t, without, "GET", path, nil); response.StatusCode != 404 {
			t.Errorf("without a control plane %s is answered %d", path, response.StatusCode)
		}
	}
}
