package fake

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"runtime/debug"
	"time"
	"unicode/utf8"

	"example.com/campaignfake/fake/internal/wire"
)

// An exchange is one request to the API and its answer. Handlers write through it,
// so that the journal is complete before the client has the whole answer.
type exchange struct {
	http.ResponseWriter
	server   *Server
	r        *http.Request
	path     string // as it was sent
	at       time.Time
	received []byte // packed for the journal
	inFlight inFlight

	// What was in force when the request arrived; see state.arrive.
	snapshot *snapshot
	route    route
	account  *account
	token    string
	user     *user // nil if the token has none
	known    bool  // the user was given, and is not an unknown token's
	deviates bool  // a rate limit, a reply, chaos or a delay may apply to it
	usesOnce bool  // the connection is not used for another request
	number   int   // in the journal
	reset    int   // how often the numbers had started over

	// What the steps have decided.
	preferred bool   // the answer is the one that the Prefer header asks for
	plain     bool   // nothing but the normal answer is left for it: its turn counts when it is complete
	turn      turn   // that limitRate has taken; with Prefer, its number alone
	reply     *reply // nil for the normal answer

	body      []byte // of the answer
	sent      []byte // what the journal keeps of it, packed
	status    int
	reason    string
	remark    string // added to whatever the reason is
	duration  time.Duration
	broken    bool // a fault breaks the answer
	completed bool

	drained  bool         // somebody has read the body of the request
	rest     wire.Drained // what became of that
	hijacked net.Conn     // nil if the connection is still net/http's
}

// ServeHTTP answers one request.
//
// A request is entered into the journal when it arrives, and then goes through the
// steps, in their order: see steps.go.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if isControl(r.URL.Path) {
		s.serveControl(w, r, false)
		return
	}
	x, ok := s.exchanges.Get().(*exchange)
	if !ok {
		x = &exchange{received: make([]byte, 0, 512)}
	}
	x.ResponseWriter, x.server, x.r, x.path, x.at = w, s, r, r.URL.EscapedPath(), time.Now()
	x.inFlight.w, x.inFlight.r = w, r
	x.token, _ = bearerToken(r.Header)
	x.received = packRequest(x.received[:0], r)
	if !s.state.arrive(x) {
		http.Error(w, "The server is closed.", http.StatusServiceUnavailable)
		return
	}
	defer x.leave()
	defer x.end()
	if x.usesOnce || s.test != nil {
		w.Header().Set("Connection", "close")
	}
	if r.Close {
		x.drain()
	}
	for _, step := range steps {
		if step(x) {
			return
		}
	}
}

// end is deferred: the steps are done, or one has panicked.
func (x *exchange) end() {
	wire.LimitRest(x.ResponseWriter, x.r)
	p := recover()
	if p != nil {
		x.complete(0, fmt.Sprintf("the handler panicked: %v", p))
	}
	x.server.logExchange(x)
	if p != nil {
		x.server.panicked(x.r, p)
	}
}

// leave is deferred, and called after end even if that panics: closing the server
// waits for it.
func (x *exchange) leave() {
	s := x.server
	s.state.leave(&x.inFlight)
	*x = exchange{sent: x.sent[:0], received: x.received[:0]}
	s.exchanges.Put(x)
}

// panicked tells a strict test that a handler has panicked, and goes on with the
// panic. Where a test was told, net/http does not log it once more.
func (s *Server) panicked(r *http.Request, p any) {
	if p != http.ErrAbortHandler {
		s.test.fail("campaignfake: the handler panicked on %s: %v\n%s", describe(r), p, debug.Stack())
	}
	if s.test != nil {
		p = http.ErrAbortHandler
	}
	panic(p)
}

// because says why the answer is what it will be.
func (x *exchange) because(format string, args ...any) { x.reason = fmt.Sprintf(format, args...) }

// WriteHeader completes the entry in the journal, and sends the header.
func (x *exchange) WriteHeader(status int) {
	x.complete(status, x.reason)
	x.ResponseWriter.WriteHeader(status)
}

// flush sends what has been written so far.
func (x *exchange) flush() { http.NewResponseController(x.ResponseWriter).Flush() }

// Unwrap is for http.ResponseController.
func (x *exchange) Unwrap() http.ResponseWriter { return x.ResponseWriter }

// complete enters the answer into the journal, unless it is there. Status 0 stands
// for no answer.
func (x *exchange) complete(status int, reason string) {
	if x.completed {
		return
	}
	x.completed = true
	x.status, x.reason = status, reason+x.remark
	x.duration = time.Since(x.at)
	if status != 0 {
		x.sent = packHeader(pack(x.sent[:0], start(x.body)), x.Header())
	}
	x.server.state.complete(x, answered{true, x.broken, status, x.reason, x.duration, x.sent, len(x.body)})
}

// start returns the first bytes of a body, which the journal keeps.
func start(body []byte) []byte {
	if len(body) <= answerBytes {
		return body
	}
	end := answerBytes
	for end > answerBytes-utf8.UTFMax && !utf8.RuneStart(body[end]) {
		end--
	}
	return body[:end]
}

// amend adds to the reason of an answer that ended early, or never came.
func (x *exchange) amend(format string, args ...any) {
	x.reason += fmt.Sprintf(format, args...)
	x.server.state.explain(x, true)
}

// endedEarly adds to the reason that not all of a body could be sent.
func (x *exchange) endedEarly(sent, length int) {
	x.amend("; %d of %d bytes were sent before %s", sent, length, x.ended())
}

// logExchange writes the line of the access log.
func (s *Server) logExchange(x *exchange) {
	log := s.config.logger
	if log == nil {
		return
	}
	level := slog.LevelInfo
	if !x.route.matched() {
		level = slog.LevelWarn
	}
	if !log.Enabled(context.Background(), level) {
		return
	}
	token := x.token
	if token != "" && !x.known {
		token = mask(token)
	}
	log.LogAttrs(context.Background(), level, "request",
		slog.String("method", shorten(x.r.Method)),
		slog.String("path", shorten(x.r.URL.Path)),
		slog.Int("status", x.status),
		slog.String("token", token),
		slog.Float64("duration_ms", float64(x.duration)/float64(time.Millisecond)),
		slog.String("reason", x.reason))
}

// mask hides a token that may be somebody's real one.
func mask(token string) string {
	const shown = 4
	if len(token) < 4*shown {
		return "…"
	}
	return token[:shown] + "…"
}
