package serve_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"

	"example.com/campaignfake/fake/internal/engine"
	"example.com/campaignfake/fixtures"
)

// A failingWriter fails after a number of bytes.
type failingWriter struct {
	*httptest.ResponseRecorder
	room int
}

func (w failingWriter) Write(p []byte) (int, error) {
	return min(len(p), w.room), errors.New("the client has gone away")
}

// The journal says that an answer broke off, and how much of it was sent.
func TestBrokenBody(t *testing.T) {
	t.Parallel()
	h := newHandler(t, withUser("alice", fixtures.User{}))
	func() {
		defer func() {
			if got := recover(); got != http.ErrAbortHandler {
				t.Errorf("the handler panics with %v", got)
			}
		}()
		w := failingWriter{ResponseRecorder: httptest.NewRecorder(), room: 5}
		h.ServeHTTP(w, newRequest("GET", listPath, bearer("alice")))
	}()
	entry := h.Engine.Requests(engine.Scope{})[0].Request
	const want = "0 campaigns; 5 of 16 bytes were sent before the client went away"
	if entry.Reason != want || !entry.Broken || !entry.Complete || entry.Status != 200 {
		t.Errorf("the journal has %+v, want the reason %s", entry, want)
	}
	if entry.Answer.Sent != 5 || entry.Answer.Bytes != 16 ||
		entry.Answer.Body != `{"campaigns":[]}` {
		t.Errorf("the journal has the answer %+v", entry.Answer)
	}
}

// An answer has a Content-Length, unless its status forbids one.
func TestContentLength(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]string{
		200: "16",
		204: "",
		205: "0",
		304: "",
		302: "0",
		404: "2",
	} {
		reply := fixtures.Reply{Status: status}
		if status == 404 {
			reply.Body = "no"
		}
		h := newHandler(t, withUser("alice", fixtures.User{Replies: []fixtures.Reply{reply}}))
		w := ask(h, "GET", listPath, bearer("alice"))
		if got := w.Header().Get("Content-Length"); w.Code != status || got != want {
			t.Errorf("an answer with status %d has the length %q, want %q", w.Code, got, want)
		}
	}
}
