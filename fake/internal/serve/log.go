package serve

import (
	"context"
	"log/slog"
	"time"

	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fake/internal/reason"
	"example.com/campaignfake/fake/internal/words"
	"example.com/campaignfake/fake/journal"
	"example.com/campaignfake/fixtures/text"
)

// log writes the line of the access log. Preflights have none, because browsers send one with each
// request. They are in the journal.
func (x *exchange) log() {
	if x.arrival.Route == plan.Preflight {
		return
	}
	log := x.engine.LogOf(x.token)
	level := x.level()
	if !log.Enabled(context.Background(), level) {
		return
	}
	url := x.received.URL
	var query slog.Attr // the log leaves out a zero attribute
	if url.RawQuery != "" && !x.mayReadQuery() {
		query = slog.String("ignored_query", words.CutInput(maskQuery(url.RawQuery)))
	}
	request := &x.entry.Request
	log.LogAttrs(context.Background(), level, journal.LogMessage,
		slog.String("method", words.CutInput(x.received.Method)),
		slog.String("path", words.CutInput(url.Path)),
		query,
		slog.Int("status", request.Status),
		slog.String("token", x.shownToken()),
		slog.Float64("duration_ms", float64(request.Duration)/float64(time.Millisecond)),
		slog.String("reason", request.Reason),
	)
}

// level returns the level of the line. A line about something that the client should change is a
// warning, so that a quiet log has it, too.
func (x *exchange) level() slog.Level {
	isWithoutToken := x.token == "" && x.arrival.Route == plan.Campaigns
	hasWrongToken, _ := reason.IsWrongToken(x.entry.Finding)
	isWrong := x.entry.Request.Unmatched || isWithoutToken || hasWrongToken
	hasIgnoredQuery := x.entry.Request.IgnoredQuery != ""
	if isWrong || hasIgnoredQuery || x.hasFailed {
		return slog.LevelWarn
	}
	return slog.LevelInfo
}

// shownToken returns the token as the log shows it. One that nobody has chosen may be a secret, and
// is masked, unless it is a mistake that the line is about.
func (x *exchange) shownToken() string {
	isWrong, isSecret := reason.IsWrongToken(x.entry.Finding)
	isMistake := isWrong && !isSecret
	if x.token == "" || isMistake || x.engine.IsChosen(x.token) {
		return x.token
	}
	return words.Mask(x.token)
}

// hidden matches a parameter of a query. maskQuery keeps its groups, and hides the rest, which is
// the value.
var hidden = text.Pattern(`(^|&)([^&=]+=)?[^&]*`)

// maskQuery hides the values of a query, because they may be secrets. Where a parameter has no
// value, its name may be one, so that is hidden.
func maskQuery(query string) string {
	return hidden().ReplaceAllString(query, "$1$2…")
}
