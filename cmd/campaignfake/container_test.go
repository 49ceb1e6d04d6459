package main

import (
	"strings"
	"testing"
)

// A command that the engine runs in a container finds the server there by the server's
// flags. Its own flags override them.
func TestInContainer(t *testing.T) {
	t.Parallel()
	p := serve(t, nil)
	address := strings.TrimPrefix(p.root, "http://")
	_, port, _ := strings.Cut(address, ":")
	const nobody = "127.0.0.1:1"
	for name, tt := range map[string]struct {
		neighbour []string
		env, args []string
		status    int
		words     string
	}{
		"listen":              {[]string{"--quiet", "--listen", address}, nil, []string{"health"}, 0, ""},
		"behind an init":      {[]string{"/init", "--", "/campaignfake", "serve", "--listen=" + address, "a.yaml", ""}, nil, []string{"health"}, 0, ""},
		"port":                {[]string{"--port", port}, nil, []string{"health"}, 0, ""},
		"port of its own":     {[]string{"--port", "1"}, nil, []string{"health", "--port", port}, 0, ""},
		"port and its listen": {[]string{"--listen", "127.0.0.1:1"}, nil, []string{"health", "--port", port}, 0, ""},
		"listen of its own":   {[]string{"--listen", nobody}, nil, []string{"health", "--listen", address}, 0, ""},
		"URL of its own":      {[]string{"--port", "1"}, nil, []string{"health", p.root}, 0, ""},
		"over the variable":   {[]string{"--listen", address}, []string{"CAMPAIGNFAKE_LISTEN=" + nobody}, []string{"requests"}, 0, ""},
		"no flag of a client": {[]string{"--listen", address, "--delay", "1h"}, nil, []string{"requests"}, 0, ""},
		"nobody":              {nil, []string{"CAMPAIGNFAKE_LISTEN=" + nobody}, []string{"health"}, 1, nobody + " does not answer"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var stdout, stderr strings.Builder
			process := testProcess(&stdout, &stderr, tt.env, tt.args...)
			process.neighbour = tt.neighbour
			if status := run(t.Context(), process); status != tt.status || !strings.Contains(stderr.String(), tt.words) {
				t.Errorf("the status is %d, want %d, and standard error lacks %q:\n%s", status, tt.status, tt.words, stderr.String())
			}
		})
	}
}
