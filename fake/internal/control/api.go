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
	"example.com/campaignfake/fixtures/protocol"
)

// apiText is the OpenAPI document of the service with the default settings.
//
//go:embed api.json
var apiText []byte

// getAPI answers with the OpenAPI document of the service.
func getAPI(c *call, _ nothing) error {
	return c.send(http.StatusOK, "application/json", OpenAPI(c.engine.InForce()))
}

// OpenAPI returns the OpenAPI document of the service, for programmers of its clients. It describes
// the answers under the settings in force, and leaves out replies and faults.
func OpenAPI(inForce *plan.Snapshot) []byte { return encoded(apiDocument(inForce)) }

func apiDocument(p *plan.Snapshot) object {
	var document object
	if err := json.Unmarshal(apiText, &document); err != nil {
		panic(err) // cannot happen: the text is part of the program
	}
	server := object{"url": cmp.Or(p.BasePath, "/")}
	document["servers"] = []any{server}
	campaign := objectAt(document, "components", "schemas", "Campaign")
	describeCampaigns(campaign, p.Service)
	answers := objectAt(document, "paths", protocol.CampaignsPath, "get", "responses")
	describeAnswers(answers, p)
	return document
}

// objectAt follows keys from object to object, and returns the object under the last key.
func objectAt(document object, keys ...string) object {
	for _, key := range keys {
		document = document[key].(object)
	}
	return document
}

// describeCampaigns adapts the schema of a campaign to the settings. A field in Omit is no longer
// required. With an RFC 3339 format in Timestamps, created_at and updated_at get the format
// date-time. Each field of Extra is added without a type, because a further field can have any
// type, even if it replaces a documented field.
func describeCampaigns(schema object, service *fixtures.Service) {
	isOmitted := func(name any) bool { return slices.Contains(service.Omit, name.(string)) }
	schema["required"] = slices.DeleteFunc(schema["required"].([]any), isOmitted)
	if strings.HasPrefix(service.Timestamps, "rfc3339") {
		objectAt(schema, "properties", "created_at")["format"] = "date-time"
		objectAt(schema, "properties", "updated_at")["format"] = "date-time"
	}
	fields := objectAt(schema, "properties")
	for name := range service.Extra {
		fields[name] = object{}
	}
}

// describeAnswers writes the status and the media type of the list of campaigns into the answers of
// the document. If the settings change Responses, which has the answers to all other requests,
// describeAnswers removes the documented refusals. The document then allows any other answer.
func describeAnswers(answers object, p *plan.Snapshot) {
	success := objectAt(answers, "200")
	delete(answers, "200")
	if !reflect.DeepEqual(p.Service.Responses, fixtures.DefaultService().Responses) {
		clear(answers)
		answers["default"] = object{
			"description": "Another answer, as the settings have it.",
			"content":     object{anyMediaType: object{}},
		}
	}
	list := objectAt(success, "content", "application/json")
	success["content"] = object{mediaTypeOf(p.Success.Headers): list}
	answers[strconv.Itoa(p.Success.Status)] = success
}

// anyMediaType stands in OpenAPI for every media type.
const anyMediaType = "*/*"

// mediaTypeOf returns the media type in the headers of an answer, without parameters such as
// charset. It returns */*, any type, if the settings leave the type out, or have a malformed type,
// as some services send.
func mediaTypeOf(headers http.Header) string {
	mediaType, _, _ := mime.ParseMediaType(headers.Get("Content-Type")) // "" if malformed
	if !strings.Contains(mediaType, "/") {
		return anyMediaType
	}
	return mediaType
}

// getSchema answers with the JSON Schema of fixtures. The schema does not name itself: it has no
// $id. So for a program, the name of the schema is the URL from which the program has read it.
func getSchema(c *call, _ nothing) error {
	return c.send(http.StatusOK, "application/json", fixtures.Schema())
}
