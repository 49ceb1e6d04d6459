package serve_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"net/textproto"
	"net/url"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"example.com/campaignfake/fake/internal/engine"
	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fake/internal/serve"
	"example.com/campaignfake/fake/internal/upstream"
	"example.com/campaignfake/fake/internal/wire"
	"example.com/campaignfake/fake/journal"
	"example.com/campaignfake/fixtures"
)

// withFallback has a handler answer other requests.
func withFallback(api http.HandlerFunc) func(*plan.Setup) {
	return func(s *plan.Setup) { s.Fallback = api }
}

// newPassing returns a handler that passes other requests on to an upstream, in memory.
func newPassing(t *testing.T, api http.HandlerFunc, options ...func(*plan.Setup)) *serve.Handler {
	t.Helper()
	listener := wire.NewMemoryListener()
	server := &http.Server{Handler: api}
	go server.Serve(listener)
	t.Cleanup(func() { server.Close() })
	base := &url.URL{Scheme: "http", Host: wire.MemoryHost}
	withUpstream := func(s *plan.Setup) { s.Upstream = base }
	h := newHandler(t, append(options, withUpstream)...)
	h.Upstream = upstream.New(base)
	h.Upstream.Transport.DialContext = listener.DialContext
	t.Cleanup(h.Upstream.Close)
	return h
}

// eachAnswerer runs a test in a bubble for a fallback, and for an upstream that is the same
// handler.
func eachAnswerer(
	t *testing.T, api http.HandlerFunc, test func(*testing.T, *serve.Handler),
	options ...func(*plan.Setup),
) {
	t.Helper()
	for name, start := range map[string]func(*testing.T) *serve.Handler{
		"fallback": func(t *testing.T) *serve.Handler {
			return newHandler(t, append(slices.Clip(options), withFallback(api))...)
		},
		"upstream": func(t *testing.T) *serve.Handler {
			return newPassing(t, api, slices.Clip(options)...)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) { test(t, start(t)) })
		})
	}
}

// entryOf returns the journal's entry of the latest request, when nothing is left to run in the
// bubble.
func entryOf(h *serve.Handler) journal.Request {
	synctest.Wait()
	entries := h.Engine.Requests(engine.Scope{})
	return entries[len(entries)-1].Request
}

// A connected is a client's connection in memory. It is written and read as text.
type connected struct {
	net.Conn
	reader *bufio.Reader
}

// connect serves a handler until the test ends, connects to it, and sends lines.
func connect(t *testing.T, h http.Handler, lines ...string) connected {
	t.Helper()
	listener := wire.NewMemoryListener()
	server := &http.Server{Handler: h}
	go server.Serve(listener)
	t.Cleanup(func() { server.Close() })
	conn, err := listener.DialContext(t.Context(), "tcp", wire.MemoryHost+":80")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	io.WriteString(conn, strings.Join(lines, "\r\n")+"\r\n")
	return connected{conn, bufio.NewReader(conn)}
}

// answer reads an answer.
func (c connected) answer(t *testing.T) *http.Response {
	t.Helper()
	response, err := http.ReadResponse(c.reader, nil)
	if err != nil {
		t.Fatal(err)
	}
	return response
}

// breaking is a user with a reply for which each connection is used only once.
var breaking = withUser("alice",
	fixtures.User{Replies: []fixtures.Reply{{Fault: fixtures.FaultReset}}})

// Our headers are in the final answer: our CORS headers replace the CORS headers of the upstream or
// the fallback, and expose the names of their other headers; and Connection: close. An answer of
// 1xx before it has neither our headers nor headers about the connection.
func TestPassedOnHeaders(t *testing.T) {
	t.Parallel()
	api := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Link", "</style.css>; rel=preload")
		w.Header().Set("Keep-Alive", "timeout=5")
		w.WriteHeader(http.StatusEarlyHints)
		w.Header().Del("Keep-Alive")
		w.Header().Set("Access-Control-Allow-Origin", "https://other.example")
		w.Header().Set("Vary", "Accept")
		w.Header().Set("X-Own", "own")
		w.Header().Set("X-Origin", r.Header.Get("Origin"))
		w.WriteHeader(http.StatusTeapot)
	}
	eachAnswerer(t, api, func(t *testing.T, h *serve.Handler) {
		var early textproto.MIMEHeader
		trace := &httptrace.ClientTrace{
			Got1xxResponse: func(_ int, header textproto.MIMEHeader) error {
				early = header
				return nil
			},
		}
		ctx := httptrace.WithClientTrace(t.Context(), trace)
		r, _ := http.NewRequestWithContext(ctx, "GET", "http://"+wire.MemoryHost+"/api/me", nil)
		r.Header.Set("Origin", page)
		response, err := clientOf(t, h).Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		if len(early) != 1 || early.Get("Link") == "" {
			t.Errorf("the early headers are %v, want Link alone", early)
		}
		header := response.Header
		exposed := strings.Split(header.Get("Access-Control-Expose-Headers"), ", ")
		isOurs := slices.Equal(header["Access-Control-Allow-Origin"], []string{page}) &&
			header.Get("Access-Control-Allow-Credentials") == "true" &&
			slices.Equal(header["Vary"], []string{"Origin", "Accept"})
		if !isOurs || !slices.Contains(exposed, "X-Own") {
			t.Errorf("the headers are %v", header)
		}
		origin := page
		if h.Upstream != nil {
			origin = "http://" + wire.MemoryHost // because the page may send cookies
		}
		if got := header.Get("X-Origin"); got != origin {
			t.Errorf("whoever answers has received the origin %s, want %s", got, origin)
		}
		entry := entryOf(h)
		if entry.Status != http.StatusTeapot || entry.Answer.Header.Get("X-Own") != "own" ||
			entry.Answer.Header.Get("Connection") != "close" {
			t.Errorf("the journal has %+v", entry)
		}
	}, breaking)
}

// If CORS is off, the CORS headers of the upstream or the fallback stay.
func TestPassedOnWithoutCORS(t *testing.T) {
	t.Parallel()
	api := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "https://other.example")
	}
	off := withService(fixtures.Service{CORS: []string{fixtures.CORSOff}})
	eachAnswerer(t, api, func(t *testing.T, h *serve.Handler) {
		got := ask(h, "GET", "/api/me", http.Header{"Origin": {page}}).Header()
		if got.Get("Access-Control-Allow-Origin") != "https://other.example" {
			t.Errorf("the headers are %v", got)
		}
	}, off)
}

// Each part of a body is sent on at once, in both directions. The journal has the length when that
// is known.
func TestPassedOnBodies(t *testing.T) {
	t.Parallel()
	api := func(w http.ResponseWriter, r *http.Request) {
		half, rest := make([]byte, 4), make([]byte, 4)
		io.ReadFull(r.Body, half)
		received := time.Now()
		io.ReadFull(r.Body, rest)
		if time.Since(received) < time.Second {
			t.Error("the first half of the request has come with the rest")
		}
		w.Header().Set("Content-Length", "8")
		w.Write(half)
		http.NewResponseController(w).Flush()
		time.Sleep(time.Second)
		w.Write(rest)
	}
	eachAnswerer(t, api, func(t *testing.T, h *serve.Handler) {
		c := connect(t, h, "POST /api/files HTTP/1.1", "Host: fake.test", "Content-Length: 8", "")
		io.WriteString(c, "half")
		time.Sleep(time.Second)
		io.WriteString(c, "rest")
		response := c.answer(t)
		half := make([]byte, 4)
		start := time.Now()
		io.ReadFull(response.Body, half)
		if took := time.Since(start); string(half) != "half" || took >= time.Second {
			t.Errorf("after %s, %q has come", took, half)
		}
		if got := entryOf(h).Answer.Bytes; got != 8 {
			t.Errorf("when the answer has begun, the journal has %d bytes", got)
		}
		body, err := bodyOf(response)
		if body != "rest" || err != nil {
			t.Errorf("then comes %q: %v", body, err)
		}
		if answer := entryOf(h).Answer; answer.Sent != 8 || answer.Body != "" {
			t.Errorf("the journal has %+v", answer)
		}
	})
}

// upgradeOf takes the connection for a WebSocket, and returns it.
func upgradeOf(w http.ResponseWriter) net.Conn {
	w.Header().Set("Connection", "Upgrade")
	w.Header().Set("Upgrade", "websocket")
	w.Header().Set("X-Own", "own")
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(err)
	}
	io.WriteString(conn, "HTTP/1.1 101 Switching Protocols\r\n")
	w.Header().Write(conn)
	io.WriteString(conn, "\r\n")
	return conn
}

// echo upgrades the connection, and repeats each line that it is sent.
func echo(w http.ResponseWriter, _ *http.Request) {
	conn := upgradeOf(w)
	defer conn.Close()
	lines := bufio.NewScanner(conn)
	for lines.Scan() {
		fmt.Fprintln(conn, "got "+lines.Text())
	}
}

// upgrade asks for a WebSocket.
func upgrade(t *testing.T, h *serve.Handler) connected {
	t.Helper()
	return connect(t, h, "GET /api/live HTTP/1.1", "Host: fake.test", "Origin: "+page,
		"Connection: Upgrade", "Upgrade: websocket", "")
}

// An upgraded connection has our headers, except Connection: close.
func TestPassedOnUpgrade(t *testing.T) {
	t.Parallel()
	eachAnswerer(t, echo, func(t *testing.T, h *serve.Handler) {
		c := upgrade(t, h)
		response := c.answer(t)
		header := response.Header
		if response.StatusCode != 101 || header.Get("Upgrade") != "websocket" ||
			!slices.Equal(header["Connection"], []string{"Upgrade"}) ||
			header.Get("Access-Control-Allow-Origin") != page ||
			!slices.Equal(header["X-Own"], []string{"own"}) {
			t.Errorf("the answer is %s, with %v", response.Status, header)
		}
		if entry := entryOf(h); entry.Status != 101 {
			t.Errorf("the journal has %+v", entry)
		}
		io.WriteString(c, "a line\n")
		if got, _ := c.reader.ReadString('\n'); got != "got a line\n" {
			t.Errorf("%q comes back", got)
		}
		c.Close()
		got := entryOf(h).Reason
		if !strings.HasSuffix(got, "; it lasted until one side ended it") {
			t.Errorf("the reason is %s", got)
		}
	}, breaking)
}

// When the server ends, a request that waits for its answer, or a stream, ends at once. Any other
// answer that has begun may finish.
func TestPassedOnAtTheEnd(t *testing.T) {
	t.Parallel()
	begin := func(w http.ResponseWriter, text string) {
		io.WriteString(w, text)
		http.NewResponseController(w).Flush()
	}
	const lasted = "; it lasted until the server was closed"
	for name, tt := range map[string]struct {
		api    http.HandlerFunc
		body   string // the body that the client gets
		reason string // the end of the reason
	}{
		"waiting": {
			api: func(_ http.ResponseWriter, r *http.Request) {
				<-r.Context().Done()
				panic(http.ErrAbortHandler)
			},
		},
		"begun": {
			api: func(w http.ResponseWriter, r *http.Request) {
				begin(w, "begun")
				select {
				case <-time.After(time.Second):
					io.WriteString(w, ", done")
				case <-r.Context().Done():
				}
			},
			body: "begun, done",
		},
		"events": {
			api: func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "text/event-stream")
				begin(w, "data: 1\n\n")
				<-r.Context().Done()
			},
			body:   "data: 1\n\n",
			reason: lasted,
		},
		"upgraded, and nobody reads": {
			api: func(w http.ResponseWriter, r *http.Request) {
				conn := upgradeOf(w)
				defer conn.Close()
				io.WriteString(conn, strings.Repeat("x", 1<<20))
			},
			reason: lasted,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			eachAnswerer(t, tt.api, func(t *testing.T, h *serve.Handler) {
				isUpgraded := strings.HasPrefix(name, "upgraded")
				c := upgrade(t, h)
				var response *http.Response
				if tt.body != "" || isUpgraded {
					response = c.answer(t)
				}
				synctest.Wait()
				end := time.Now()
				h.Engine.Close()
				got := ""
				if !isUpgraded && response != nil {
					got, _ = bodyOf(response)
				}
				if got != tt.body {
					t.Errorf("the client receives %q, want %q", got, tt.body)
				}
				h.Engine.Wait(time.Hour)
				isAtOnce := time.Since(end) == 0
				if isAtOnce == (name == "begun") {
					t.Errorf("the request ends after %s", time.Since(end))
				}
				if got := entryOf(h).Reason; !strings.HasSuffix(got, tt.reason) {
					t.Errorf("the reason is %s, want %s", got, tt.reason)
				}
			})
		})
	}
}

// If the client goes away, the request ends, and the upstream or the fallback has not failed.
func TestPassedOnWhoseClientGoes(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		lines   []string
		isBegun bool // the client goes away after the answer has begun
		reason  string
	}{
		"in the request": {
			lines: []string{
				"POST /api/read HTTP/1.1", "Host: fake.test", "Content-Length: 8", "", "half",
			},
			reason: "; nothing was sent until the client went away",
		},
		"in the answer": {
			lines:   []string{"GET /api/write HTTP/1.1", "Host: fake.test", ""},
			isBegun: true,
			reason:  "; 0 of 8 bytes were sent before the client went away",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				h := newPassing(t, func(w http.ResponseWriter, r *http.Request) {
					if tt.isBegun {
						w.Header().Set("Content-Length", "8")
						http.NewResponseController(w).Flush()
					}
					io.Copy(io.Discard, r.Body)
					<-r.Context().Done()
				})
				c := connect(t, h, tt.lines...)
				if tt.isBegun {
					c.answer(t)
				}
				synctest.Wait()
				c.Close()
				entry := entryOf(h)
				isRight := strings.HasSuffix(entry.Reason, tt.reason)
				if !isRight || !entry.Complete || entry.Broken != tt.isBegun {
					t.Errorf("the journal has %+v, want %s", entry, tt.reason)
				}
			})
		})
	}
}

// A fallback may go on writing without noticing that the client has gone away, but the journal says
// so.
func TestFallbackWhoseClientGoes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newHandler(t, withFallback(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1000000")
			time.Sleep(time.Second)
			io.WriteString(w, strings.Repeat("x", 1_000_000))
		}))
		c := connect(t, h, "GET /api/me HTTP/1.1", "Host: fake.test", "")
		c.Close()
		time.Sleep(2 * time.Second)
		entry := entryOf(h)
		const want = "of 1000000 bytes were sent before the client went away"
		if !strings.HasSuffix(entry.Reason, want) || !entry.Broken {
			t.Errorf("the journal has %+v", entry)
		}
	})
}

// A body that a fallback writes to an answer without a body is dropped, and does not count as lost.
func TestFallbackWithoutABody(t *testing.T) {
	t.Parallel()
	for method, status := range map[string]int{"HEAD": http.StatusOK, "GET": http.StatusNoContent} {
		synctest.Test(t, func(t *testing.T) {
			h := newHandler(t, withFallback(func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(status)
				io.WriteString(w, "a body")
			}))
			connect(t, h, method+" /api/me HTTP/1.1", "Host: fake.test", "").answer(t)
			entry := entryOf(h)
			if entry.Answer.Sent != 0 || entry.Broken || entry.Reason != "answered by the fallback" {
				t.Errorf("after %s, the journal has %+v", method, entry)
			}
		})
	}
}

// A fallback may begin its answer by a flush. This answer has our headers, too.
func TestFallbackThatFlushes(t *testing.T) {
	t.Parallel()
	h := newHandler(t, withFallback(func(w http.ResponseWriter, _ *http.Request) {
		w.(http.Flusher).Flush()
	}))
	w := ask(h, "GET", "/api/me", http.Header{"Origin": {page}})
	if w.Result().Header.Get("Access-Control-Allow-Origin") != page || !w.Flushed {
		t.Errorf("the answer has %v, flushed: %t", w.Result().Header, w.Flushed)
	}
}

// If the upstream or the fallback breaks its answer off, the client first gets everything that was
// written, and then the connection breaks.
func TestPassedOnBrokenOff(t *testing.T) {
	t.Parallel()
	api := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "8")
		io.WriteString(w, "half")
		http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}
	eachAnswerer(t, api, func(t *testing.T, h *serve.Handler) {
		c := connect(t, h, "GET /api/me HTTP/1.1", "Host: fake.test", "")
		body, err := bodyOf(c.answer(t))
		if body != "half" || err != io.ErrUnexpectedEOF {
			t.Errorf("the client receives %q, %v", body, err)
		}
		entry := entryOf(h)
		by := "the fallback"
		if h.Upstream != nil {
			by = "the upstream " + wire.MemoryHost
		}
		want := by + " ended the connection in the middle of its answer, after 4 bytes"
		if !strings.HasSuffix(entry.Reason, "; "+want) || !entry.Broken || entry.Status != 200 {
			t.Errorf("the journal has %+v, want %s", entry, want)
		}
	})
}

// A stream has a line in the log when it begins, and one when it ends. Other answers have one line.
func TestPassedOnStreamIsLoggedTwice(t *testing.T) {
	t.Parallel()
	for contentType, want := range map[string]int{"text/event-stream": 2, "text/plain": 1} {
		var log bytes.Buffer
		whileOpen := 0
		api := func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", contentType)
			io.WriteString(w, "data: 1\n\n")
			whileOpen = strings.Count(log.String(), "\n")
		}
		ask(newHandler(t, withLog(&log), withFallback(api)), "GET", "/api/events", nil)
		if got := strings.Count(log.String(), "\n"); got != want || whileOpen != want-1 {
			t.Errorf("%s: of %d lines, %d are there while it lasts:\n%s",
				contentType, got, whileOpen, &log)
		}
	}
}

// The handler of WithFallback gets the request as it came, with its whole body, the base path, and
// any host. If it writes nothing, the answer is an empty 200. The journal does not mask its
// cookies, because they belong to a test.
func TestFallbackGetsTheRequest(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		got := ""
		h := newHandler(t, withFallback(func(_ http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			got = r.Method + " " + r.RequestURI + " " + string(body)
		}))
		c := connect(t, h, "PUT /api/files/a%2Fb?c;d HTTP/1.1", "Host: app.example", "Cookie: sid=1",
			"Content-Length: 6", "", "a body")
		response := c.answer(t)
		if response.StatusCode != http.StatusOK || response.ContentLength != 0 {
			t.Errorf("the answer is %+v", response)
		}
		if want := "PUT /api/files/a%2Fb?c;d a body"; got != want {
			t.Errorf("the handler gets %s, want %s", got, want)
		}
		entry := entryOf(h)
		isRight := entry.PassedOn && entry.Reason == "answered by the fallback"
		if !isRight || entry.Status != http.StatusOK || entry.Header.Get("Cookie") != "sid=1" {
			t.Errorf("the journal has %+v", entry)
		}
	})
}

// With a fallback, a nearly right path still fails a strict test. For an unknown path, the handler
// answers its own 404.
func TestFallbackIsStrict(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"/api/nobody?page=2": "",
		listPath + "/":       "it ends in a slash",
		listPath + "?page=2": "a query parameter was sent",
	} {
		var tb recorder
		h := newHandler(t, withTest(&tb), withFallback(http.NotFound))
		ask(h, "GET", path, bearer("alice"))
		failures := strings.Join(tb.failures, "\n")
		if !strings.Contains(failures, want) || (failures == "") != (want == "") {
			t.Errorf("after %s, the test fails with %q", path, failures)
		}
	}
}

// Queries that the upstream may read are no mistake, neither for a strict test nor in the log.
func TestQueriesForTheUpstream(t *testing.T) {
	t.Parallel()
	var tb recorder
	var log bytes.Buffer
	h := newPassing(t, func(http.ResponseWriter, *http.Request) {}, withTest(&tb), withLog(&log),
		withService(fixtures.Service{UnknownTokens: fixtures.UnknownTokensUpstream}))
	h.Engine.Enqueue("login", []fixtures.Reply{{Status: 503}})
	for _, path := range []string{"/api/other?page=2", listPath + "?page=2", listPath + "?page=2"} {
		ask(h, "GET", path, bearer("login"))
	}
	for _, entry := range h.Engine.Requests(engine.Scope{}) {
		if entry.Request.IgnoredQuery != "" {
			t.Errorf("the journal has %+v", entry.Request)
		}
	}
	isLogged := strings.Contains(log.String(), "query")
	if tb.failures != nil || isLogged || strings.Count(log.String(), "passed on") != 2 {
		t.Errorf("the test fails with %q, and the log has\n%s", tb.failures, &log)
	}
}

// Sessions of the upstream are not in the journal: neither in requests nor in answers.
func TestPassedOnCookiesAreMasked(t *testing.T) {
	t.Parallel()
	h := newPassing(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Set-Cookie", "sid=secret; Path=/")
	})
	w := ask(h, "GET", "/api/session", http.Header{"Cookie": {"sid=secret"}})
	if got := w.Header().Get("Set-Cookie"); got != "sid=secret; Path=/" {
		t.Errorf("the client gets the cookie %s", got)
	}
	entry := h.Engine.Requests(engine.Scope{})[0].Request
	received, sent := entry.Header.Get("Cookie"), entry.Answer.Header.Get("Set-Cookie")
	if received != "sid=…" || sent != "sid=…; Path=/" {
		t.Errorf("the journal has the cookies %q and %q", received, sent)
	}
}

// A host name that somebody can register may lead here by DNS rebinding: nothing is passed on.
func TestNothingIsPassedOnForForeignHosts(t *testing.T) {
	t.Parallel()
	h := newPassing(t, func(http.ResponseWriter, *http.Request) {})
	r := newRequest("GET", "/api/me", nil)
	r.Host = "evil.example"
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	entry := h.Engine.Requests(engine.Scope{})[0].Request
	if w.Code != http.StatusForbidden || !strings.Contains(w.Body.String(), "evil.example") ||
		entry.PassedOn || !strings.HasPrefix(entry.Reason, "not passed on, since the host") {
		t.Errorf("it is answered %d %s, and the journal has %+v", w.Code, w.Body, entry)
	}
}

// If an upstream does not answer, the client gets a 502 that pages can read, and the log has a
// warning.
func TestUpstreamThatIsDown(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	h := newPassing(t, func(http.ResponseWriter, *http.Request) {}, withLog(&log))
	h.Upstream.Transport.DialContext = func(context.Context, string, string) (net.Conn, error) {
		return nil, &net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}
	}
	w := ask(h, "GET", "/api/me", http.Header{"Origin": {page}})
	const reason = "pstream " + wire.MemoryHost + " is not there: nothing listens at port 80; " +
		"start it, or correct its URL"
	isRight := w.Code == http.StatusBadGateway &&
		w.Header().Get("Access-Control-Allow-Origin") == page &&
		strings.Contains(w.Body.String(), `"The u`+reason+`."`)
	if !isRight {
		t.Errorf("it is answered %d %v %s", w.Code, w.Header(), w.Body)
	}
	if !strings.Contains(log.String(), "level=WARN") ||
		!strings.Contains(log.String(), "not answered by the upstream: the u"+reason) {
		t.Errorf("the log has %s", &log)
	}
}
