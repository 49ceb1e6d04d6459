package fake

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"example.com/campaignfake/fake/internal/wire"
)

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
	if x.usesOnce || s.usesOnce() {
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

// logExchange writes the line of the access log.
func (s *Server) logExchange(x *exchange) {
	if s.config.logger == nil {
		return
	}
	log := s.config.logger.Handler() // a Logger would look for its caller, the same for every line
	level := slog.LevelInfo
	if !x.route.matched() || x.near != "" || x.placeholder != "" {
		level = slog.LevelWarn
	}
	if !log.Enabled(context.Background(), level) {
		return
	}
	token := x.token
	if token != "" && !x.known && x.near == "" && x.placeholder == "" {
		token = mask(token)
	}
	var query slog.Attr // left out if it is zero
	if x.r.URL.RawQuery != "" {
		query = slog.String("ignored_query", shorten(maskQuery(x.r.URL.RawQuery)))
	}
	line := slog.NewRecord(time.Now(), level, "request", 0)
	line.AddAttrs(
		slog.String("method", shorten(x.r.Method)),
		slog.String("path", shorten(x.r.URL.Path)),
		query,
		slog.Int("status", x.status),
		slog.String("token", token),
		slog.Float64("duration_ms", inMilliseconds(x.duration)),
		slog.String("reason", x.reason))
	log.Handle(context.Background(), line)
}

// maskQuery hides the values of a query, which may be secrets.
func maskQuery(query string) string {
	parameters := strings.Split(query, "&")
	for i, parameter := range parameters {
		if name, _, found := strings.Cut(parameter, "="); found {
			parameters[i] = name + "=…"
		}
	}
	return strings.Join(parameters, "&")
}

// mask hides a token that may be somebody's real one.
func mask(token string) string {
	const shown = 4
	if len(token) < 4*shown {
		return "…"
	}
	return token[:shown] + "…"
}
