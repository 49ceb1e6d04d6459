package fake_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"example.com/campaignfake/fake"
)

// api returns what finds the values of the document of the service by their references.
func api(t *testing.T, srv *fake.Server) func(reference string) (value any, found bool) {
	t.Helper()
	described(t, srv, "api.json")
	_, text := steer(t, srv, "GET", "api.json", "")
	var document map[string]any
	if err := json.Unmarshal([]byte(text), &document); err != nil {
		t.Fatal(err)
	}
	return finder(document)
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
		service fake.Service
		want    map[string]string // JSON by references; "" for what is not there
	}{
		"defaults": {fake.Service{}, map[string]string{
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
		"another address": {fake.Service{BasePath: "/shop/v2"}, map[string]string{"#/servers": `[{"url":"/shop/v2"}]`}},
		"other dates":     {fake.Service{Timestamps: "sql"}, map[string]string{campaignSchema + "properties/updated_at": `{"type":"string"}`}},
		"no base path":    {fake.Service{BasePath: "/"}, map[string]string{"#/servers": `[{"url":"/"}]`}},
		"other fields": {fake.Service{Omit: []string{"updated_at"}, Extra: map[string]any{"budget": 1200, "status": nil}}, map[string]string{
			campaignSchema + "required":          `["id","name","created_at","status"]`,
			campaignSchema + "properties/budget": `{}`,
			campaignSchema + "properties/status": `{}`,
			campaignSchema + "properties/name":   `{"type":"string"}`,
		}},
		"answers of its own": {fake.Service{
			Success: fake.Response{Status: 203, Headers: http.Header{"Content-Type": {"application/vnd.campaigns+json"}}},
			Responses: fake.Responses{
				MethodNotAllowed: fake.Response{Status: 204},
				MissingToken:     fake.Response{Status: 403, Headers: http.Header{}, Body: "<no>"},
				InvalidToken:     fake.Response{Status: 403, Body: map[string]any{"code": 7}},
				NotFound:         fake.Response{Status: 403},
				RateLimited:      fake.Response{Body: `["slow"]`, Headers: http.Header{"Content-Type": {"application/json"}}},
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
			find := api(t, fake.NewTestServer(t, fake.WithService(tt.service)))
			for reference, want := range tt.want {
				value, found := find(reference)
				got := ""
				if found {
					var text strings.Builder
					encoder := json.NewEncoder(&text)
					encoder.SetEscapeHTML(false)
					encoder.Encode(value)
					got = strings.TrimSpace(text.String())
				}
				if got != want {
					t.Errorf("%s is\n%s, want\n%s", reference, got, want)
				}
			}
			root, _ := find("#/paths")
			walk(root, "", func(at, key string, value any) {
				if reference, isText := value.(string); key == "$ref" && isText {
					if _, found := find(reference); !found {
						t.Errorf("%s refers to %s, which is not there", at, reference)
					}
				}
			})
		})
	}
}
