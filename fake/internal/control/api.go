package control

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"mime"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fixtures"
)

// apiText is the OpenAPI document of the service as it is assumed.
//
//go:embed api.json
var apiText []byte

// getAPI answers with the OpenAPI document of the service, for clients of it: what the
// settings in force promise. What replies break is not in it.
func getAPI(c *call, _ nothing) error {
	p := c.engine.InForce()
	var document object
	json.Unmarshal(apiText, &document) // it is part of the program
	document["servers"] = []any{object{"url": cmp.Or(p.BasePath, "/")}}
	describeCampaigns(document["components"].(object)["schemas"].(object)["Campaign"].(object), p.Service)
	describeAnswers(document["paths"].(object)["/user/campaigns"].(object)["get"].(object)["responses"].(object), p)
	return c.sendJSON(http.StatusOK, document)
}

// describeCampaigns says which documented fields are not always there, which format dates
// have, and which other fields there may be. What replaces a field can have any type.
func describeCampaigns(schema object, service *fixtures.Service) {
	schema["required"] = slices.DeleteFunc(schema["required"].([]any), func(name any) bool {
		return slices.Contains(service.Omit, name.(string))
	})
	fields := schema["properties"].(object)
	if strings.HasPrefix(service.Timestamps, "rfc3339") {
		fields["created_at"].(object)["format"], fields["updated_at"].(object)["format"] = "date-time", "date-time"
	}
	for name := range service.Extra {
		fields[name] = object{}
	}
}

// describeAnswers says which status and type the list of campaigns has. If settings are about
// the other answers, these can be anything.
func describeAnswers(answers object, p *plan.Snapshot) {
	success := answers["200"].(object)
	delete(answers, "200")
	if !reflect.DeepEqual(p.Service.Responses, fixtures.DefaultService().Responses) {
		clear(answers)
		answers["default"] = object{"description": "Another answer, as the settings have it.", "content": object{"*/*": object{}}}
	}
	kind, _, _ := mime.ParseMediaType(p.Success.Headers.Get("Content-Type"))
	success["content"] = object{kind: success["content"].(object)["application/json"]}
	answers[strconv.Itoa(p.Success.Status)] = success
}

// getSchema answers with the JSON Schema of fixtures. It has no $id, so that the URL from
// which it was read is its name.
func getSchema(c *call, _ nothing) error {
	return c.send(http.StatusOK, "application/json", fixtures.Schema())
}
