package fake_test

import (
	"encoding/json"
	"net/http"
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
	if version := d.find("#/openapi"); version != `"3.1.0"` {
		t.Errorf("the document is of version %s", version)
	}
	for _, reference := range []string{"#/info/title", "#/info/version"} {
		if len(d.find(reference)) <= len(`""`) {
			t.Errorf("%s is %s, want a text", reference, d.find(reference))
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
	responsesAt    = "#/paths/~1user~1campaigns/get/responses/"
	problemSchema  = "/content/application~1problem+json/schema"
)

// The document has what the settings say about every answer.
func TestAPIFollowsTheSettings(t *testing.T) {
	t.Parallel()
	const (
		campaignList = `{"$ref":"#/components/schemas/CampaignList"}`
		problem      = `{"$ref":"#/components/schemas/Problem"}`
	)
	for name, tt := range map[string]struct {
		service fixtures.Service
		want    map[string]string // JSON by references; "" for what is not there
	}{
		"defaults": {want: map[string]string{
			"#/servers":                           `[{"url":"/api"}]`,
			"#/security":                          `[{"bearer":[]}]`,
			"#/components/securitySchemes/bearer": `{"scheme":"bearer","type":"http"}`,
			"#/paths/~1user~1campaigns/get/operationId":          `"listCampaigns"`,
			responsesAt + "200/content/application~1json/schema": campaignList,
			responsesAt +
				"401/description": `"There is no bearer token, or no user has it."`,
			responsesAt + "401" + problemSchema:                 problem,
			responsesAt + "404" + problemSchema:                 problem,
			responsesAt + "405/headers/Allow/schema/type":       `"string"`,
			responsesAt + "429/headers/Retry-After/schema/type": `"string"`,
			responsesAt + "default" + problemSchema:             problem,
			"#/components/schemas/CampaignList/required":        `["campaigns"]`,
			"#/components/schemas/Problem/required": `["type","title",` +
				`"status","detail"]`,
			campaignSchema +
				"required": `["id","name","created_at","updated_at","status"]`,
			campaignSchema + "properties/id":         `{"type":"string"}`,
			campaignSchema + "properties/created_at": `{"format":"date-time","type":"string"}`,
			campaignSchema + "properties/updated_at": `{"format":"date-time","type":"string"}`,
		}},
		"another address": {
			service: fixtures.Service{BasePath: "/shop/v2"},
			want:    map[string]string{"#/servers": `[{"url":"/shop/v2"}]`},
		},
		"no base path": {
			service: fixtures.Service{BasePath: "/"},
			want:    map[string]string{"#/servers": `[{"url":"/"}]`},
		},
		"other dates": {
			service: fixtures.Service{Timestamps: "sql"},
			want: map[string]string{
				campaignSchema + "properties/created_at": `{"type":"string"}`,
				campaignSchema + "properties/updated_at": `{"type":"string"}`,
			},
		},
		"dates with milliseconds": {
			service: fixtures.Service{Timestamps: "rfc3339_millis"},
			want: map[string]string{
				campaignSchema + "properties/updated_at": `{"format":"date-time","type":"string"}`,
			},
		},
		"other fields": {
			service: fixtures.Service{
				Omit:  []string{"updated_at"},
				Extra: map[string]any{"budget": 1200, "status": nil},
			},
			want: map[string]string{
				campaignSchema + "required":          `["id","name","created_at","status"]`,
				campaignSchema + "properties/budget": `{}`,
				campaignSchema + "properties/status": `{}`,
				campaignSchema + "properties/name":   `{"type":"string"}`,
			},
		},
		"another answer with campaigns": {
			service: fixtures.Service{Success: fixtures.Response{
				Status: 203,
				Headers: http.Header{
					"Content-Type": {"application/vnd.campaigns+json; charset=utf-8"},
				},
			}},
			want: map[string]string{
				responsesAt + "200": ``,
				responsesAt + "203/content/application~1vnd.campaigns+json/schema": campaignList,
				responsesAt + "401" + problemSchema:                                problem,
			},
		},
		"a type that is none": {
			service: typed("foo bar"),
			want: map[string]string{
				responsesAt + "200/content": `{"*/*":{"schema":` + campaignList + `}}`,
			},
		},
		"a type of one word": {
			service: typed("json"),
			want: map[string]string{
				responsesAt + "200/content": `{"*/*":{"schema":` + campaignList + `}}`,
			},
		},
		"an empty type": {
			service: typed(""),
			want: map[string]string{
				responsesAt + "200/content": `{"*/*":{"schema":` + campaignList + `}}`,
			},
		},
		"a type with half of a parameter": {
			service: typed("text/json; charset"),
			want: map[string]string{
				responsesAt + "200/content": `{"text/json":{"schema":` + campaignList + `}}`,
			},
		},
		"another refusal": {
			service: fixtures.Service{Responses: fixtures.Responses{
				NotFound: fixtures.Response{Status: 403},
			}},
			want: map[string]string{
				responsesAt + "200/content/application~1json/schema": campaignList,
				responsesAt + "401":             ``,
				responsesAt + "default/content": `{"*/*":{}}`,
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, text := api(t, fake.NewTestServer(t, fake.WithService(tt.service)))
			for reference, want := range tt.want {
				if got := d.find(reference); got != want {
					t.Errorf("%s is\n%s, want\n%s", reference, got, want)
				}
			}
			for _, reference := range referencePattern.FindAllStringSubmatch(text, -1) {
				if d.find(reference[1]) == "" {
					t.Errorf("there is no %s", reference[1])
				}
			}
		})
	}
}

// typed returns the settings of a service that sends campaigns with a Content-Type.
func typed(contentType string) fixtures.Service {
	headers := http.Header{"Content-Type": {contentType}}
	return fixtures.Service{Success: fixtures.Response{Headers: headers}}
}

// referencePattern matches a reference from one part of a document to another one.
var referencePattern = regexp.MustCompile(`"\$ref": *"([^"]*)"`)

// Each document is the same whenever it is asked for, and HEAD has no body.
func TestDocumentsAreAnswered(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t)
	without := fake.NewTestServer(t, fake.WithoutControl())
	for _, path := range []string{"/_fake/schema.json", "/_fake/api.json"} {
		_, first := ask(t, srv, "GET", path, nil)
		for range 5 {
			response, text := ask(t, srv, "GET", path, nil)
			contentType := response.Header.Get("Content-Type")
			if text != first || contentType != "application/json" || !json.Valid([]byte(text)) {
				t.Errorf("%s is another document, or not JSON but %s", path, contentType)
			}
		}
		response, text := ask(t, srv, "HEAD", path, nil)
		contentType := response.Header.Get("Content-Type")
		if response.StatusCode != 200 || contentType != "application/json" || text != "" {
			t.Errorf("HEAD %s is answered %d, %s, %q", path, response.StatusCode, contentType, text)
		}
		if response, _ := ask(t, without, "GET", path, nil); response.StatusCode != 404 {
			t.Errorf("without a control plane %s is answered %d", path, response.StatusCode)
		}
	}
}

// A server without a listener has the document, too.
func TestOpenAPIWithoutListener(t *testing.T) {
	t.Parallel()
	service := fake.WithService(fixtures.Service{BasePath: "/shop/v2"})
	srv, err := fake.New(service)
	if err != nil {
		t.Fatal(err)
	}
	_, want := api(t, fake.NewTestServer(t, service))
	if got := strings.TrimSpace(string(srv.OpenAPI())); got != want {
		t.Errorf("the document is\n%s\nwant\n%s", got, want)
	}
}
