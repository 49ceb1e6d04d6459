package serve_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"example.com/campaignfake/fake/internal/serve"
	"example.com/campaignfake/fixtures"
)

// newFetching returns a handler with an upstream, which has the campaigns of unknown tokens, and
// with a reply that adds a header to its answer to one of them.
func newFetching(t *testing.T, api http.HandlerFunc) *serve.Handler {
	t.Helper()
	h := newPassing(t, api,
		withService(fixtures.Service{UnknownTokens: fixtures.UnknownTokensUpstream}))
	reply := fixtures.Reply{Headers: http.Header{"X-Reply": {"1"}}}
	err := h.Engine.Enqueue("login", []fixtures.Reply{reply})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// An answer of the upstream that a reply changes is asked for as a whole, and has the headers of
// both, each once.
func TestFetch(t *testing.T) {
	t.Parallel()
	asked := make(chan http.Header, 1)
	h := newFetching(t, func(w http.ResponseWriter, r *http.Request) {
		asked <- r.Header
		w.Header().Set("Trailer", "X-Sum")
		w.Header().Set("ETag", `"1"`)
		w.Header().Set("Last-Modified", "Thu, 01 Jan 2026 00:00:00 GMT")
		w.Header().Set("Cache-Control", "max-age=60")
		io.WriteString(w, "whole")
		w.Header().Set("X-Sum", "1")
	})
	header := bearer("login")
	partial := []string{"Accept-Encoding", "If-Modified-Since", "If-None-Match", "Range"}
	for _, name := range partial {
		header.Set(name, "x")
	}
	header.Set("Origin", page)
	w := ask(h, "GET", listPath, header)
	if w.Code != 200 || w.Body.String() != "whole" {
		t.Errorf("the answer is %d %s", w.Code, w.Body)
	}
	sent := <-asked
	for _, name := range partial {
		if sent[name] != nil {
			t.Errorf("the upstream receives %s, so that it may not send the whole answer", name)
		}
	}
	got := w.Header()
	if got.Get("X-Reply") != "1" || len(got["Vary"]) != 1 || got.Get("Cache-Control") != "no-store" {
		t.Errorf("the headers are %v", got)
	}
	for _, name := range []string{"Etag", "Last-Modified", "Trailer"} {
		if got[name] != nil {
			t.Errorf("the changed answer has %s of the unchanged one", name)
		}
	}
}

// What the upstream does not answer in full cannot be changed: the answer says why.
func TestFetchFails(t *testing.T) {
	t.Parallel()
	const most = 16 << 20
	for name, tt := range map[string]struct {
		api    http.HandlerFunc
		status int
		reason string // a part of it
	}{
		"as large as can be changed": {
			func(w http.ResponseWriter, _ *http.Request) {
				io.WriteString(w, strings.Repeat("a", most))
			},
			200, "headers of its own",
		},
		"too large": {
			func(w http.ResponseWriter, _ *http.Request) {
				io.WriteString(w, strings.Repeat("a", most+1))
			},
			502, "not answered by the upstream: the answer of the upstream has more than 16 MiB",
		},
		"ended in the middle": {
			func(w http.ResponseWriter, _ *http.Request) {
				io.WriteString(w, "half")
				http.NewResponseController(w).Flush()
				panic(http.ErrAbortHandler)
			},
			502, "in the middle of its answer",
		},
		"ended before": {
			func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
			502, "closed the connection before it answered",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newFetching(t, tt.api)
			w := ask(h, "GET", listPath, bearer("login"))
			if w.Code != tt.status || !strings.Contains(reasonOf(h), tt.reason) {
				t.Errorf("the answer is %d, since: %s; want %d, since %s",
					w.Code, reasonOf(h), tt.status, tt.reason)
			}
		})
	}
}
