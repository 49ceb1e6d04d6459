package fake_test

import (
	"encoding/json"
	"net/http"
	"slices"
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
	listSchema     = "#/components/schemas/CampaignList/"
	operationAt    = "#/paths/~1api~1user~1campaigns/get/"
	successAt      = operationAt + "responses/200/content/application~1json/"
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
			operationAt + "parameters":                                         ``,
			"#/servers":                                                        `[{"url":"/"}]`,
			"#/security":                                                       `[{"bearer":[]}]`,
			"#/components/securitySchemes/bearer":                              `{"scheme":"bearer","type":"http"}`,
			successAt + "schema":                                               `{"$ref":"#/components/schemas/CampaignList"}`,
			listSchema + "required":                                            `["campaigns"]`,
			listSchema + "properties/campaigns":                                `{"items":{"$ref":"#/components/schemas/Campaign"},"type":"array"}`,
			campaignSchema + "required":                                        `["created_at","id","name","status","updated_at"]`,
			campaignSchema + "properties/id/type":                              `"string"`,
			campaignSchema + "properties/created_at/format":                    `"date-time"`,
			campaignSchema + "properties/status/enum":                          ``,
			campaignSchema + "properties/status/examples":                      `["draft","scheduled","active","paused","completed","archived"]`,
			operationAt + "responses/401/headers/Www-Authenticate/schema/type": `"string"`,
			operationAt + "responses/401" + problemJSON + "schema":             problemSchema,
			operationAt + "responses/404" + problemJSON + "schema":             problemSchema,
			operationAt + "responses/405/headers/Allow/example":                `"GET, HEAD"`,
			operationAt + "responses/429/headers/Retry-After/example":          `"1"`,
			operationAt + "responses/default" + problemJSON + "schema":         problemSchema,
			"#/components/schemas/Problem": `{"properties":{"detail":{"type":"string"},"status":{"type":"integer"},"title":{"type":"string"},"type":{"type":"string"}},` +
				`"required":["detail","status","title","type"],"type":"object"}`,
		}},
		"another address": {fake.Service{BasePath: "/shop/v2"}, map[string]string{
			"#/paths/~1shop~1v2~1user~1campaigns/get/operationId": `"listCampaigns"`,
			"#/paths/~1api~1user~1campaigns":                      ``,
		}},
		"a bare list of integers": {fake.Service{Success: fake.Response{Body: "{campaigns}"}, IDs: "integers", Timestamps: "sql", Statuses: []string{"live"}}, map[string]string{
			"#/components/schemas/CampaignList":             `{"items":{"$ref":"#/components/schemas/Campaign"},"type":"array"}`,
			campaignSchema + "properties/id":                `{"examples":[1],"type":"integer"}`,
			campaignSchema + "properties/updated_at/type":   `"string"`,
			campaignSchema + "properties/updated_at/format": ``,
			campaignSchema + "properties/status/examples":   `["live"]`,
			successAt + "examples/empty/value":              `[]`,
		}},
		"fields": {fake.Service{
			Success:    fake.Response{Body: json.RawMessage(`{"data":{"campaigns":"{campaigns}"},"next":null,"total":"{count}"}`)},
			Timestamps: "unix",
			Campaign: json.RawMessage(`{"id":"{id}","at":{"created":"{created_at}"},"budget":{"$fake":"{price:1,9}","$type":"number","$null":0.2},
				"owner":{"$value":{"id":7},"$null":0.5},"note":{"$fake":"{word}","$absent":0.5},"mail":{"$fake":"{email}"},"kind":{"$fake":"{randomstring:[a,b]}","$null":0.1},
				"link":"/campaigns/{id}","gone":null,"tags":["a",1.5,"b",null],"none":[]}`),
		}, map[string]string{
			listSchema + "required":                                  `["data","next","total"]`,
			listSchema + "properties/data/properties/campaigns/type": `"array"`,
			listSchema + "properties/next":                           `{}`,
			listSchema + "properties/total":                          `{"type":"integer"}`,
			campaignSchema + "required":                              `["at","budget","gone","id","kind","link","mail","none","owner","tags"]`,
			campaignSchema + "properties/at/properties/created/type": `"integer"`,
			campaignSchema + "properties/mail":                       `{"format":"email","type":"string"}`,
			campaignSchema + "properties/kind":                       `{"enum":["a","b",null],"type":["string","null"]}`,
			campaignSchema + "properties/link":                       `{"type":"string"}`,
			campaignSchema + "properties/budget":                     `{"type":["number","null"]}`,
			campaignSchema + "properties/owner":                      `{"properties":{"id":{"type":"integer"}},"required":["id"],"type":["object","null"]}`,
			campaignSchema + "properties/note":                       `{"type":"string"}`,
			campaignSchema + "properties/gone":                       `{}`,
			campaignSchema + "properties/tags/items":                 `{"anyOf":[{"type":"string"},{"type":"number"},{"type":"null"}]}`,
			campaignSchema + "properties/none/items":                 `{}`,
		}},
		"answers of its own": {fake.Service{
			Success: fake.Response{Status: 203, Headers: http.Header{"Content-Type": {"application/vnd.campaigns+json"}, "X-Page": {"1"}, "x-list": {"b", "a"}}},
			Responses: fake.Responses{
				MethodNotAllowed: fake.Response{Status: 204},
				MissingToken:     fake.Response{Status: 403, Headers: http.Header{}, Body: "<no>"},
				InvalidToken:     fake.Response{Status: 403, Body: map[string]any{"code": 7}, Headers: http.Header{"X-Why": {"token"}}},
				NotFound:         fake.Response{Status: 403, Body: map[string]any{"error": "none"}},
				RateLimited:      fake.Response{Body: `["slow"]`, Headers: http.Header{"Content-Type": {"application/json"}}},
			},
		}, map[string]string{
			operationAt + "responses/200": ``,
			operationAt + "responses/401": ``,
			operationAt + "responses/203/content/application~1vnd.campaigns+json/schema":     `{"$ref":"#/components/schemas/CampaignList"}`,
			operationAt + "responses/203/headers/X-Page/example":                             `"1"`,
			operationAt + "responses/203/headers/X-List":                                     `{"example":["b","a"],"schema":{"items":{"type":"string"},"type":"array"}}`,
			operationAt + "responses/204/headers/Allow/example":                              `"GET, HEAD"`,
			operationAt + "responses/204/content":                                            ``,
			operationAt + "responses/403/description":                                        `"There is no bearer token. No user has the token. The service does not have the path."`,
			operationAt + "responses/403/headers/X-Why/example":                              `"token"`,
			operationAt + "responses/403/content/text~1plain/schema":                         `{"type":"string"}`,
			operationAt + "responses/403/content/text~1plain/examples/missing_token/value":   `"<no>"`,
			operationAt + "responses/403/content/application~1json/examples/not_found/value": `{"error":"none"}`,
			operationAt + "responses/403/content/application~1json/schema": `{"anyOf":[{"properties":{"code":{"type":"integer"}},"required":["code"],"type":"object"},` +
				`{"properties":{"error":{"type":"string"}},"required":["error"],"type":"object"}]}`,
			operationAt + "responses/429/content": `{"application/json":{"examples":{"rate_limited":{"value":["slow"]}},"schema":{"items":{"type":"string"},"type":"array"}}}`,
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
			root, _ := find("#/components")
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

// The format of dates is said where every layout has it.
func TestAPISaysDateTime(t *testing.T) {
	t.Parallel()
	for layout, want := range map[string]bool{
		"rfc3339_millis": true, "rfc3339_micros": true, "2006-01-02T15:04:05.999Z": true, "2006-01-02T15:04:05-07:00": true,
		"2006-01-02": false, "2006-1-2T15:04:05Z": false, "2006-01-02T3:04:05Z": false, "2006-01-02T15:04:05": false, "2006-01-02T15:04:05,000Z": false,
	} {
		find := api(t, fake.NewTestServer(t, fake.WithService(fake.Service{Timestamps: layout})))
		if _, got := find(campaignSchema + "properties/created_at/format"); got != want {
			t.Errorf("that %s is date-time is %v, want %v", layout, got, want)
		}
	}
}

// The examples are what is answered.
func TestAPIHasExamples(t *testing.T) {
	t.Parallel()
	const listed = 2
	srv := fake.NewTestServer(t, fake.WithFixtures(fake.Gallery()), fake.WithService(fake.Service{
		Success:   fake.Response{Body: map[string]any{"campaigns": "{campaigns}", "fixed": 8}},
		Responses: fake.Responses{MissingToken: fake.Response{Body: map[string]any{"message": "no token"}}},
	}))
	find := api(t, srv)
	for _, token := range []string{"demo", "many", "empty"} {
		_, answer := ask(t, srv, "GET", "/api/user/campaigns", http.Header{"Authorization": {"Bearer " + token}})
		var list map[string]any
		if err := json.Unmarshal([]byte(answer), &list); err != nil {
			t.Fatal(err)
		}
		campaigns := list["campaigns"].([]any)
		list["campaigns"] = campaigns[:min(len(campaigns), listed)]
		want, _ := json.Marshal(list)
		value, _ := find(successAt + "examples/" + token + "/value")
		if got, _ := json.Marshal(value); string(got) != string(want) {
			t.Errorf("the example %s is\n%s, want\n%s", token, got, want)
		}
	}
	_, answer := ask(t, srv, "GET", "/api/user/campaigns", nil)
	value, _ := find(operationAt + "responses/401/content/application~1json/examples/missing_token/value")
	if got, _ := json.Marshal(value); string(got) != strings.TrimSpace(answer) {
		t.Errorf("the example of an answer without a token is %s, want %s", got, answer)
	}
}

// The document is that of the settings in force, however they came to be.
func TestAPIChangesWithTheSettings(t *testing.T) {
	t.Parallel()
	around := func(envelope string) fake.Service {
		return fake.Service{Success: fake.Response{Body: map[string]any{envelope: "{campaigns}"}}}
	}
	loaded := fake.Service{}
	srv := fake.NewTestServer(t, fake.WithLoader(func() (*fake.Set, error) {
		return &fake.Set{Service: loaded}, nil
	}))
	check := func(after, want string) {
		t.Helper()
		required, _ := api(t, srv)(listSchema + "required")
		if got, _ := json.Marshal(required); string(got) != `["`+want+`"]` {
			t.Errorf("after %s the list is in %s, want %s", after, got, want)
		}
	}
	check("the start", "campaigns")
	loaded = around("loaded")
	if err := srv.Reload(); err != nil {
		t.Fatal(err)
	}
	check("a reload", "loaded")
}

// Tools show the first example.
func TestAPIExamplesAreInOrder(t *testing.T) {
	t.Parallel()
	_, text := steer(t, fake.NewTestServer(t), "GET", "api.json", "")
	var at []int
	for _, name := range []string{`"examples":{"demo":`, `"empty":{`, `"many":{`} {
		at = append(at, strings.Index(text, name))
	}
	if at[0] < 0 || !slices.IsSorted(at) {
		t.Errorf("the examples are at %v of %s", at, text)
	}
}
