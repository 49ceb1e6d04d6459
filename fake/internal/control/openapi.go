package control

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"

	"example.com/campaignfake/fake/internal/api"
	"example.com/campaignfake/fake/internal/words"
	"example.com/campaignfake/fixtures"
)

// openAPIText is the OpenAPI document of the control plane, except what newOpenAPI adds:
// the answers that all paths share, and the schemas of package fixtures.
//
//go:embed openapi.json
var openAPIText []byte

// An openAPI is an OpenAPI document.
type openAPI struct {
	OpenAPI    string                    `json:"openapi"`
	Info       map[string]any            `json:"info"`
	Servers    []any                     `json:"servers"`
	Security   []any                     `json:"security"`
	Tags       []any                     `json:"tags"`
	Paths      map[string]map[string]any `json:"paths"`
	Components map[string]map[string]any `json:"components"`
}

// getOpenAPI answers with the description of the control plane.
func getOpenAPI(c *call) error { return c.json(newOpenAPI()) }

// getSchema answers with the JSON Schema of fixtures. It has no $id, so that the URL from
// which it was read is its name.
func getSchema(c *call) error {
	return c.send(http.StatusOK, "application/json", fixtures.Schema())
}

func newOpenAPI() *openAPI {
	document := &openAPI{}
	if err := json.Unmarshal(openAPIText, document); err != nil {
		panic(err) // it is part of the program
	}
	document.Info["version"] = cmp.Or(words.Version(), "(devel)")
	for _, item := range document.Paths {
		for _, value := range item {
			if operation, ok := value.(map[string]any); ok {
				addControlResponses(operation)
			}
		}
	}
	ofFixtures := fixtures.Schemas(schemasPrefix)
	defaultsInWords(ofFixtures)
	maps.Copy(document.Components["schemas"], ofFixtures)
	return document
}

// defaultsInWords moves defaults of schemas into their descriptions: generators of types
// take a property that has a default for one that is always there, also in what is sent.
func defaultsInWords(schema any) {
	switch schema := schema.(type) {
	case map[string]any:
		if standard, has := schema["default"]; has && schema["description"] != nil {
			delete(schema, "default")
			schema["description"] = fmt.Sprintf("%s The default is %s.", schema["description"], api.Encoded(standard))
		}
		for _, inner := range schema {
			defaultsInWords(inner)
		}
	case []any:
		for _, inner := range schema {
			defaultsInWords(inner)
		}
	}
}

// addControlResponses adds the answers that are given before an operation's handler is
// called.
func addControlResponses(operation map[string]any) {
	operation["tags"] = []any{"control plane"}
	responses := operation["responses"].(map[string]any)
	for status, name := range map[string]string{"403": "foreign", "405": "method", "503": "closed"} {
		if responses[status] == nil {
			responses[status] = map[string]any{"$ref": "#/components/responses/" + name}
		}
	}
}
