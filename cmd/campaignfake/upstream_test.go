package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
)

// A URL that cannot be an upstream stops the start, and so does a setting that needs an upstream if
// there is no upstream.
func TestUpstreamRefusals(t *testing.T) {
	t.Parallel()
	needy := file(t, "needy.yaml", "service: {unknown_tokens: upstream}\n")
	const isMissing = "service.unknown_tokens: is upstream, and there is no upstream; " +
		"give its URL with --upstream"
	finish(t, nil, "--upstream", "https://ann:secret@api.example").failsLike(t, 2,
		"--upstream: the URL has a user name or a password", "leave it out")
	finish(t, nil, "--unknown-tokens", "upstream").failsLike(t, 2, "--unknown-tokens: "+isMissing)
	finish(t, nil, needy).failsLike(t, 1, "needy.yaml:1:11: "+isMissing)
}

// A request that is passed on is logged with its reason, and counted in the summary. For --strict
// it counts as matched.
func TestUpstreamOfTheCommand(t *testing.T) {
	t.Parallel()
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, r.Method+" "+r.RequestURI)
	}))
	t.Cleanup(api.Close)
	server := serve(t, nil, "--strict", "--upstream", api.URL+"/v1")
	_, body := ask(t, "POST", server.root+"/api/login?next=1", nil)
	if body != "POST /v1/login?next=1" {
		t.Errorf("the answer is %q", body)
	}
	log := server.end(os.Interrupt, 0)
	for _, want := range []string{"passed on to " + api.URL + "/v1/login", "passed_on=1"} {
		if !strings.Contains(log, want) {
			t.Errorf("the log has no %q:\n%s", want, log)
		}
	}
}
