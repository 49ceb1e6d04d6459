package fake_test

import (
	"encoding/json"
	"fmt"
	"maps"
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
	Servers []struct{ URL string }
	Paths   map[string]struct {
		Parameters             []openAPIParameter
		Get, Put, Post, Delete *openAPIOperation
	}
	Components struct {
		Parameters map[string]openAPIParameter
		Schemas    map[string]any
	}
}

type openAPIParameter struct {
	Ref      string `json:"$ref"`
	Name, In string
}

type openAPIOperation struct {
	OperationID string
	Parameters  []openAPIParameter
	Responses   map[string]any
}

// described returns a document that a server serves.
func described(t *testing.T, srv *fake.Server, name string) (d openAPI) {
	t.Helper()
	status, text := steer(t, srv, "GET", name, "")
	if err := json.Unmarshal([]byte(text), &d); err != nil || status != 200 {
		t.Fatalf("%s is answered %d %.100s: %v", name, status, text, err)
	}
	if d.OpenAPI != "3.1.0" || d.Info.Title == "" || d.Info.Version == "" {
		t.Errorf("%s is of OpenAPI %q, and describes %+v", name, d.OpenAPI, d.Info)
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
	srv := fake.NewTestServer(t)
	document := described(t, srv, "openapi.json")

	var missed struct{ Detail string }
	_, answer := ask(t, srv, "GET", "/_fake/nothing", nil)
	if err := json.Unmarshal([]byte(answer), &missed); err != nil {
		t.Fatal(err)
	}
	_, listed, _ := strings.Cut(strings.TrimSuffix(missed.Detail, "."), "Here there is ")
	answered := slices.DeleteFunc(strings.Split(listed, ", "), func(path string) bool { return path == "/_fake/" }) // the page is for people
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
	document := described(t, srv, "openapi.json")
	taken := regexp.MustCompile(`There is no parameter \\"nonsense\\" here; send (.*)\."`)
	for path := range document.Paths {
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

// Each document is the same whenever it is asked for, and HEAD has no body.
func TestOpenAPIIsAnswered(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t)
	without := fake.NewTestServer(t, fake.WithoutControl())
	for _, path := range []string{"/_fake/openapi.json", "/_fake/api.json"} {
		_, first := ask(t, srv, "GET", path, nil)
		for range 5 {
			response, text := ask(t, srv, "GET", path, nil)
			if got := response.Header.Get("Content-Type"); text != first || got != "application/json" || !json.Valid([]byte(text)) {
				t.Errorf("%s is another document, or not JSON but %s", path, got)
			}
		}
		response, text := ask(t, srv, "HEAD", path, nil)
		if response.StatusCode != 200 || response.Header.Get("Content-Type") != "application/json" || text != "" {
			t.Errorf("HEAD %s is answered %d, %s, %q", path, response.StatusCode, response.Header.Get("Content-Type"), text)
		}
		if response, _ := ask(t, without, "GET", path, nil); response.StatusCode != 404 {
			t.Errorf("without a control plane %s is answered %d", path, response.StatusCode)
		}
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
	find := finder(document)
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
	own, err := os.ReadFile("internal/control/openapi.json")
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

// finder returns what finds the values of a document by their references (RFC 6901).
func finder(document map[string]any) func(reference string) (value any, found bool) {
	return func(reference string) (value any, found bool) {
		value, found = document, true
		for _, key := range strings.Split(strings.TrimPrefix(reference, "#/"), "/") {
			object, _ := value.(map[string]any)
			if value, found = object[strings.ReplaceAll(key, "~1", "/")]; !found {
				return nil, false
			}
		}
		return value, true
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
