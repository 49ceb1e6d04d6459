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
func root(srv *fake.Server) string {
	return strings.TrimSuffix(srv.BaseURL(), srv.Service().BasePath)
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
	body, err = jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		body = string(text)
	}
	return response.StatusCode, response.Header.Get("Content-Type"), body
}

// Tokens of the gallery are answered as the document has it, unless they are there to break it.
func TestAnswers(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		service    fixtures.Service
		documented []string
		broken     []string
	}{
		"as it is assumed": {
			documented: []string{
				"demo", "empty", "many", "nobody", "expired", "forbidden", "flaky", "server-error",
			},
			broken: []string{"edge-types", "not-json", "maintenance"},
		},
		"another one": {
			service: fixtures.Service{
				BasePath:   "/shop/v2",
				IDs:        "cmp_########",
				Timestamps: "rfc3339_millis",
				Statuses:   []string{"live", "gone"},
				Success: fixtures.Response{
					Status:  203,
					Headers: http.Header{"Content-Type": {"application/vnd.campaigns+json"}},
				},
			},
			documented: []string{"many", "nobody", "flaky"},
			broken:     []string{"edge-types"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			srv := fake.NewTestServer(t,
				fake.WithLenient(),
				fake.WithLogger(nil),
				fake.WithFixtures(fixtures.Gallery()),
				fake.WithService(tt.service))
			_, _, document := ask(t, srv, root(srv)+"/_fake/api.json", "")
			compiler := jsonschema.NewCompiler()
			compiler.AssertFormat()
			if err := compiler.AddResource("api.json", document); err != nil {
				t.Fatal(err)
			}
			for _, token := range tt.documented {
				if err := validate(t, srv, compiler, token); err != nil {
					t.Errorf("%s is not answered as the document has it: %v", token, err)
				}
			}
			for _, token := range tt.broken {
				if validate(t, srv, compiler, token) == nil {
					t.Errorf("%s is answered as the document has it, though it breaks it", token)
				}
			}
		})
	}
}

// validate asks for the campaigns of a token, and returns how the answer is not as the document of
// a compiler has it.
func validate(t *testing.T, srv *fake.Server, compiler *jsonschema.Compiler, token string) error {
	t.Helper()
	const responses = "api.json#/paths/~1user~1campaigns/get/responses/"
	status, contentType, body := ask(t, srv, srv.BaseURL()+"/user/campaigns", token)
	kind, _, _ := strings.Cut(contentType, ";")
	content := "/content/" + strings.ReplaceAll(kind, "/", "~1") + "/schema"
	for _, code := range []string{fmt.Sprint(status), "default"} {
		if schema, err := compiler.Compile(responses + code + content); err == nil {
			return schema.Validate(body)
		}
	}
	return fmt.Errorf("it has no answer %d with %s, which is %.300v", status, kind, body)
}
