package serve_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"testing"

	"example.com/campaignfake/fake/internal/engine"
	"example.com/campaignfake/fake/internal/serve"
	"example.com/campaignfake/fake/journal"
	"example.com/campaignfake/fixtures"
)

// newFetching returns a handler with an upstream, which has the campaigns of unknown tokens, and
// with a reply that adds a header to its answer to one of them.
func newFetching(t *testing.T, api http.HandlerFunc) *serve.Handler {
	t.Helper()
	reply := fixtures.Reply{Headers: http.Header{"X-Reply": {"1"}}}
	return newFetchingFor(t, reply, api)
}

// newFetchingFor returns a handler as newFetching does, with another reply.
func newFetchingFor(t *testing.T, reply fixtures.Reply, api http.HandlerFunc) *serve.Handler {
	t.Helper()
	h := newPassing(t, api,
		withService(fixtures.Service{UnknownTokens: fixtures.UnknownTokensUpstream}))
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
	notSent := []string{"Accept-Encoding", "If-Modified-Since", "If-None-Match", "Range", "Upgrade"}
	for _, name := range notSent {
		header.Set(name, "x")
	}
	header.Set("Connection", "Upgrade")
	header.Set("Origin", page)
	w := ask(h, "GET", listPath, header)
	if w.Code != 200 || w.Body.String() != "whole" {
		t.Errorf("the answer is %d %s", w.Code, w.Body)
	}
	sent := <-asked
	for _, name := range notSent {
		if sent[name] != nil {
			t.Errorf("the upstream receives %s, so that it may not send the whole answer", name)
		}
	}
	got := w.Header()
	if got.Get("X-Reply") != "1" || len(got["Vary"]) != 1 ||
		got.Get("Cache-Control") != "no-store" {
		t.Errorf("the headers are %v", got)
	}
	for _, name := range []string{"Etag", "Last-Modified", "Trailer"} {
		if got[name] != nil {
			t.Errorf("the changed answer has %s of the unchanged one", name)
		}
	}
}

// The upstream is asked without the body of a request, which was read before.
func TestFetchForARequestWithABody(t *testing.T) {
	t.Parallel()
	h := newFetching(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		fmt.Fprintf(w, "%d of %d bytes", len(body), r.ContentLength)
	})
	r := httptest.NewRequest("GET", "http://fake.test"+listPath, strings.NewReader("12345"))
	r.Header = bearer("login")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	if w.Code != 200 || w.Body.String() != "0 of 0 bytes" {
		t.Errorf("the answer is %d %s", w.Code, w.Body)
	}
}

// A HEAD has the headers of a GET, also if a reply has changed the answer.
func TestFetchForHEAD(t *testing.T) {
	t.Parallel()
	h := newFetching(t, func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, "whole")
	})
	w := ask(h, "HEAD", listPath, bearer("login"))
	length := w.Header().Get("Content-Length")
	if w.Code != 200 || length != "5" || w.Body.Len() > 0 {
		t.Errorf("the answer is %d %q with the length %q, want 5", w.Code, w.Body, length)
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
		"upgraded, which nobody has asked for": {
			func(w http.ResponseWriter, _ *http.Request) {
				conn, _, err := http.NewResponseController(w).Hijack()
				if err == nil {
					io.WriteString(conn,
						"HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\n\r\n")
					conn.Close()
				}
			},
			502, "it changes to a protocol that was not asked for",
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

// A Vary of the reply stands beside that of CORS, as in every other answer.
func TestFetchKeepsVaryOfCORS(t *testing.T) {
	t.Parallel()
	reply := fixtures.Reply{Headers: http.Header{"vary": {"Cookie"}}}
	h := newFetchingFor(t, reply, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Vary", "Accept")
	})
	header := bearer("login")
	header.Set("Origin", page)
	got := ask(h, "GET", listPath, header).Header()
	want := []string{"Origin", "Cookie"}
	if !slices.Equal(got["Vary"], want) || got.Get("Access-Control-Allow-Origin") != page {
		t.Errorf("the headers are %v, want %s and Vary: %s", got, page, want)
	}
}

// A page that sends cookies may read the headers of the reply beside those of the upstream.
func TestFetchExposesHeadersOfAReply(t *testing.T) {
	t.Parallel()
	h := newFetching(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-Theirs", "1")
	})
	header := bearer("login")
	header.Set("Origin", page)
	got := ask(h, "GET", listPath, header).Header().Get("Access-Control-Expose-Headers")
	exposed := strings.Split(got, ", ")
	for _, name := range []string{"X-Theirs", "X-Reply"} {
		if !slices.Contains(exposed, name) {
			t.Errorf("%s is not among the headers that a page may read: %s", name, got)
		}
	}
}

// The journal has of a body of the upstream its length alone, also if a reply has changed the
// answer. It has a body that the reply itself has given.
func TestFetchedBodyIsNotInTheJournal(t *testing.T) {
	t.Parallel()
	const secret = "the list of somebody"
	for name, tt := range map[string]struct {
		reply fixtures.Reply
		want  journal.Answer
	}{
		"the status alone": {
			reply: fixtures.Reply{Status: 299},
			want:  journal.Answer{Bytes: 20, Sent: 20},
		},
		"half of it": {
			reply: fixtures.Reply{Fault: fixtures.FaultBadJSON},
			want:  journal.Answer{Bytes: 10, Sent: 10},
		},
		"broken": {
			reply: fixtures.Reply{Fault: fixtures.FaultTruncate},
			want:  journal.Answer{Bytes: 20, Sent: 10},
		},
		"a body of the reply": {
			reply: fixtures.Reply{Body: "given"},
			want:  journal.Answer{Body: "given", Bytes: 5, Sent: 5},
		},
		"a page in its place": {
			reply: fixtures.Reply{Fault: fixtures.FaultWrongType},
			want:  journal.Answer{Body: "<!DOCTYPE html>", Bytes: 188, Sent: 188},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newFetchingFor(t, tt.reply, func(w http.ResponseWriter, _ *http.Request) {
				io.WriteString(w, secret)
			})
			func() {
				defer func() { recover() }() // as net/http does when the connection is to be closed
				ask(h, "GET", listPath, bearer("login"))
			}()
			got := h.Engine.Requests(engine.Scope{})[0].Request.Answer
			got.Header = nil
			got.Body, _, _ = strings.Cut(got.Body, "\n")
			if !reflect.DeepEqual(got, tt.want) {
				t.Errorf("the journal has %+v, want %+v", got, tt.want)
			}
		})
	}
}
