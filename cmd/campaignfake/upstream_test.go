package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
)

// A URL that cannot be an upstream, and a setting that needs one, stop the start.
func TestUpstreamRefusals(t *testing.T) {
	t.Parallel()
	needy := file(t, "needy.yaml", "service: {unknown_tokens: upstream}\n")
	checkRefusals(t, 2, map[string]refusal{
		"a password": {
			args:  []string{"--upstream", "https://ann:secret@api.example"},
			words: []string{"--upstream: the URL has a user name or a password", "leave it out"},
		},
		"another scheme in a variable": {
			env:   []string{"CAMPAIGNFAKE_UPSTREAM=ftp://api.example"},
			words: []string{"does not begin with http:// or https://", "as https://"},
		},
		"none, though a flag needs one": {
			args: []string{"--unknown-tokens", "upstream"},
			words: []string{
				"--unknown-tokens: is upstream, and there is no upstream; " +
					"give its URL with --upstream",
			},
		},
		"none, though a variable needs one, and a wrong path": {
			env:  []string{"CAMPAIGNFAKE_UNKNOWN_TOKENS=upstream"},
			args: []string{"--base-path", "bad"},
			words: []string{
				"CAMPAIGNFAKE_UNKNOWN_TOKENS: is upstream, and there is no upstream",
				"--base-path: ",
			},
		},
	})
	const ofFile = "needy.yaml:1:11: service.unknown_tokens: is upstream, and there is no " +
		"upstream; give its URL with --upstream"
	checkRefusals(t, 1, map[string]refusal{
		"none, though a file needs one": {
			args:  []string{needy},
			words: []string{ofFile},
		},
		"none, though a file needs one, and a wrong path": {
			args:  []string{needy, "--base-path", "bad"},
			words: []string{ofFile, "--base-path: service.base_path: "},
		},
	})
	checked := finish(t, nil, "check", needy)
	if checked.status != 0 {
		t.Errorf("check of a set that needs an upstream ends with %+v", checked)
	}
}

// What is passed on is logged with its reason, and counted in the summary. It matches in the sense
// of --strict.
func TestUpstreamOfTheCommand(t *testing.T) {
	t.Parallel()
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, r.Method+" "+r.RequestURI)
	}))
	t.Cleanup(api.Close)
	server := serve(t, nil, "--strict", "--upstream", api.URL+"/v1")
	response, err := http.Post(server.root+"/api/login?next=1", "text/plain",
		strings.NewReader("me"))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, _ := io.ReadAll(response.Body)
	if string(body) != "POST /v1/login?next=1" {
		t.Errorf("the answer is %q", body)
	}
	log := server.end(os.Interrupt, 0)
	for _, want := range []string{
		"passed on to " + api.URL + "/v1/login", "passed_on=1", "without_token=0",
	} {
		if !strings.Contains(log, want) {
			t.Errorf("the log has no %q:\n%s", want, log)
		}
	}
}
