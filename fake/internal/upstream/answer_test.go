package upstream_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptrace"
	"net/textproto"
	"slices"
	"strings"
	"testing"
)

// The client receives the status, the headers and the body of the upstream, whatever the method is.
func TestAnswerIsThatOfTheUpstream(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		method string
		answer http.HandlerFunc

		status int
		length int64
		body   string
		sent   int64
	}{
		"body": {
			"GET",
			func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "body") },
			200, 4, "body", 4,
		},
		"body of unknown length": {
			"GET",
			func(w http.ResponseWriter, r *http.Request) {
				w.(http.Flusher).Flush()
				io.WriteString(w, "body")
			},
			200, -1, "body", 4,
		},
		"empty body": {
			"GET",
			func(w http.ResponseWriter, r *http.Request) {},
			200, 0, "", 0,
		},
		"HEAD": {
			"HEAD",
			func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Length", "123")
			},
			200, 123, "", 0,
		},
		"204": {
			"DELETE",
			func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(204) },
			204, 0, "", 0,
		},
		"304": {
			"GET",
			func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("ETag", `"a"`)
				w.WriteHeader(304)
			},
			304, 0, "", 0,
		},
		"error": {
			"PUT",
			func(w http.ResponseWriter, r *http.Request) {
				w.WriteHeader(503)
				io.WriteString(w, "down")
			},
			503, 4, "down", 4,
		},
		"a method of its own": {
			"PURGE",
			func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, r.Method) },
			200, 5, "PURGE", 5,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := newUpstream(t, func(w http.ResponseWriter, r *http.Request) {
				w.Header()["X-Several"] = []string{"a", "b"}
				tt.answer(w, r)
			})
			f := newFront(t, setup{URL: server.URL})
			response, body := do(t, f.Client(), newRequest(t, tt.method, f.URL, nil))
			if response.StatusCode != tt.status || response.ContentLength != tt.length ||
				body != tt.body {
				t.Errorf("the answer is %d, of length %d: %q; want %d, %d: %q",
					response.StatusCode, response.ContentLength, body, tt.status, tt.length,
					tt.body)
			}
			if got := strings.Join(response.Header["X-Several"], "|"); got != "a|b" {
				t.Errorf("a header with two values is %s", got)
			}

			begun := receive(t, f.begun)
			if begun.Status != tt.status || begun.Length != tt.length || begun.IsStream {
				t.Errorf("it began as %+v", begun)
			}
			if got := strings.Join(begun.Header["X-Several"], "|"); got != "a|b" {
				t.Errorf("it began with a header with the values %s", got)
			}
			if ended := receive(t, f.ended); ended != (outcome{tt.sent, nil}) {
				t.Errorf("it ended as %+v, want %d bytes", ended, tt.sent)
			}
		})
	}
}

// What is compressed stays so, and what is not, too.
func TestCompression(t *testing.T) {
	t.Parallel()
	var compressed bytes.Buffer
	writer := gzip.NewWriter(&compressed)
	io.WriteString(writer, strings.Repeat("body", 1000))
	writer.Close()
	server := newUpstream(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Accepted", fmt.Sprint(r.Header["Accept-Encoding"]))
		w.Header().Set("Content-Encoding", "gzip")
		w.Write(compressed.Bytes())
	})
	f := newFront(t, setup{URL: server.URL})
	for name, accept := range map[string][]string{"asked for": {"gzip"}, "not asked for": nil} {
		c := dial(t, f.host())
		lines := []string{"GET / HTTP/1.1", "Host: fake.test"}
		for _, encoding := range accept {
			lines = append(lines, "Accept-Encoding: "+encoding)
		}
		c.send(t, append(lines, "")...)
		response := c.readAnswer(t)
		got, err := io.ReadAll(response.Body)
		if err != nil || !bytes.Equal(got, compressed.Bytes()) {
			t.Errorf("%s: %d bytes have come, want %d: %v", name, len(got), compressed.Len(), err)
		}
		if got := response.Header.Get("X-Accepted"); got != fmt.Sprint(accept) {
			t.Errorf("%s: the upstream was asked for %s", name, got)
		}
	}
}

// No type is made up for a body that has none.
func TestBodyWithoutType(t *testing.T) {
	t.Parallel()
	server := newUpstream(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header()["Content-Type"] = nil
		io.WriteString(w, "<html>")
	})
	f := newFront(t, setup{URL: server.URL})
	response, _ := f.get(t, "/")
	if got, hasType := response.Header["Content-Type"]; hasType {
		t.Errorf("the type is %q", got)
	}
}

// Trailers of requests and answers go on, whether they were announced or not.
func TestTrailers(t *testing.T) {
	t.Parallel()
	server := newUpstream(t, func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		w.Header().Set("Trailer", "X-Announced")
		io.WriteString(w, "body")
		w.Header().Set("X-Announced", r.Trailer.Get("X-Request"))
		w.Header().Set(http.TrailerPrefix+"X-Late", "late")
	})
	f := newFront(t, setup{URL: server.URL})
	c := dial(t, f.host())
	c.send(t, "POST / HTTP/1.1", "Host: fake.test", "TE: trailers", "Trailer: X-Request",
		"Transfer-Encoding: chunked", "", "4", "body", "0", "X-Request: of the request", "")
	response := c.readAnswer(t)
	body, err := io.ReadAll(response.Body)
	if err != nil || string(body) != "body" {
		t.Errorf("the body is %q: %v", body, err)
	}
	want := http.Header{"X-Announced": {"of the request"}, "X-Late": {"late"}}
	if !maps.EqualFunc(response.Trailer, want, slices.Equal) {
		t.Errorf("the trailers are %v, want %v", response.Trailer, want)
	}
}

// Answers with a status of 1xx go on at once. CORS and what else the caller has set are in the
// answer itself, and not lost.
func TestInformationalAnswers(t *testing.T) {
	t.Parallel()
	goOn := make(chan bool)
	server := newUpstream(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Link", "</style.css>; rel=preload")
		w.WriteHeader(http.StatusEarlyHints)
		<-goOn
		w.Header().Set("X-Late", "late")
		io.WriteString(w, "body")
	})
	f := newFront(t, setup{
		URL:         server.URL,
		Header:      http.Header{"Access-Control-Allow-Origin": {"*"}, "Vary": {"Origin"}},
		ReplaceCORS: true,
	})
	hints := make(chan http.Header, 1)
	trace := &httptrace.ClientTrace{
		Got1xxResponse: func(status int, header textproto.MIMEHeader) error {
			if status != http.StatusEarlyHints {
				t.Errorf("the first status is %d", status)
			}
			if len(f.begun) != 0 {
				t.Error("the answer has begun")
			}
			hints <- http.Header(header)
			close(goOn)
			return nil
		},
	}
	r := newRequest(t, http.MethodGet, f.URL, nil)
	response, body := do(t,
		f.Client(),
		r.WithContext(httptrace.WithClientTrace(r.Context(), trace)),
	)
	if early := receive(t, hints); early.Get("Link") == "" || len(early) != 1 {
		t.Errorf("the early headers are %v", early)
	}
	header := response.Header
	if body != "body" || header.Get("X-Late") != "late" ||
		header.Get("Access-Control-Allow-Origin") != "*" || header.Get("Vary") != "Origin" {
		t.Errorf("the answer is %q, with %v", body, header)
	}
}

// The client receives our CORS headers or the upstream's, and never both. Where credentials are
// allowed, an asterisk would expose no header, so that their names are listed.
func TestCORS(t *testing.T) {
	t.Parallel()
	theirs := http.Header{
		"Access-Control-Allow-Origin":   {"https://app.example.com"},
		"Access-Control-Expose-Headers": {"X-Theirs"},
		"Vary":                          {"Accept"},
	}
	anybody := http.Header{
		"Access-Control-Allow-Origin":   {"*"},
		"Access-Control-Expose-Headers": {"*"},
		"Vary":                          {"Origin"},
	}
	listed := http.Header{
		"Access-Control-Allow-Origin":      {"http://localhost:5173"},
		"Access-Control-Allow-Credentials": {"true"},
		"Access-Control-Expose-Headers":    {"*"},
		"Vary":                             {"Origin"},
	}
	for name, tt := range map[string]struct {
		own     http.Header
		replace bool
		want    http.Header
	}{
		"left alone": {nil, false, theirs},
		"nobody": {
			http.Header{"Vary": {"Origin"}}, true,
			http.Header{"Vary": {"Origin", "Accept"}},
		},
		"anybody": {
			anybody, true,
			http.Header{
				"Access-Control-Allow-Origin":   {"*"},
				"Access-Control-Expose-Headers": {"*"},
				"Vary":                          {"Origin", "Accept"},
			},
		},
		"listed": {
			listed, true,
			http.Header{
				"Access-Control-Allow-Origin":      {"http://localhost:5173"},
				"Access-Control-Allow-Credentials": {"true"},
				"Access-Control-Expose-Headers": {
					"Content-Length, Content-Type, Date, Vary, X-Own",
				},
				"Vary": {"Origin", "Accept"},
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := newUpstream(t, func(w http.ResponseWriter, r *http.Request) {
				maps.Copy(w.Header(), theirs.Clone())
				w.Header().Set("X-Own", "own")
				w.Header().Set("Set-Cookie", "a=1")
				io.WriteString(w, "body")
			})
			f := newFront(t,
				setup{URL: server.URL, Header: tt.own.Clone(), ReplaceCORS: tt.replace})
			response, _ := f.get(t, "/")
			maps.DeleteFunc(response.Header, func(name string, _ []string) bool {
				return name != "Vary" && !strings.HasPrefix(name, "Access-Control-")
			})
			if !maps.EqualFunc(response.Header, tt.want, slices.Equal) {
				t.Errorf("the headers are\n%v, want\n%v", response.Header, tt.want)
			}
		})
	}
}

// What the upstream says of its host does not become true of ours.
func TestHeadersOfTheHost(t *testing.T) {
	t.Parallel()
	server := newUpstream(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Strict-Transport-Security", "max-age=31536000; includeSubDomains")
		w.Header().Set("Alt-Svc", `h3=":443"`)
		w.Header().Set("Content-Security-Policy", "default-src 'none'")
	})
	f := newFront(t, setup{URL: server.URL})
	response, _ := f.get(t, "/")
	for name, want := range map[string]string{
		"Strict-Transport-Security": "",
		"Alt-Svc":                   "",
		"Content-Security-Policy":   "default-src 'none'",
	} {
		if got := response.Header.Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}

// What the caller has set before is still there when it answers itself.
func TestHeadersOfTheCallerStay(t *testing.T) {
	t.Parallel()
	server := newUpstream(t, func(http.ResponseWriter, *http.Request) {})
	server.Close()
	f := newFront(t, setup{URL: server.URL, Header: http.Header{"Vary": {"Origin"}}})
	response, _ := f.get(t, "/")
	if response.StatusCode != http.StatusBadGateway || response.Header.Get("Vary") != "Origin" {
		t.Errorf("the answer is %s, with %v", response.Status, response.Header)
	}
}
