// Package openapi holds the OpenAPI document of the service and the server to agree:
// whatever the server answers is as the document has it, and a client that is generated
// from the document compiles and runs.
package openapi

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// root is what stands before the paths of the control plane.
func root(srv *fake.Server) string { return strings.TrimSuffix(srv.BaseURL(), srv.Service().BasePath) }

// services are settings that the document has to describe.
var services = map[string]fixtures.Service{
	"as it is assumed": {},
	"another one": {
		BasePath: "/shop/v2", IDs: "cmp_########", Timestamps: "rfc3339_millis", Statuses: []string{"live", "gone"},
		Success:   fixtures.Response{Status: 203, Headers: http.Header{"Content-Type": {"application/vnd.campaigns+json"}}},
		Responses: fixtures.Responses{InvalidToken: fixtures.Response{Status: 400, Body: map[string]any{"errors": []any{map[string]any{"code": 1}}}}},
	},
}

// ask sends a request with a token, and returns the status, the type and the body of the answer.
func ask(t *testing.T, srv *fake.Server, url, token string) (status int, kind string, body any) {
	t.Helper()
	request, err := http.NewRequest("GET", url, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+token)
	response, err := srv.Client().Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	if body, err = jsonschema.UnmarshalJSON(bytes.NewReader(text)); err != nil {
		body = string(text)
	}
	return response.StatusCode, response.Header.Get("Content-Type"), body
}

// Tokens of the gallery are answered as the document has it, unless they are there to break it.
func TestAnswers(t *testing.T) {
	t.Parallel()
	for name, service := range services {
		srv := fake.NewTestServer(t, fake.WithLenient(), fake.WithLogger(nil), fake.WithFixtures(fixtures.Gallery()), fake.WithService(service))
		_, _, document := ask(t, srv, root(srv)+"/_fake/api.json", "")
		compiler := jsonschema.NewCompiler()
		compiler.AssertFormat()
		if err := compiler.AddResource("api.json", document); err != nil {
			t.Fatal(err)
		}
		for token, isDocumented := range map[string]bool{
			"demo": true, "empty": true, "many": true, "progress": true, "nobody": true, "expired": true, "forbidden": true, "flaky": true,
			"server-error": true, "edge-types": false, "not-json": false, "maintenance": false,
		} {
			status, kind, body := ask(t, srv, srv.BaseURL()+"/user/campaigns", token)
			kind, _, _ = strings.Cut(kind, ";")
			var err error
			for _, code := range []string{fmt.Sprint(status), "default"} {
				place := "api.json#/paths/~1user~1campaigns/get/responses/" + code + "/content/" + strings.ReplaceAll(kind, "/", "~1") + "/schema"
				var schema *jsonschema.Schema
				if schema, err = compiler.Compile(place); err == nil {
					err = schema.Validate(body)
					break
				}
			}
			if isAny := service.BasePath != "" && status >= 300; !isAny && isDocumented != (err == nil) { // it has responses of its own
				t.Errorf("%s: %s is answered %d %s %.300v; by the document that is wrong: %v", name, token, status, kind, body, err)
			}
		}
	}
}
