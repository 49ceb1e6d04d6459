package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
)

// The URL goes before the flags and variables of the server, and may be the base URL. The server
// needs no control plane.
func TestHealthFindsTheServer(t *testing.T) {
	t.Parallel()
	p := serve(t, nil, "--control", "off")
	got := finish(t, []string{"CAMPAIGNFAKE_LISTEN=127.0.0.1:1"}, "health", "--url", p.base+"/?a=b")
	if got != (result{}) {
		t.Errorf("health ends with %+v", got)
	}
}

func TestHealthOfSomethingElse(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		status     int
		body, want string
	}{
		{200, "ok", "is not a ready campaignfake"},
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

// Nobody listens at port 1.
func TestHealthOfNobody(t *testing.T) {
	t.Parallel()
	got := finish(t, []string{"CAMPAIGNFAKE_LISTEN=:1"}, "health")
	got.failsLike(t, 1, "http://127.0.0.1:1 does not answer: ",
		"refused; start the server, or name its URL with --url; "+
			"in a container, set its address and TLS by variables, since health sees no flags there")
}
