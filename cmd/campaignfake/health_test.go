package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestHealthOfSomethingElse(t *testing.T) {
	t.Parallel()
	answer := func(status int, body string) string {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(status)
			io.WriteString(w, body)
		}))
		t.Cleanup(server.Close)
		return server.URL
	}
	tests := map[string]struct{ url, want string }{
		"nobody":                    {"http://127.0.0.1:1", "does not answer"},
		"a server without the path": {answer(404, "not found"), "404"},
		"a server that says yes":    {answer(200, "ok"), "is not a ready campaignfake"},
		"a page":                    {answer(200, "<html></html>"), "is not a ready campaignfake"},
		"not ready yet":             {answer(200, `{"ready":false}`), "is not a ready campaignfake"},
		"ready, but failing":        {answer(503, `{"ready":true}`), "503"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			finish(t, nil, "health", tt.url).failsLike(t, 1, tt.url, tt.want)
		})
	}
	finish(t, []string{"CAMPAIGNFAKE_LISTEN=127.0.0.1:1"}, "health").failsLike(t, 1, "http://127.0.0.1:1", "does not answer")
}

func TestHealthOfNoURL(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"127.0.0.1:8642", "localhost", "ftp://127.0.0.1", "http://", "http://:8642", "http://[::1", "☃"} {
		finish(t, nil, "health", text).failsLike(t, 2, text, "http://127.0.0.1:8642")
	}
	// With port 0 the server has chosen one, which the variable does not tell.
	finish(t, []string{"CAMPAIGNFAKE_LISTEN=127.0.0.1:0"}, "health").failsLike(t, 2, "127.0.0.1:0", "URL")
	finish(t, []string{"CAMPAIGNFAKE_LISTEN=x"}, "health").failsLike(t, 2, "CAMPAIGNFAKE_LISTEN", `"x"`)
}
