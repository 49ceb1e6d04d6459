package fake_test

import (
	"encoding/json"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.com/campaignfake/fake"
)

// The page for users has every path and every parameter of the control plane, and no other.
func TestREADMEHasTheControlPlane(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	documented := documentedRoutes(string(text))
	srv := fake.NewTestServer(t)
	answered := make(map[string][]string)
	for _, path := range pathsOf(t, srv) {
		for _, method := range methodsOf(t, srv, path) {
			route := strings.TrimPrefix(path, "/_fake/") + " " + method
			answered[route] = parametersOf(t, srv, method, path)
		}
	}
	for route, parameters := range answered {
		path, method, _ := strings.Cut(route, " ")
		if !slices.Contains(documented.methods[path], method) {
			t.Errorf("README.md does not say what %s does", route)
		}
		for _, parameter := range parameters {
			if !slices.Contains(documented.parameters[path], parameter) {
				t.Errorf("README.md does not say what the parameter %s of %s does",
					parameter, route)
			}
		}
	}
	for path, methods := range documented.methods {
		var parameters []string
		for _, method := range methods {
			of, isAnswered := answered[path+" "+method]
			if !isAnswered {
				t.Errorf("README.md has %s %s, which the server does not have", method, path)
			}
			parameters = append(parameters, of...)
		}
		for _, parameter := range documented.parameters[path] {
			if !slices.Contains(parameters, parameter) {
				t.Errorf("README.md has the parameter %s of %s, which the server does not have",
					parameter, path)
			}
		}
	}
}

// documentation is what README.md has: methods and parameters by the path that they are of.
type documentation struct {
	methods, parameters map[string][]string
}

var codePattern = regexp.MustCompile("`([^`]*)`")

// codeIn returns what is written as code in a text, each word of it once.
func codeIn(text string) (words []string) {
	for _, match := range codePattern.FindAllStringSubmatch(text, -1) {
		if !slices.Contains(words, match[1]) {
			words = append(words, match[1])
		}
	}
	return words
}

// documentedRoutes reads the two tables of README.md.
func documentedRoutes(text string) documentation {
	read := documentation{
		methods:    make(map[string][]string),
		parameters: make(map[string][]string),
	}
	for _, row := range strings.Split(between(text, "| path | |\n|---|---|\n", "\n\n"), "\n") {
		cells := strings.Split(row, " | ")
		for _, path := range codeIn(cells[0]) {
			for _, word := range codeIn(cells[1]) {
				if slices.Contains([]string{"GET", "PUT", "POST", "DELETE"}, word) {
					read.methods[path] = append(read.methods[path], word)
				}
			}
		}
	}
	for _, row := range strings.Split(
		between(text, "| parameter | of | |\n|---|---|---|\n", "\n\n"),
		"\n",
	) {
		cells := strings.Split(row, " | ")
		for _, path := range codeIn(cells[1]) {
			read.parameters[path] = append(read.parameters[path], codeIn(cells[0])...)
		}
	}
	return read
}

// pathsOf returns the paths below that of the page, which the control plane lists for whoever asks
// for another one.
func pathsOf(t *testing.T, srv *fake.Server) (paths []string) {
	t.Helper()
	detail := refusal(t, srv, "GET", "/_fake/no-such-path")
	for _, path := range strings.Split(between(detail, "Here there is ", ";"), ", ") {
		if strings.HasPrefix(path, "/_fake/") && path != "/_fake/" {
			paths = append(paths, path)
		}
	}
	if len(paths) == 0 {
		t.Fatalf("no paths are listed: %s", detail)
	}
	return paths
}

// methodsOf returns the methods of a path but HEAD, which goes with GET.
func methodsOf(t *testing.T, srv *fake.Server, path string) []string {
	t.Helper()
	response, _ := ask(t, srv, "PATCH", path, nil)
	methods := strings.Split(response.Header.Get("Allow"), ", ")
	return slices.DeleteFunc(methods, func(method string) bool { return method == http.MethodHead })
}

// parametersOf returns the parameters of a route, none if it ignores those that it does not have.
func parametersOf(t *testing.T, srv *fake.Server, method, path string) []string {
	t.Helper()
	detail := refusal(t, srv, method, path+"?no-such-parameter=1")
	known := between(detail, "; send ", ".")
	if known == "" || known == "none" {
		return nil
	}
	return strings.Split(known, ", ")
}

// refusal returns why the control plane refuses a request, "" if it does not.
func refusal(t *testing.T, srv *fake.Server, method, path string) string {
	t.Helper()
	_, body := ask(t, srv, method, path, nil)
	var problem struct{ Detail string }
	if err := json.Unmarshal([]byte(body), &problem); err != nil {
		t.Fatalf("%s %s is answered %s", method, path, body)
	}
	return problem.Detail
}
