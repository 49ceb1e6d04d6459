package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
)

// The health check finds the server by its URL, and by the flags and variables of the server.
func TestHealthFindsTheServer(t *testing.T) {
	t.Parallel()
	p := serve(t, nil)
	const nobody = "CAMPAIGNFAKE_LISTEN=127.0.0.1:1"
	tests := map[string]struct{ env, args []string }{
		"URL before the others": {[]string{nobody}, []string{"--url", p.root}},
		"base URL":              {nil, []string{"--url", p.base + "/?a=b#c"}},
		"an empty variable": {
			[]string{"CAMPAIGNFAKE_URL=", "CAMPAIGNFAKE_LISTEN=" + p.root[len("http://"):]}, nil,
		},
	}
	for name, tt := range tests {
		if got := finish(t, tt.env, append([]string{"health"}, tt.args...)...); got != (result{}) {
			t.Errorf("%s: health ends with %+v", name, got)
		}
	}
}

func TestHealthWithoutAControlPlane(t *testing.T) {
	t.Parallel()
	p := serve(t, nil, "--control", "off")
	if got := finish(t, nil, "health", "--url", p.base); got != (result{}) {
		t.Errorf("health ends with %+v", got)
	}
}

func TestHealthOfSomethingElse(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		status     int
		body, want string
	}{
		{404, "not found", "404"},
		{200, "ok", "is not a ready campaignfake"},
		{200, "<html></html>", "is not a ready campaignfake"},
		{200, `{"ready":false}`, "is not a ready campaignfake"},
		{503, `{"ready":true}`, "503"},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(tt.status)
			io.WriteString(w, tt.body)
		}))
		finish(t, nil, "health", "--url", server.URL).failsLike(t, 1, server.URL, tt.want)
		server.Close()
	}
}
