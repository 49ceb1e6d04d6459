package main

import "testing"

// openapi prints the document that a server with the same fixtures, flags and variables answers
// with, and reports the same mistakes.
func TestOpenAPI(t *testing.T) {
	t.Parallel()
	settings := file(t, "settings.yaml", "service: {timestamps: unix, unknown_tokens: upstream}")
	env := []string{"CAMPAIGNFAKE_FIXTURES=service: {success: {status: 203}}"}
	args := []string{settings, "--upstream=https://example.com", "--delay=1s"}
	printed := finish(t, env, append([]string{"openapi"}, args...)...)
	want := serve(t, env, args...).control("api.json")
	if printed.status != 0 || printed.stdout != want {
		t.Errorf("the status is %d, and\n%s\nis printed, want\n%s%s",
			printed.status, printed.stdout, want, printed.stderr)
	}
	finish(t, nil, "openapi", "--base-path=api").failsLike(t, 2, "--base-path: ")
}
