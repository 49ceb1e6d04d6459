// Package openapi holds the OpenAPI document of the service and the server to agree:
// whatever the server answers is as the document has it, and a client that is generated
// from the document compiles and runs.
package openapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// root is what stands before the paths of the control plane.
func root(srv *fake.Server) string { return strings.TrimSuffix(srv.BaseURL(), srv.Service().BasePath) }

// against are the tokens of the gallery that are there to break what is documented.
var against = []string{"edge-cases", "edge-dates", "edge-types", "bad-json", "not-json", "maintenance"}

// broken are those whose answers do not come, or not as a whole.
var broken = []string{"truncated", "reset", "hang", "stall"}

// services are settings that the document has to describe.
var services = map[string]fake.Service{
	"as it is assumed": {},
	"another one": {
		BasePath: "/shop/v2", IDs: "cmp_########", Timestamps: "rfc3339_millis", Statuses: []string{"live", "gone"},
		Success: fake.Response{Status: 203, Headers: http.Header{"Content-Type": {"application/vnd.campaigns+json"}}},
		Responses: fake.Responses{
			MissingToken: fake.Response{Body: "no token"},
			InvalidToken: fake.Response{Status: 400, Body: map[string]any{"errors": []any{map[string]any{"code": 1}}}},
		},
	},
}

// An answer is what a request was answered.
type answer struct {
	status int
	kind   string // the Content-Type
	body   []byte
}

// ask sends a request with a token, or without one.
func ask(client *http.Client, url, token string) (a answer, err error) {
	request, err := http.NewRequest("GET", url, nil)
	if err != nil {
		return a, err
	}
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := client.Do(request)
	if err != nil {
		return a, err
	}
	defer response.Body.Close()
	a.body, err = io.ReadAll(response.Body)
	a.status, a.kind = response.StatusCode, response.Header.Get("Content-Type")
	return a, err
}

// A document is what a server says of the service.
type document struct {
	Servers []struct{ URL string }
	Paths   map[string]map[string]struct {
		Responses map[string]struct{ Content map[string]any }
	}
	compiler *jsonschema.Compiler
}

// describe reads the document of a server.
func describe(t *testing.T, srv *fake.Server) *document {
	t.Helper()
	a, err := ask(srv.Client(), root(srv)+"/_fake/api.json", "")
	if err != nil {
		t.Fatal(err)
	}
	d := &document{compiler: jsonschema.NewCompiler()}
	d.compiler.AssertFormat()
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(a.body))
	if err == nil {
		err = json.Unmarshal(a.body, d)
	}
	if err == nil {
		err = d.compiler.AddResource("api.json", value)
	}
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(srv.BaseURL(), d.Servers[0].URL) || len(d.Paths) != 1 {
		t.Errorf("the document has %d paths, at %s, and not %s", len(d.Paths), d.Servers[0].URL, srv.BaseURL())
	}
	return d
}

// check returns what is wrong with an answer by the document.
func (d *document) check(a answer) error {
	code, responses := strconv.Itoa(a.status), d.Paths["/user/campaigns"]["get"].Responses
	if _, found := responses[code]; !found {
		code = "default"
	}
	kind, _, _ := strings.Cut(a.kind, ";")
	name := a.kind
	if responses[code].Content[name] == nil {
		name = kind
	}
	if responses[code].Content[name] == nil {
		return fmt.Errorf("there is no %s", a.kind)
	}
	schema, err := d.compiler.Compile(fmt.Sprintf("api.json#/paths/~1user~1campaigns/get/responses/%s/content/%s/schema",
		code, strings.ReplaceAll(name, "/", "~1")))
	if err != nil {
		return err
	}
	var value any = string(a.body)
	if strings.HasSuffix(kind, "json") {
		if value, err = jsonschema.UnmarshalJSON(bytes.NewReader(a.body)); err != nil {
			return err
		}
	}
	return schema.Validate(value)
}

// Every token of the gallery is answered as the document has it, as long as its story goes,
// unless it is there to break it.
func TestGallery(t *testing.T) {
	t.Parallel()
	set, err := fixtures.LoadFS(fake.Gallery())
	if err != nil {
		t.Fatal(err)
	}
	for name, service := range services {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				srv := fake.NewTestServer(t, fake.WithInMemory(), fake.WithLenient(), fake.WithLogger(nil),
					fake.WithFixtures(fake.Gallery()), fake.WithService(service))
				d := describe(t, srv)
				impatient := srv.Client()
				impatient.Timeout = time.Minute
				for _, token := range append([]string{"", "nobody"}, set.Tokens()...) {
					for range requests(set.Users[token]) {
						a, err := ask(impatient, srv.BaseURL()+"/user/campaigns", token)
						if slices.Contains(broken, token) != (err != nil) {
							t.Errorf("%s is answered with the error %v", token, err)
						} else if err != nil {
							continue
						}
						if err := d.check(a); slices.Contains(against, token) != (err != nil) {
							t.Errorf("%q is answered %d %s %.300s; by the document that is wrong: %v", token, a.status, a.kind, a.body, err)
						}
					}
				}
			})
		})
	}
}

// requests is how many it takes to meet all that a user has.
func requests(u fake.User) int {
	count := 1
	for _, reply := range u.Replies {
		count += max(reply.Times, 1)
	}
	if u.RateLimit != nil {
		count += u.RateLimit.Requests
	}
	return count
}
