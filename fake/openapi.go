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

// openAPIText is the OpenAPI document, save what is put in when somebody asks for
// it: where the API is, what every path of the control plane can answer, and the
// schemas of users and replies, which are those of fixtures.
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

// newOpenAPI returns the document of a server whose API is at a base URL, or at a
// base path beside the control plane.
func newOpenAPI(base string) *openAPI {
	document := &openAPI{}
	decodeOwn(openAPIText, document)
	document.Info["version"] = cmp.Or(Version(), "(devel)")
	for path, item := range document.Paths {
		if path == campaignsPath {
			item["servers"] = []any{map[string]any{"url": base}}
			continue
		}
		for _, value := range item {
			if operation, ok := value.(map[string]any); ok {
				answerAsControl(operation)
			}
		}
	}
	maps.Copy(document.Components["schemas"], fixtures.Schemas("#/components/schemas/"))
	return document
}

// answerAsControl adds to an operation what is answered before its handler is
// asked.
func answerAsControl(operation map[string]any) {
	operation["tags"] = []any{"control plane"}
	responses := operation["responses"].(map[string]any)
	for status, name := range map[string]string{"403": "foreign", "405": "method", "503": "closed"} {
		if responses[status] == nil {
			responses[status] = map[string]any{"$ref": "#/components/responses/" + name}
		}
	}
}

// decodeOwn reads JSON that is part of the program.
func decodeOwn(text []byte, into any) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(into); err != nil {
		panic(err)
	}
}
