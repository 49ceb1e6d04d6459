package control

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"maps"
	"mime"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fake/internal/words"
	"example.com/campaignfake/fixtures"
)

// apiText is the OpenAPI document of the service without what depends on its settings.
//
//go:embed api.json
var apiText []byte

// An object is one of JSON.
type object = map[string]any

// getAPI answers with the OpenAPI document of the service, for clients of it: what the
// settings in force promise. What replies break is not in it.
func getAPI(c *call) error {
	p := c.plane.InForce()
	return c.json(newAPI(p, cmp.Or(p.BasePath, "/")))
}

// newAPI returns the OpenAPI document of the service at a base URL.
func newAPI(p *plan.Snapshot, server string) object {
	var document object
	if err := json.Unmarshal(apiText, &document); err != nil {
		panic(err) // it is part of the program
	}
	document["info"].(object)["version"] = cmp.Or(words.Version(), "(devel)")
	document["servers"] = []any{object{"url": server}}
	parts := document["components"].(object)
	describeCampaigns(parts["schemas"].(object)["Campaign"].(object), p.Service)

	known, used := parts["responses"].(object), make(object)
	delete(parts, "responses")
	describe := func(name, status string, a *plan.Answer, schema object) object {
		return addResponse(used, status, known[name].(object), mediaType(a), schema)
	}
	list, _ := p.Shape.AppendJSON(nil, "example", fixtures.User{Generate: &fixtures.Generate{Count: 2}}) // cannot fail
	success := describe("success", strconv.Itoa(p.Success.Status), &p.Success, reference("CampaignList"))
	success["example"] = json.RawMessage(list)
	for _, name := range []fixtures.ResponseName{"missing_token", "invalid_token", "not_found", "method_not_allowed", "rate_limited"} {
		a := p.Named(name)
		describe(string(name), strconv.Itoa(a.Status), &a, bodySchema(p, p.Service.Responses.Named(name).Body))
	}
	failed := p.NewError(fixtures.Response{Status: http.StatusInternalServerError}, true)
	describe("default", "default", &failed, bodySchema(p, nil))
	document["paths"].(object)["/user/campaigns"].(object)["get"].(object)["responses"] = used
	return document
}

// describeCampaigns says which documented fields are not always there, which format dates
// have, and which other fields there may be. What replaces a field can have any type.
func describeCampaigns(schema object, service *fixtures.Service) {
	schema["required"] = slices.DeleteFunc(schema["required"].([]any), func(name any) bool {
		return slices.Contains(service.Omit, name.(string))
	})
	fields := schema["properties"].(object)
	if strings.HasPrefix(service.Timestamps, fixtures.TimestampsRFC3339) {
		fields["created_at"].(object)["format"], fields["updated_at"].(object)["format"] = "date-time", "date-time"
	}
	for name := range service.Extra {
		fields[name] = object{}
	}
}

func reference(schema string) object { return object{"$ref": "#/components/schemas/" + schema} }

// bodySchema returns the schema of the body of an error. nil is the default body.
func bodySchema(p *plan.Snapshot, body any) object {
	if body == nil {
		body = p.Service.Responses.Default.Body
		if p.Service.Responses.Default.IsProblem() {
			return reference("Problem")
		}
	}
	if _, isText := body.(string); isText {
		return object{"type": "string"}
	}
	return object{}
}

// addResponse adds an answer to those of its status, and returns what is said about its
// body. Bodies of the same type that have other schemas can be anything.
func addResponse(used object, status string, response object, kind string, schema object) object {
	content, headers := make(object), make(object)
	if other, again := used[status].(object); again {
		response["description"] = other["description"].(string) + " " + response["description"].(string)
		content, headers = other["content"].(object), other["headers"].(object)
	}
	if own, has := response["headers"].(object); has {
		maps.Copy(headers, own)
	}
	response["content"], response["headers"], used[status] = content, headers, response
	media := object{"schema": schema}
	if kind == "" {
		return media
	}
	if other, again := content[kind].(object); again && !reflect.DeepEqual(other["schema"], schema) {
		media["schema"] = object{}
	}
	content[kind] = media
	return media
}

// mediaType returns the type of the body without its parameters, "" if there is no body.
func mediaType(a *plan.Answer) string {
	if !a.HasBody() {
		return ""
	}
	parsed, _, _ := mime.ParseMediaType(a.Headers.Get("Content-Type"))
	return strings.ToLower(parsed)
}

// getSchema answers with the JSON Schema of fixtures. It has no $id, so that the URL from
// which it was read is its name.
func getSchema(c *call) error {
	return c.send(http.StatusOK, "application/json", fixtures.Schema())
}
