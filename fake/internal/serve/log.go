package serve

import (
	"context"
	"log/slog"
	"time"

	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fake/internal/words"
	"example.com/campaignfake/fixtures/text"
)

// log writes the line of the access log, once. Preflights have none, since browsers send one with
// each request: they are in the journal.
func (x *exchange) log() {
	if x.isLogged || x.arrival.Route == plan.Preflight {
		return
	}
	x.isLogged = true
	url := x.received.URL
	var query slog.Attr // which the log leaves out if it is zero
	if url.RawQuery != "" && !x.isForUpstream() {
		query = slog.String("ignored_query", words.CutInput(maskQuery(url.RawQuery)))
	}
	x.engine.LogOf(x.token).LogAttrs(context.Background(), x.level(), "request",
		slog.String("method", words.CutInput(x.received.Method)),
		slog.String("path", words.CutInput(url.Path)),
		query,
		slog.Int("status", x.entry.Status),
		slog.String("token", x.shownToken()),
		slog.Float64("duration_ms", float64(x.entry.Duration)/float64(time.Millisecond)),
		slog.String("reason", x.entry.Reason),
	)
}

// level returns the level of the line: what the client should change is a warning, which a quiet
// log has, too.
func (x *exchange) level() slog.Level {
	isWithoutToken := x.token == "" && x.arrival.Route == plan.Campaigns
	isWrong := x.entry.Unmatched || isWithoutToken || x.reason.HasWrongToken()
	hasIgnoredQuery := x.entry.IgnoredQuery != ""
	if isWrong || hasIgnoredQuery || x.reason.IsFailure() {
		return slog.LevelWarn
	}
	return slog.LevelInfo
}

// shownToken returns the token as the log has it. One that nobody was given may be a secret, but
// that of a test is none.
func (x *exchange) shownToken() string {
	user := x.arrival.User
	isLogin := user != nil && user.IsOfUpstream
	isGiven := x.arrival.IsKnown && !isLogin
	isOfTest := x.engine.Sharing.HasMade(x.token)
	if x.token == "" || isGiven || isOfTest || x.reason.HasWrongToken() {
		return x.token
	}
	return words.Mask(x.token)
}

// hidden matches what maskQuery hides, after the name of each parameter.
var hidden = text.Pattern(`(^|&)([^&=]+=)?[^&]*`)

// maskQuery hides the values of a query, which may be secrets, as may a parameter that has
// no value.
func maskQuery(query string) string {
	return hidden().ReplaceAllString(query, "$1$2…")
}
