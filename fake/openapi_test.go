package fake_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// An openAPI is as much of the document as is looked at here.
type openAPI struct {
	OpenAPI string
	Info    struct{ Title, Version string }
	Servers []openAPIServer
	Paths   map[string]struct {
		Servers                []openAPIServer
		Parameters             []openAPIParameter
		Get, Put, Post, Delete *openAPIOperation
	}
	Components struct {
		Parameters map[string]openAPIParameter
		Schemas    map[string]any
	}
}

type openAPIServer struct{ URL string }

type openAPIParameter struct {
	Ref      string `json:"$ref"`
	Name, In string
}

type openAPIOperation struct {
	OperationID string
	Parameters  []openAPIParameter
	Responses   map[string]any
}

// described returns the document that a server serves.
func described(t *testing.T, srv *fake.Server) (d openAPI) {
	t.Helper()
	status, text := steer(t, srv, "GET", "openapi.json", "")
	if err := json.Unmarshal([]byte(text), &d); err != nil || status != 200 {
		t.Fatalf("openapi.json is answered %d %.100s: %v", status, text, err)
	}
	return d
}

// operations returns the operations of a path by their methods.
func (d *openAPI) operations(path string) map[string]*openAPIOperation {
	item := d.Paths[path]
	all := map[string]*openAPIOperation{"GET": item.Get, "PUT": item.Put, "POST": item.Post, "DELETE": item.Delete}
	maps.DeleteFunc(all, func(_ string, operation *openAPIOperation) bool { return operation == nil })
	return all
}

// query returns the names of the parameters that an operation has in the query.
func (d *openAPI) query(path string, operation *openAPIOperation) (names []string) {
	for _, p := range slices.Concat(d.Paths[path].Parameters, operation.Parameters) {
		if p.Ref != "" {
			p = d.Components.Parameters[strings.TrimPrefix(p.Ref, "#/components/parameters/")]
		}
		if p.In == "query" {
			names = append(names, p.Name)
		}
	}
	slices.Sort(names)
	return names
}

// The document has the paths and the methods that the server answers, and no
// others.
func TestOpenAPIHasEveryRoute(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.Lenient(), fake.WithService(fake.Service{BasePath: "/shop/v2"}))
	document := described(t, srv)

	var missed struct{ Detail string }
	_, answer := ask(t, srv, "GET", "/_fake/nothing", nil)
	if err := json.Unmarshal([]byte(answer), &missed); err != nil {
		t.Fatal(err)
	}
	_, listed, _ := strings.Cut(strings.TrimSuffix(missed.Detail, "."), "Here there is ")
	// What leads to the page is not listed.
	answered := append(strings.Split(listed, ", "), "/", "/_fake", "/user/campaigns")
	slices.Sort(answered)
	if got := slices.Sorted(maps.Keys(document.Paths)); !slices.Equal(got, answered) {
		t.Errorf("the document has the paths\n%s, and the server\n%s", got, answered)
	}
	for path := range document.Paths {
		methods := slices.Collect(maps.Keys(document.operations(path)))
		if slices.Contains(methods, "GET") {
			methods = append(methods, "HEAD")
		}
		slices.Sort(methods)
		if path == "/user/campaigns" {
			path = "/shop/v2" + path
		}
		response, _ := ask(t, srv, "BREW", path, nil)
		if got, want := strings.Join(methods, ", "), response.Header.Get("Allow"); got != want || response.StatusCode != 405 {
			t.Errorf("the document has the methods %s of %s, and the server %s", got, path, want)
		}
	}
}

// The document has the parameters that the handlers take, and no others.
func TestOpenAPIHasEveryParameter(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t)
	document := described(t, srv)
	taken := regexp.MustCompile(`There is no parameter \\"nonsense\\" here; send (.*)\."`)
	for path := range document.Paths {
		if path == "/user/campaigns" { // which ignores them
			continue
		}
		for method, operation := range document.operations(path) {
			response, answer := ask(t, srv, method, path+"?nonsense=1", nil)
			_, refuses := operation.Responses["400"]
			if refused := response.StatusCode == 400; refused != refuses {
				t.Errorf("%s %s is answered %d to a parameter that it does not have; by the document it is refused: %v", method, path, response.StatusCode, refuses)
			}
			var names []string
			if found := taken.FindStringSubmatch(answer); found != nil && found[1] != "none" {
				names = strings.Split(found[1], ", ")
			}
			slices.Sort(names)
			documented := document.query(path, operation)
			if !slices.Equal(names, documented) {
				t.Errorf("%s %s has the parameters %s in the document, and takes %s", method, path, documented, names)
			}
		}
	}
}

// The document says where the API is.
func TestOpenAPIHasTheBasePath(t *testing.T) {
	t.Parallel()
	for _, base := range []string{"/api", "/shop/v2"} {
		srv := fake.NewTestServer(t, fake.WithService(fake.Service{BasePath: base}))
		document := described(t, srv)
		if got := document.Paths["/user/campaigns"].Servers; len(got) != 1 || got[0].URL != base {
			t.Errorf("the API is at %v, want %s", got, base)
		}
		if got := document.Servers; len(got) != 1 || got[0].URL != "/" {
			t.Errorf("the control plane is at %v", got)
		}
		if document.OpenAPI != "3.1.0" || document.Info.Title == "" || document.Info.Version == "" {
			t.Errorf("the document is of OpenAPI %q, and describes %+v", document.OpenAPI, document.Info)
		}

		own := httptest.NewServer(srv.Control())
		defer own.Close()
		response, err := own.Client().Get(own.URL + "/_fake/openapi.json")
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		var elsewhere openAPI
		if err := json.NewDecoder(response.Body).Decode(&elsewhere); err != nil {
			t.Fatal(err)
		}
		if got := elsewhere.Paths["/user/campaigns"].Servers; len(got) != 1 || got[0].URL != srv.BaseURL() {
			t.Errorf("by a listener of the control plane the API is at %v, want %s", got, srv.BaseURL())
		}
	}
}

// The document is the same whenever it is asked for, and HEAD has no body.
func TestOpenAPIIsAnswered(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t)
	_, first := ask(t, srv, "GET", "/_fake/openapi.json", nil)
	for range 5 {
		response, text := ask(t, srv, "GET", "/_fake/openapi.json", nil)
		if got := response.Header.Get("Content-Type"); text != first || got != "application/json" || !json.Valid([]byte(text)) {
			t.Errorf("the document is another one, or not JSON but %s", got)
		}
	}
	response, text := ask(t, srv, "HEAD", "/_fake/openapi.json", nil)
	if response.StatusCode != 200 || response.Header.Get("Content-Type") != "application/json" || text != "" {
		t.Errorf("HEAD is answered %d, %s, %q", response.StatusCode, response.Header.Get("Content-Type"), text)
	}
	without := fake.NewTestServer(t, fake.WithoutControl())
	if response, _ := ask(t, without, "GET", "/_fake/openapi.json", nil); response.StatusCode != 404 {
		t.Errorf("without a control plane it is answered %d", response.StatusCode)
	}
}

// The document refers to nothing outside of itself, and has all that was written
// for it and nothing that only an older draft of JSON Schema knows.
func TestOpenAPIStandsAlone(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t)
	_, text := ask(t, srv, "GET", "/_fake/openapi.json", nil)
	var document map[string]any
	if err := json.Unmarshal([]byte(text), &document); err != nil {
		t.Fatal(err)
	}
	find := func(pointer string) (value any, found bool) {
		value, found = document, true
		for _, key := range strings.Split(strings.TrimPrefix(pointer, "#/"), "/") {
			object, _ := value.(map[string]any)
			if value, found = object[key]; !found {
				return nil, false
			}
		}
		return value, true
	}
	referred := make(map[string]bool)
	walk(document, "", func(at, key string, value any) {
		_, isList := value.([]any)
		switch reference, isText := value.(string); {
		case key == "$ref" && isText:
			referred[reference] = true
			if _, found := find(reference); !found || !strings.HasPrefix(reference, "#/") {
				t.Errorf("%s refers to %s, which is not there", at, reference)
			}
		case key == "definitions", key == "dependencies", key == "additionalItems", key == "$id", key == "$schema", key == "items" && isList:
			t.Errorf("%s has %s", at, key)
		}
	})
	for _, kind := range []string{"schemas", "responses", "parameters", "headers"} {
		all, _ := find("#/components/" + kind)
		for name := range all.(map[string]any) {
			if at := "#/components/" + kind + "/" + name; !referred[at] {
				t.Errorf("nothing refers to %s", at)
			}
		}
	}

	var written struct {
		Components struct{ Schemas map[string]any }
	}
	own, err := os.ReadFile("openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	var parts map[string]any
	if err := json.Unmarshal(own, &parts); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(own, &written); err != nil {
		t.Fatal(err)
	}
	if got, want := slices.Sorted(maps.Keys(document)), slices.Sorted(maps.Keys(parts)); !slices.Equal(got, want) {
		t.Errorf("the document has the parts %s, but %s were written", got, want)
	}
	var fixture struct{ Definitions map[string]any }
	if err := json.Unmarshal(fixtures.Schema(), &fixture); err != nil {
		t.Fatal(err)
	}
	for name := range written.Components.Schemas {
		if _, taken := fixture.Definitions[name]; taken {
			t.Errorf("the schema of fixtures has a definition of the name %s as well", name)
		}
	}
}

// walk visits everything in a value of JSON that has a key.
func walk(value any, at string, visit func(at, key string, value any)) {
	switch value := value.(type) {
	case map[string]any:
		for key, inner := range value {
			visit(at, key, inner)
			walk(inner, at+"/"+key, visit)
		}
	case []any:
		for i, inner := range value {
			walk(inner, fmt.Sprintf("%s/%d", at, i), visit)
		}
	}
}
