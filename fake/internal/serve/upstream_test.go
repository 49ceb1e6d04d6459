package serve_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"example.com/campaignfake/fake/internal/engine"
	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fake/internal/serve"
	"example.com/campaignfake/fake/internal/upstream"
)

// newPassing returns a handler that passes other requests on to an upstream.
func newPassing(
	t *testing.T, api http.HandlerFunc, options ...func(*plan.Setup),
) *serve.Handler {
	t.Helper()
	server := httptest.NewServer(api)
	t.Cleanup(server.Close)
	base, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	withUpstream := func(s *plan.Setup) { s.Upstream = base }
	h := newHandler(t, append(options, withUpstream)...)
	h.Upstream = upstream.New(upstream.Settings{URL: base, Ending: h.Engine.Ending})
	t.Cleanup(h.Upstream.Close)
	return h
}

// The journal has the size of an answer of the upstream also if the header has not said it.
func TestPassedOnSize(t *testing.T) {
	t.Parallel()
	h := newPassing(t, func(w http.ResponseWriter, _ *http.Request) {
		http.NewResponseController(w).Flush()
		io.WriteString(w, "12345")
	})
	ask(h, "GET", "/api/other", nil)
	answer := h.Engine.Requests(engine.Scope{})[0].Request.Answer
	if answer.Bytes != 5 || answer.Sent != 5 {
		t.Errorf("the journal has %+v, want 5 bytes that were sent", answer)
	}
}

// A stream of the upstream has its line in the log when it begins, and no other when it ends.
func TestPassedOnStreamIsLoggedOnce(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	whileOpen := make(chan string, 1)
	h := newPassing(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, "data: 1\n\n")
	}, withLog(&log))
	recorder := &firstWrite{
		header: make(http.Header),
		call:   func() { whileOpen <- log.String() },
	}
	h.ServeHTTP(recorder, newRequest("GET", "/api/events", nil))
	if got := <-whileOpen; strings.Count(got, "passed on to") != 1 {
		t.Errorf("while the stream lasts, the log is %q", got)
	}
	if got := log.String(); strings.Count(got, "passed on to") != 1 {
		t.Errorf("at the end, the log is %q", got)
	}
}

// While an answer of unknown length is sent, the journal has no size of it.
func TestPassedOnSizeIsNotKnownYet(t *testing.T) {
	t.Parallel()
	whileOpen := make(chan int, 1)
	h := newPassing(t, func(w http.ResponseWriter, _ *http.Request) {
		http.NewResponseController(w).Flush()
		io.WriteString(w, "12345")
	})
	recorder := &firstWrite{
		header: make(http.Header),
		call: func() {
			whileOpen <- h.Engine.Requests(engine.Scope{})[0].Request.Answer.Bytes
		},
	}
	h.ServeHTTP(recorder, newRequest("GET", "/api/other", nil))
	if got := <-whileOpen; got != 0 {
		t.Errorf("the journal has %d bytes, want 0", got)
	}
}

// A firstWrite calls a function when a body begins.
type firstWrite struct {
	header http.Header
	call   func()
}

func (f *firstWrite) Header() http.Header { return f.header }

func (f *firstWrite) WriteHeader(int) {}

func (f *firstWrite) Flush() {}

func (f *firstWrite) Write(p []byte) (int, error) {
	if f.call != nil {
		f.call()
		f.call = nil
	}
	return len(p), nil
}
