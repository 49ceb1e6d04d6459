package fake_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"example.com/campaignfake/fake"
)

// described checks a document that a server serves.
func described(t *testing.T, srv *fake.Server, name string) {
	t.Helper()
	var d struct {
		OpenAPI string
		Info    struct{ Title, Version string }
	}
	status, text := steer(t, srv, "GET", name, "")
	if err := json.Unmarshal([]byte(text), &d); err != nil || status != 200 {
		t.Fatalf("%s is answered %d %.100s: %v", name, status, text, err)
	}
	if d.OpenAPI != "3.1.0" || d.Info.Title == "" || d.Info.Version == "" {
		t.Errorf("%s is of OpenAPI %q, and describes %+v", name, d.OpenAPI, d.Info)
	}
}

// Each document is the same whenever it is asked for, and HEAD has no body.
func TestDocumentsAreAnswered(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t)
	without := fake.NewTestServer(t, fake.WithoutControl())
	for _, path := range []string{"/_fake/schema.json", "/_fake/api.json"} {
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
