package fake

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"runtime/debug"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gorilla/mux"
)

// ServeHTTP answers one request.
//
// A request is entered into the journal when it arrives. What follows is in
// this order: preflight, route (404, 405), credentials (401), Prefer, rate limit
// (429), the user's next reply, chaos, delay, campaigns.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.serve(w, r, nil)
}

// serve answers one request: by the routes of the control plane, if they are given,
// and otherwise by those that are in force.
func (s *Server) serve(w http.ResponseWriter, r *http.Request, control *mux.Router) {
	x, ok := s.exchanges.Get().(*exchange)
	if !ok {
		x = &exchange{server: s}
	}
	x.ResponseWriter, x.request, x.router = w, r, control
	x.plane = control != nil
	x.outside = x.plane || isOutside(r.URL.Path)
	if !s.arrive(x) {
		http.Error(w, "The server is closed.", http.StatusServiceUnavailable)
		return
	}
	defer s.leave(x)
	if s.fragile.Load() {
		w.Header().Set("Connection", "close")
	}
	if !x.outside {
		x.drainLast()
	}
	if x.router == nil {
		x.router = x.setup.router
	}
	if x.setup.cors == nil || x.outside { // what is no part of the service is not for other origins
		s.route(x)
		return
	}
	x.setup.cors.ServeHTTP(x, r, s.shared)
}

// share goes on with a request whose answer has its CORS headers.
func (s *Server) share(w http.ResponseWriter, r *http.Request) {
	x := w.(*exchange)
	if isPreflight(r) {
		s.preflight(x)
		return
	}
	s.route(x)
}

// route finds the handler of a request. The router is asked for it alone: its
// own ServeHTTP redirects doubled slashes, and copies the request to attach
// variables to it.
func (s *Server) route(x *exchange) {
	x.match.Vars = noVars
	x.router.Match(x.request, &x.match)
	x.match.Handler.ServeHTTP(x, x.request)
}

// arrive enters a request into the journal. It returns false if the server is
// closed.
func (s *Server) arrive(x *exchange) bool {
	var e *entry
	if !x.outside {
		e = newEntry(&s.entries, x.request)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.handlers.Add(1)
	s.enlist(x)
	x.setup = s.setup.Load()
	if e != nil {
		x.account = s.accounts.arrived(e.token)
		s.tally.count(x.account)
		x.user = x.account.user
		x.treated = x.user != nil && (x.user.treated || len(x.account.script.queue) > 0)
		e.token = x.account.token // one copy for all
		x.entry, x.token, x.at = e, e.token, e.at
		e.version = s.feed.next()
		s.journal.add(e)
		x.journal, x.number = s.journal, e.number
	}
	return true
}

// leave is called when a handler is done, or has panicked. net/http, which takes
// over then, does not need to tell a test again what the test was told here.
func (s *Server) leave(x *exchange) {
	defer s.handlers.Done()
	s.delist(x)
	if body := x.request.Body; body != nil && body != http.NoBody {
		// The server reads what is left of a body before the next request, for
		// which the client has so long, and no longer.
		http.NewResponseController(x.ResponseWriter).SetReadDeadline(time.Now().Add(bodyPatience))
	}
	p := recover()
	if p != nil {
		x.complete(0, fmt.Sprintf("the handler panicked: %v", p))
		if s.strict != nil && p != http.ErrAbortHandler {
			s.strict.Errorf("campaignfake: the handler panicked on %s: %v\n%s", describe(x.request), p, debug.Stack())
		}
	}
	s.logExchange(x)
	switch {
	case p == nil:
		*x = exchange{server: s, sent: x.sent[:0]}
		s.exchanges.Put(x)
	case s.test != nil:
		panic(http.ErrAbortHandler)
	default:
		panic(p)
	}
}

// logExchange writes the line of the access log.
func (s *Server) logExchange(x *exchange) {
	if s.log == nil || x.outside {
		return
	}
	level := slog.LevelInfo
	if x.unmatched {
		level = slog.LevelWarn
	}
	if !s.log.Enabled(context.Background(), level) {
		return
	}
	token := x.token
	if token != "" && !x.account.known {
		token = mask(token)
	}
	s.log.LogAttrs(context.Background(), level, "request",
		slog.String("method", shorten(x.request.Method)),
		slog.String("path", shorten(x.request.URL.Path)),
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

// noVars saves the router a map for each request. None of the routes has a
// variable, so that nothing is ever put into it.
var noVars = map[string]string{}

// An exchange is one request and its answer. Handlers write through it, so that
// the journal is complete before the client has the whole answer.
type exchange struct {
	http.ResponseWriter
	server  *Server
	request *http.Request
	setup   *setup // in force when it arrived
	router  *mux.Router
	plane   bool // it came to a listener of the control plane
	outside bool // it is for no part of the service, and has no entry
	token   string
	at      time.Time
	account *account
	user    *user  // as it was when the request arrived; nil if the token has none
	treated bool   // it may meet more than the normal answer
	plain   bool   // it meets the normal answer, which counts as a turn
	entry   *entry // nil once it is complete
	journal *journal
	number  int // of the entry in it

	gone   bool     // the client is; see drain
	unread bool     // the body is
	taken  net.Conn // from the server, for a fault

	next, previous *exchange // that are going on

	match     mux.RouteMatch
	body      []byte // of the answer
	sent      []byte // what the journal keeps of it, packed
	status    int
	reason    string
	remark    string // to be added to whatever the reason is
	duration  time.Duration
	unmatched bool
	broken    bool // a fault has its way with the body
	completed bool
	kept      int // bytes of the body that the account keeps
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

// note lets the journal say what happens while there is no answer.
func (x *exchange) note() {
	s := x.server
	s.mu.Lock()
	defer s.mu.Unlock()
	x.entry.reason = x.reason
	x.entry.version = s.feed.next()
}

// amend adds to the reason of an exchange that is complete, and whose answer ended
// before its time.
func (x *exchange) amend(format string, args ...any) {
	more := fmt.Sprintf(format, args...)
	x.reason += more
	s := x.server
	s.mu.Lock()
	defer s.mu.Unlock()
	if x.journal == s.journal { // there was no Reset meanwhile
		s.journal.amend(x.number, more, s.feed.next())
	}
}

func (x *exchange) complete(status int, reason string) {
	if x.completed {
		return
	}
	x.completed = true
	x.status, x.reason = status, reason+x.remark
	if x.outside {
		return
	}
	x.duration = time.Since(x.at)
	if status != 0 {
		start := x.body
		if len(start) > answerBytes {
			end := answerBytes
			for end > answerBytes-utf8.UTFMax && !utf8.RuneStart(start[end]) {
				end--
			}
			start = start[:end]
		}
		x.sent = pack(x.sent[:0], start)
		x.sent = packHeader(x.sent, x.Header())
	}
	s := x.server
	s.mu.Lock()
	defer s.mu.Unlock()
	if x.plain {
		x.account.turns++
	}
	if x.unmatched {
		s.tally.countUnmatched(x)
	}
	x.journal.answer(x.entry, answered{true, status, x.reason, x.duration, x.unmatched, x.broken, x.sent, len(x.body)})
	x.entry.version = s.feed.next()
	x.entry = nil
	if x.kept > 0 {
		s.accounts.charge(x.account, x.kept)
	}
}

// isPreflight reports a browser's question whether it may send a request.
func isPreflight(r *http.Request) bool {
	return r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != ""
}

// isOutside reports paths that are no part of the service, whose requests the
// journal leaves out: the control plane, and what browsers ask for by
// themselves.
func isOutside(path string) bool {
	return path == "/" || path == "/favicon.ico" || path == "/.well-known/appspecific/com.chrome.devtools.json" || path == "/_fake" || strings.HasPrefix(path, "/_fake/")
}
