package fake_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// README.md has every path, method and parameter of the control plane, and no other.
func TestREADMEHasTheControlPlane(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	srv := newHandler(t)
	methods := make(map[string][]string) // methods by path
	parameters := make(map[string][]string)
	for _, path := range pathsOf(srv) {
		name := strings.TrimPrefix(path, "/_fake/")
		for _, method := range methodsOf(srv, path) {
			methods[name] = append(methods[name], method)
			parameters[name] = append(parameters[name], parametersOf(srv, method, path)...)
			why, _ := refusal(srv, method, path+"?no-such-parameter=1")
			if why == "" && name != "health" {
				t.Errorf("%s %s ignores a parameter that it does not have", method, path)
			}
		}
	}
	documentedMethods := make(map[string][]string)
	for _, row := range rowsOf(string(page), "| path | |\n|---|---|\n") {
		for _, path := range codeIn(row[0]) {
			documentedMethods[path] = append(documentedMethods[path], codeIn(row[1])...)
		}
	}
	documentedParameters := make(map[string][]string)
	for _, row := range rowsOf(string(page), "| parameter | of | |\n|---|---|---|\n") {
		for _, path := range codeIn(row[1]) {
			documentedParameters[path] = append(documentedParameters[path], codeIn(row[0])...)
		}
	}
	isOther := func(word string) bool {
		return !slices.Contains([]string{"GET", "PUT", "POST", "DELETE"}, word)
	}
	for path := range documentedMethods {
		documentedMethods[path] = slices.DeleteFunc(documentedMethods[path], isOther)
	}
	expectSame(t, "methods", documentedMethods, methods)
	expectSame(t, "parameters", documentedParameters, parameters)
}

// rowsOf returns the cells of each row of the table that has a heading.
func rowsOf(page, heading string) (rows [][]string) {
	for row := range strings.SplitSeq(between(page, heading, "\n\n"), "\n") {
		rows = append(rows, strings.Split(row, " | "))
	}
	return rows
}

var codePattern = regexp.MustCompile("`([^`]*)`")

// codeIn returns the words of a text that stand between backticks.
func codeIn(text string) (words []string) {
	for _, match := range codePattern.FindAllStringSubmatch(text, -1) {
		words = append(words, match[1])
	}
	return words
}

// expectSame reports the paths for which README.md and the server list different words, in any
// order.
func expectSame(t *testing.T, what string, documented, answered map[string][]string) {
	t.Helper()
	set := func(names []string) string {
		return fmt.Sprint(slices.Compact(slices.Sorted(slices.Values(names))))
	}
	for path := range answered {
		if len(answered[path]) > 0 && documented[path] == nil {
			t.Errorf("README.md has no %s of %s", what, path)
		}
	}
	for path, names := range documented {
		if set(names) != set(answered[path]) {
			t.Errorf("README.md has the %s %s of %s, and the server %s",
				what, set(names), path, set(answered[path]))
		}
	}
}

// pathsOf returns the paths under /_fake/. The control plane lists them in the answer to an unknown
// path.
func pathsOf(srv http.Handler) (paths []string) {
	detail, _ := refusal(srv, "GET", "/_fake/no-such-path")
	for path := range strings.SplitSeq(between(detail, "Here there is ", ";"), ", ") {
		if strings.HasPrefix(path, "/_fake/") && path != "/_fake/" {
			paths = append(paths, path)
		}
	}
	return paths
}

// methodsOf returns the methods of a path. It leaves out HEAD, which every path with GET has.
func methodsOf(srv http.Handler, path string) []string {
	_, header := refusal(srv, "PATCH", path)
	methods := strings.Split(header.Get("Allow"), ", ")
	return slices.DeleteFunc(methods, func(method string) bool { return method == http.MethodHead })
}

// parametersOf returns the parameters of a route, from its refusal of an unknown one. It returns no
// parameters for a route that ignores unknown ones.
func parametersOf(srv http.Handler, method, path string) []string {
	detail, _ := refusal(srv, method, path+"?no-such-parameter=1")
	known := between(detail, "; send ", ".")
	if known == "" || known == "none" {
		return nil
	}
	return strings.Split(known, ", ")
}

// refusal returns why the control plane refuses a request, and "" if it does not.
func refusal(srv http.Handler, method, path string) (detail string, header http.Header) {
	w := httptest.NewRecorder()
	srv.ServeHTTP(w, httptest.NewRequest(method, "http://localhost"+path, nil))
	var problem struct{ Detail string }
	json.Unmarshal(w.Body.Bytes(), &problem)
	return problem.Detail, w.Header()
}
