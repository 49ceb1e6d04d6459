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

// find returns the value at a reference (RFC 6901) as JSON, and "" for no value.
func (d document) find(reference string) string {
	value, found := any(map[string]any(d)), true
	for key := range strings.SplitSeq(strings.TrimPrefix(reference, "#/"), "/") {
		object, _ := value.(map[string]any)
		if value, found = object[strings.ReplaceAll(key, "~1", "/")]; !found {
			return ""
		}
	}
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// The document has what the settings say about every answer, and each of its references leads
// somewhere.
func TestAPIFollowsTheSettings(t *testing.T) {
	t.Parallel()
	const (
		campaign  = "#/components/schemas/Campaign/"
		responses = "#/paths/~1user~1campaigns/get/responses/"
		problemAt = "/content/application~1problem+json/schema"
		campaigns = `{"$ref":"#/components/schemas/CampaignList"}`
		problem   = `{"$ref":"#/components/schemas/Problem"}`
		date      = `{"format":"date-time","type":"string"}`
		allFields = `["id","name","created_at","updated_at","status"]`
		anyType   = `{"*/*":{"schema":` + campaigns + `}}`
	)
	for name, tt := range map[string]struct {
		service fixtures.Service
		want    map[string]string // the JSON at each reference into the document; "" for no value
	}{
		"defaults": {want: map[string]string{
			"#/openapi":  `"3.1.0"`,
			"#/servers":  `[{"url":"/api"}]`,
			"#/security": `[{"bearer":[]}]`,
			responses + "200/content/application~1json/schema": campaigns,
			responses + "401" + problemAt:                      problem,
			responses + "default" + problemAt:                  problem,
			campaign + "required":                              allFields,
			campaign + "properties/id":                         `{"type":"string"}`,
			campaign + "properties/created_at":                 date,
		}},
		"other dates, at another address": {
			service: fixtures.Service{Timestamps: "sql", BasePath: "/shop/v2"},
			want: map[string]string{
				"#/servers":                        `[{"url":"/shop/v2"}]`,
				campaign + "properties/updated_at": `{"type":"string"}`,
			},
		},
		"dates with milliseconds, without a base path": {
			service: fixtures.Service{Timestamps: "rfc3339_millis", BasePath: "/"},
			want: map[string]string{
				"#/servers":                        `[{"url":"/"}]`,
				campaign + "properties/updated_at": date,
			},
		},
		"other fields": {
			service: fixtures.Service{
				Omit:  []string{"updated_at"},
				Extra: map[string]any{"budget": 1200, "status": nil},
			},
			want: map[string]string{
				campaign + "required":          `["id","name","created_at","status"]`,
				campaign + "properties/budget": `{}`,
				campaign + "properties/status": `{}`,
			},
		},
		"another answer with campaigns": {
			service: typed(203, "application/vnd.campaigns+json; charset=utf-8"),
			want: map[string]string{
				responses + "200": ``,
				responses + "203/content/application~1vnd.campaigns+json/schema": campaigns,
			},
		},
		"a type that is none": {
			service: typed(200, "json"),
			want:    map[string]string{responses + "200/content": anyType},
		},
		"a type with half of a parameter": {
			service: typed(200, "text/json; charset"),
			want:    map[string]string{responses + "200/content/text~1json/schema": campaigns},
		},
		"another refusal": {
			service: fixtures.Service{Responses: fixtures.Responses{
				NotFound: fixtures.Response{Status: 403},
			}},
			want: map[string]string{
				responses + "401":             ``,
				responses + "default/content": `{"*/*":{}}`,
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := newHandler(t, fake.WithService(tt.service)).OpenAPI()
			var d document
			if err := json.Unmarshal(text, &d); err != nil {
				t.Fatal(err)
			}
			for reference, want := range tt.want {
				if got := d.find(reference); got != want {
					t.Errorf("%s is\n%s, want\n%s", reference, got, want)
				}
			}
			for _, reference := range referencePattern.FindAllSubmatch(text, -1) {
				if d.find(string(reference[1])) == "" {
					t.Errorf("there is no %s", reference[1])
				}
			}
		})
	}
}

// typed returns the settings of a service that sends campaigns with a status and a Content-Type.
func typed(status int, contentType string) fixtures.Service {
	return fixtures.Service{Success: fixtures.Response{
		Status:  status,
		Headers: http.Header{"Content-Type": {contentType}},
	}}
}

// referencePattern matches a reference from one part of a document to another part.
var referencePattern = regexp.MustCompile(`"\$ref": *"([^"]*)"`)

// Each document is the same for every request, and HEAD has no body.
func TestDocumentsAreAnswered(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t)
	for path, want := range map[string]string{
		"/_fake/schema.json": string(fixtures.Schema()),
		"/_fake/api.json":    string(srv.OpenAPI()),
	} {
		response, text := ask(t, srv, "GET", path, nil)
		if strings.TrimSpace(text) != strings.TrimSpace(want) ||
			response.Header.Get("Content-Type") != "application/json" {
			t.Errorf("%s is answered with %v and\n%s", path, response.Header, text)
		}
		head, text := ask(t, srv, "HEAD", path, nil)
		if head.StatusCode != 200 || text != "" {
			t.Errorf("HEAD %s is answered %d with %q", path, head.StatusCode, text)
		}
	}
}
