package fake

import (
	"bytes"
	"cmp"
	_ "embed"
	"encoding/json"
	"net/http"
	"strings"

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
	if _, ok := c.parameters(); !ok {
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
	addFixtures(document.Components["schemas"])
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

// addFixtures adds the schemas of tokens, users and replies.
func addFixtures(schemas map[string]any) {
	var fixture struct {
		Properties  struct{ Users struct{ PropertyNames any } }
		Definitions map[string]any
	}
	decodeOwn(fixtures.Schema(), &fixture)
	// The schema of fixtures has this one where it stands, since it is about keys.
	fixture.Definitions["token"] = fixture.Properties.Users.PropertyNames
	a := schemaAdapter{fixture.Definitions, schemas}
	for _, name := range []string{"token", "user", "reply"} {
		a.add(name)
	}
	schemas["token"].(map[string]any)["type"] = "string"
	// The list of replies is what is enqueued as well.
	properties := schemas["user"].(map[string]any)["properties"].(map[string]any)
	schemas["replies"], properties["replies"] = properties["replies"], map[string]any{"$ref": schemaPrefix + "replies"}
}

const schemaPrefix = "#/components/schemas/"

// A schemaAdapter makes schemas of OpenAPI, which are those of draft 2020-12, of
// definitions of draft-07. What is written in the same way in both means the same.
type schemaAdapter struct {
	definitions, schemas map[string]any
}

// add adds the schema of a definition, with all that it refers to.
func (a schemaAdapter) add(name string) {
	if a.schemas[name] == nil {
		a.schemas[name] = true // while it is being adapted
		a.schemas[name] = a.schema(a.definitions[name])
	}
}

// schema adapts a schema, or a list of them. Anything else is left as it is.
func (a schemaAdapter) schema(value any) any {
	switch value := value.(type) {
	case []any:
		list := make([]any, len(value))
		for i := range value {
			list[i] = a.schema(value[i])
		}
		return list
	case map[string]any:
		schema := make(map[string]any, len(value))
		for keyword, value := range value {
			keyword, value = a.keyword(keyword, value)
			schema[keyword] = value
		}
		return schema
	}
	return value
}

// keyword adapts one keyword of a schema.
func (a schemaAdapter) keyword(keyword string, value any) (string, any) {
	_, isList := value.([]any)
	switch {
	case keyword == "$ref":
		name := strings.TrimPrefix(value.(string), "#/definitions/")
		a.add(name)
		return keyword, schemaPrefix + name
	case keyword == "items" && isList:
		return "prefixItems", a.schema(value)
	case keyword == "dependencies":
		return "dependentSchemas", a.byName(value)
	case keyword == "properties":
		return keyword, a.byName(value)
	case keyword == "const" || keyword == "default" || keyword == "enum" || keyword == "examples":
		return keyword, value
	}
	return keyword, a.schema(value)
}

// byName adapts schemas that stand under names, which are no keywords.
func (a schemaAdapter) byName(value any) any {
	schemas := make(map[string]any)
	for name, schema := range value.(map[string]any) {
		schemas[name] = a.schema(schema)
	}
	return schemas
}

// decodeOwn reads JSON that is part of the program.
func decodeOwn(text []byte, into any) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(into); err != nil {
		panic(err)
	}
}
