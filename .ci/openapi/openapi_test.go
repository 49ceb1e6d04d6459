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

const (
	documentPath  = "/_fake/api.json"
	campaignsPath = "/user/campaigns"
)

// root is what stands before the paths of the control plane.
func root(srv *fake.Server) string { return strings.TrimSuffix(srv.BaseURL(), srv.Service().BasePath) }

// against are the tokens of the gallery that are there to break what is documented.
var against = []string{"edge-cases", "edge-dates", "edge-types", "bad-json", "not-json", "maintenance"}

// broken are those whose answers do not come, or not as a whole.
var broken = []string{"truncated", "reset", "hang", "stall"}

// services are settings that the document has to describe.
func services() map[string]fake.Service {
	return map[string]fake.Service{
		"as it is assumed": {},
		"another one": {
			BasePath: "/shop/v2", IDs: "cmp_########", Timestamps: "rfc3339_millis", Statuses: []string{"live", "gone"},
			Success: fake.Response{Status: 203, Headers: http.Header{"Content-Type": {"application/vnd.campaigns+json"}}},
			Responses: fake.Responses{
				MissingToken:     fake.Response{Body: "no token"},
				InvalidToken:     fake.Response{Status: 400, Body: map[string]any{"errors": []any{map[string]any{"code": 1}}}},
				NotFound:         fake.Response{Headers: http.Header{"Content-Type": {"text/html"}}, Body: "<h1>No</h1>"},
				MethodNotAllowed: fake.Response{Status: 304},
			},
		},
	}
}

// An answer is what a request was answered.
type answer struct {
	status int
	kind   string // the Content-Type
	body   []byte
}

// ask asks for the campaigns of a token.
func ask(client *http.Client, srv *fake.Server, token string) (a answer, err error) {
	request, err := http.NewRequest("GET", srv.BaseURL()+campaignsPath, nil)
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
	Servers   []struct{ URL string }
	Paths     map[string]map[string]operation
	compiler  *jsonschema.Compiler
	path      string
	responses map[string]response
}

type operation struct{ Responses map[string]response }

type response struct{ Content map[string]json.RawMessage }

// describe reads the document of a server.
func describe(t *testing.T, srv *fake.Server) *document {
	t.Helper()
	response, err := srv.Client().Get(root(srv) + documentPath)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	d := &document{compiler: jsonschema.NewCompiler()}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err == nil {
		err = json.Unmarshal(text, d)
	}
	if err == nil {
		d.compiler.AssertFormat()
		err = d.compiler.AddResource("api.json", value)
	}
	if err != nil {
		t.Fatal(err)
	}
	for path := range d.Paths {
		d.path, d.responses = path, d.Paths[path]["get"].Responses
	}
	if base := strings.TrimSuffix(d.Servers[0].URL, "/"); len(d.Paths) != 1 || !strings.HasSuffix(srv.BaseURL()+campaignsPath, base+d.path) {
		t.Fatalf("the document has %d paths, and %s on %s", len(d.Paths), d.path, base)
	}
	return d
}

// check returns what is wrong with an answer by the document.
func (d *document) check(a answer) error {
	code := strconv.Itoa(a.status)
	for _, code = range []string{code, code[:1] + "XX", "default"} {
		if _, found := d.responses[code]; found {
			break
		}
	}
	kind, _, _ := strings.Cut(a.kind, ";")
	content := d.responses[code].Content
	if len(content) == 0 && len(a.body) == 0 {
		return nil
	}
	names := []string{a.kind, kind}
	at := slices.IndexFunc(names, func(name string) bool { return content[name] != nil })
	if at < 0 {
		return fmt.Errorf("there is no %s", a.kind)
	}
	pointer := strings.NewReplacer("~", "~0", "/", "~1")
	schema, err := d.compiler.Compile(fmt.Sprintf("api.json#/paths/%s/get/responses/%s/content/%s/schema", pointer.Replace(d.path), code, pointer.Replace(names[at])))
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
	for name, service := range services() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				srv := fake.NewTestServer(t, fake.WithInMemory(), fake.WithLenient(), fake.WithLogger(nil), fake.WithFixtures(fake.Gallery()), fake.WithService(service))
				d := describe(t, srv)
				impatient := srv.Client()
				impatient.Timeout = time.Minute
				for _, token := range append([]string{"", "nobody"}, set.Tokens()...) {
					for range requests(set.Users[token]) {
						a, err := ask(impatient, srv, token)
						if isBroken := slices.Contains(broken, token); isBroken || err != nil {
							if !isBroken || err == nil {
								t.Errorf("%s is answered with the error %v", token, err)
							}
							continue
						}
						if err, isAgainst := d.check(a), slices.Contains(against, token); isAgainst != (err != nil) {
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
