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

// openAPIText is the OpenAPI document, except what newOpenAPI adds: the address of the
// API, the answers that all paths of the control plane share, and the schemas of
// package fixtures.
//
//go:embed openapi.json
var openAPIText []byte

// An openAPI is an OpenAPI document.
type openAPI struct {
	OpenAPI    string                    `json:"openapi"`
	Info       map[string]any            `json:"info"`
	Servers    []any                     `json:"servers"`
	Tags       []any                     `json:"tags"`
	Paths      map[string]map[string]any `json:"paths"`
	Components map[string]map[string]any `json:"components"`
}

// getOpenAPI answers with the description of the API and of the control plane.
func getOpenAPI(c *call) {
	if c.parameters().refused {
		return
	}
	base := c.server.state.inForce().service.BasePath
	if c.own { // the API has another address
		base = c.baseURL()
	}
	c.json(http.StatusOK, newOpenAPI(base))
}

// newOpenAPI returns the document of a server whose API has a base URL, or a base path
// if it has the same address as the control plane.
func newOpenAPI(base string) *openAPI {
	document := &openAPI{}
	mustDecode(openAPIText, document)
	document.Info["version"] = cmp.Or(Version(), "(devel)")
	for path, item := range document.Paths {
		if path == campaignsPath {
			item["servers"] = []any{map[string]any{"url": base}}
			continue
		}
		for _, value := range item {
			if operation, ok := value.(map[string]any); ok {
				addControlResponses(operation)
			}
		}
	}
	maps.Copy(document.Components["schemas"], fixtures.Schemas("#/components/schemas/"))
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

// mustDecode decodes JSON that is part of the program.
func mustDecode(text []byte, into any) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(into); err != nil {
		panic(err)
	}
}
