// Package openapi holds the OpenAPI documents and the server to agree: the documents
// are valid, and so is by them whatever is asked and answered, and the tools that a
// frontend uses can read them. It is a module of its own so that its libraries stay out
// of the main one.
package openapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"example.com/campaignfake/fake"
	"github.com/pb33f/libopenapi"
	validator "github.com/pb33f/libopenapi-validator"
	"github.com/pb33f/libopenapi-validator/config"
	"github.com/pb33f/libopenapi-validator/errors"
)

// basePath is none that the document could have by itself.
const basePath = "/shop/v2"

const (
	campaignsPath = "/user/campaigns"
	listOperation = "GET " + campaignsPath
)

// serviceDocument is the document of the service.
const serviceDocument = "api.json"

// A description is a document that a server serves.
type description struct {
	validators []validator.Validator

	// statuses has the statuses of every operation, as GET /_fake/users.
	statuses map[string][]string
}

// describe reads a document of a server.
func describe(t *testing.T, srv *fake.Server, name string) *description {
	t.Helper()
	response, err := srv.Client().Get(root(srv) + "/_fake/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	document, err := libopenapi.NewDocument(text)
	if err != nil {
		t.Fatal(err)
	}
	validate := func(options ...config.Option) validator.Validator {
		v, wrong := validator.NewValidator(document, append(options, config.WithStrictServerMatching())...)
		if len(wrong) > 0 {
			t.Fatal(wrong)
		}
		return v
	}
	d := &description{
		validators: []validator.Validator{validate(config.WithRejectUndeclaredRequestBody(), config.WithFormatAssertions())},
		statuses:   make(map[string][]string),
	}
	if _, refused := d.validators[0].ValidateDocument(); len(refused) > 0 {
		t.Errorf("%s is not one of OpenAPI 3.1: %s", name, explainAll(refused))
	}
	var paths struct {
		Paths map[string]map[string]json.RawMessage
	}
	if err := json.Unmarshal(text, &paths); err != nil {
		t.Fatal(err)
	}
	for path, item := range paths.Paths {
		for key, value := range item {
			if key == "parameters" || key == "servers" {
				continue
			}
			var operation struct{ Responses map[string]any }
			if err := json.Unmarshal(value, &operation); err != nil {
				t.Fatal(err)
			}
			d.statuses[strings.ToUpper(key)+" "+path] = slices.Sorted(maps.Keys(operation.Responses))
		}
	}
	return d
}

// root is what stands before the paths of the control plane.
func root(srv *fake.Server) string { return strings.TrimSuffix(srv.BaseURL(), srv.Service().BasePath) }

// explain says what is wrong, and where.
func explain(e *errors.ValidationError) string {
	text := e.Message + ": " + e.Reason
	for _, failure := range e.SchemaValidationErrors {
		text += fmt.Sprintf("\n\t%s: %s (%s)", failure.FieldPath, failure.Reason, failure.KeywordLocation)
	}
	return text
}

func explainAll(refused []*errors.ValidationError) string {
	var lines []string
	for _, e := range refused {
		lines = append(lines, explain(e))
	}
	return strings.Join(lines, "\n")
}

// An exchange is a request to a server, and what it was answered.
type exchange struct {
	operation string // of the document, as GET /_fake/users
	method    string // that was sent
	url       string
	header    http.Header
	body      string

	status   int
	answered http.Header
	answer   []byte
}

// asked returns the request as it was sent, with another method.
func (x *exchange) asked(t *testing.T, method string) *http.Request {
	t.Helper()
	r, err := http.NewRequest(method, x.url, strings.NewReader(x.body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header = x.header.Clone()
	return r
}

// send sends a request, and reads what is answered, save events.
func (x *exchange) send(t *testing.T, client *http.Client) error {
	t.Helper()
	response, err := client.Do(x.asked(t, x.method))
	if err != nil {
		return err
	}
	defer response.Body.Close()
	x.status, x.answered = response.StatusCode, response.Header
	if response.Header.Get("Content-Type") == "text/event-stream" {
		return nil
	}
	x.answer, err = io.ReadAll(response.Body)
	return err
}

// refusedRequest returns what is wrong with the request by the document.
func (d *description) refusedRequest(t *testing.T, x *exchange) []*errors.ValidationError {
	t.Helper()
	method := x.method
	if method == http.MethodHead { // it is documented as GET
		method = http.MethodGet
	}
	for _, v := range d.validators {
		if _, refused := v.ValidateHttpRequestSync(x.asked(t, method)); len(refused) > 0 {
			return refused
		}
	}
	return nil
}

// refusedAnswer returns what is wrong with an answer by the document.
func (d *description) refusedAnswer(t *testing.T, x *exchange, status int, contentType string, answer []byte) []*errors.ValidationError {
	t.Helper()
	method, _, _ := strings.Cut(x.operation, " ")
	if x.method == http.MethodHead {
		method = x.method
	}
	response := &http.Response{StatusCode: status, Header: x.answered.Clone(), Body: http.NoBody}
	if contentType != "" {
		response.Header.Set("Content-Type", contentType)
	}
	for _, v := range d.validators {
		if len(answer) > 0 {
			response.Body = io.NopCloser(bytes.NewReader(answer))
		}
		if _, refused := v.ValidateHttpResponse(x.asked(t, method), response); len(refused) > 0 {
			return refused
		}
	}
	return nil
}

// checkAnswer fails the test unless the answer is one of those that the document
// has, and unless the document is so strict that it could be no other.
func (d *description) checkAnswer(t *testing.T, x *exchange) {
	t.Helper()
	contentType := x.answered.Get("Content-Type")
	if refused := d.refusedAnswer(t, x, x.status, contentType, x.answer); len(refused) > 0 {
		t.Errorf("%s is answered %d %.2000s, which is not documented: %s", x, x.status, x.answer, explainAll(refused))
		return
	}
	bare := x.method == http.MethodHead || x.status == http.StatusNoContent || x.status/100 == 3
	if bare != (len(x.answer) == 0) && contentType != "text/event-stream" {
		t.Errorf("%s is answered %d with the body %.200q", x, x.status, x.answer)
	}
	var problem struct{ Status int }
	if contentType == "application/problem+json" && !bare && (json.Unmarshal(x.answer, &problem) != nil || problem.Status != x.status) {
		t.Errorf("%s is answered %d with %s", x, x.status, x.answer)
	}

	if x.operation == listOperation {
		return // a client has to bear other fields and statuses
	}
	if len(d.refusedAnswer(t, x, http.StatusTeapot, contentType, x.answer)) == 0 {
		t.Errorf("%s could as well be answered 418 by the document", x)
	}
	if len(x.answer) > 0 && len(d.refusedAnswer(t, x, x.status, "application/xml", x.answer)) == 0 {
		t.Errorf("%s could as well be answered in XML by the document", x)
	}
	if bare || !d.isStrict(x) {
		return
	}
	var value any
	if err := json.Unmarshal(x.answer, &value); err != nil {
		t.Errorf("%s is answered %s", x, x.answer)
		return
	}
	extend(value, "", func(where string) {
		if where == ".campaigns[0]" && strings.HasSuffix(x.operation, "/campaigns") {
			return // a user can have campaigns with anything
		}
		more, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		if len(d.refusedAnswer(t, x, x.status, contentType, more)) == 0 {
			t.Errorf("%s could by the document as well have an undocumented field in %q", x, where)
		}
	})
}

// isStrict reports whether the document says of every field what it is. It does not of
// the documents.
func (d *description) isStrict(x *exchange) bool {
	switch x.answered.Get("Content-Type") {
	case "application/problem+json":
		return true
	case "application/json":
		return !strings.HasSuffix(x.operation, ".json") && x.status < 300
	}
	return false
}

func (x *exchange) String() string {
	text := x.method + " " + x.url
	for name, values := range x.header {
		text += fmt.Sprintf(", %s: %s", name, values[0])
	}
	if x.body != "" {
		text += fmt.Sprintf(", %.100s", x.body)
	}
	return text
}

// extend adds a field to each object of a value in turn, and calls visit. Of a
// list the first is as good as all. What a user fills in, and headers, have
// places for anything.
func extend(value any, where string, visit func(where string)) {
	switch value := value.(type) {
	case []any:
		if len(value) > 0 {
			extend(value[0], where+"[0]", visit)
		}
	case map[string]any:
		value["undocumented"] = true
		visit(where)
		delete(value, "undocumented")
		for key, inner := range value {
			switch key {
			case "header", "headers", "extra", "body", "value", "statuses":
			default:
				extend(inner, where+"."+key, visit)
			}
		}
	}
}

// missing returns the statuses of operations that the document has, and nobody
// has met.
func (d *description) missing(met map[string]map[int]bool) (list []string) {
	for operation, statuses := range d.statuses {
		for _, status := range statuses {
			found := false
			for code := range met[operation] {
				exact := strconv.Itoa(code)
				class := exact[:1] + "XX"
				found = found || status == exact || status == class && !slices.Contains(statuses, exact)
			}
			if !found {
				list = append(list, operation+" "+status)
			}
		}
	}
	slices.Sort(list)
	return list
}
