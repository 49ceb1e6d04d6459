package main

import (
	"io"
	"net/http"
	"testing"
)

// What is printed is what a server with the same fixtures, flags and variables answers.
func TestOpenAPI(t *testing.T) {
	t.Parallel()
	settings := file(t, "settings.yaml", `
service:
  timestamps: unix
  omit: [status]
  unknown_tokens: upstream
`)
	for name, c := range map[string]struct{ env, args []string }{
		"fixtures":     {args: []string{settings, "--upstream=https://example.com"}},
		"a text":       {env: []string{"CAMPAIGNFAKE_FIXTURES=service: {success: {status: 203}}"}},
		"other tokens": {args: []string{"--gallery", "--unknown-tokens=like demo", "--delay=1s"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			printed := finish(t, c.env, append([]string{"openapi"}, c.args...)...)
			response, err := http.Get(serve(t, c.env, c.args...).root + "/_fake/api.json")
			if err != nil {
				t.Fatal(err)
			}
			defer response.Body.Close()
			want, err := io.ReadAll(response.Body)
			if err != nil {
				t.Fatal(err)
			}
			if printed.status != 0 || printed.stdout != string(want) {
				t.Errorf("the status is %d, and\n%s\nis printed, want\n%s%s",
					printed.status, printed.stdout, want, printed.stderr)
			}
		})
	}
}

// Mistakes are those of a server.
func TestOpenAPIWithMistakes(t *testing.T) {
	t.Parallel()
	finish(t, nil, "openapi", "--base-path=api").failsLike(t, 2, "--base-path: ")
	finish(t, nil, "openapi", "missing.yaml").failsLike(t, 1, "missing.yaml")
	finish(t, nil, "openapi", "--port=9000").failsLike(t, 2, "unknown flag --port")
}
