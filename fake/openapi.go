package fake

import (
	"bytes"
	"cmp"
	_ "embed"
	"encoding/json"
	"maps"
	"net/http"

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
func getOpenAPI(c *call) {
	if !c.parameters().refused {
		c.json(newOpenAPI())
	}
}

// getSchema answers with the JSON Schema of fixtures. It has no $id, so that the URL from
// which it was read is its name.
func getSchema(c *call) {
	if !c.parameters().refused {
		c.send(http.StatusOK, "application/json", fixtures.Schema())
	}
}

func newOpenAPI() *openAPI {
	document := &openAPI{}
	decoder := json.NewDecoder(bytes.NewReader(openAPIText))
	decoder.UseNumber()
	if err := decoder.Decode(document); err != nil {
		panic(err) // it is part of the program
	}
	document.Info["version"] = cmp.Or(Version(), "(devel)")
	for _, item := range document.Paths {
		for _, value := range item {
			if operation, ok := value.(map[string]any); ok {
				addControlResponses(operation)
			}
		}
	}
	maps.Copy(document.Components["schemas"], fixtures.Schemas(schemasPrefix))
	return document
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
