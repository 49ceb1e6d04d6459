package serve

import (
	"context"
	"log/slog"
	"strings"
	"time"

	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fake/internal/reason"
	"example.com/campaignfake/fake/internal/words"
	"example.com/campaignfake/fake/journal"
	"example.com/campaignfake/fixtures/text"
)

// log writes the line of the access log. A preflight has no line: browsers send preflights by
// themselves, and their lines would hide the requests of the app. The journal shows preflights.
func (x *exchange) log() {
	if x.arrival.Route == plan.Preflight {
		return
	}
	log := x.engine.LogOf(x.token)
	level := x.level()
	if !log.Enabled(context.Background(), level) {
		return
	}
	query := ""
	if x.received.URL.RawQuery != "" && !x.mayReadQuery() {
		query = words.CutInput(maskQuery(x.received.URL.RawQuery))
	}
	request := x.shownRequest(query)
	ctx := journal.NewContext(context.Background(), &request)
	log.LogAttrs(ctx, level, journal.LogMessage,
		slog.String("method", words.CutInput(request.Method)),
		slog.String("path", words.CutInput(x.received.URL.Path)),
		queryAttr(query),
		slog.Int("status", request.Status),
		slog.String("token", request.Token),
		slog.Float64("duration_ms", float64(request.Duration)/float64(time.Millisecond)),
		slog.String("reason", request.Reason),
	)
}

// shownRequest returns the request as the log shows it: its token may be masked. The argument query
// is the masked query, or "" if the log shows no query.
func (x *exchange) shownRequest(query string) journal.Request {
	request := x.entry.Request
	request.URL, _, _ = strings.Cut(request.URL, "?")
	if query != "" {
		request.URL += "?" + query
	}
	if request.IgnoredQuery != "" {
		request.IgnoredQuery = query
	}
	request.Token = x.shownToken()
	return request
}

// queryAttr returns the attribute ignored_query. If the query is "", queryAttr returns the zero
// Attr, which the log leaves out.
func queryAttr(query string) slog.Attr {
	if query == "" {
		return slog.Attr{}
	}
	return slog.String("ignored_query", query)
}

// level returns the level of the line. The line is a warning if the client should change something.
// So a log that shows only warnings shows this line, too.
func (x *exchange) level() slog.Level {
	isWithoutToken := x.token == "" && x.arrival.Route == plan.Campaigns
	hasWrongToken := reason.IsWrongToken(x.entry.Finding)
	isWrong := x.entry.Request.Unmatched || isWithoutToken || hasWrongToken
	hasIgnoredQuery := x.entry.Request.IgnoredQuery != ""
	if isWrong || hasIgnoredQuery || x.isWarning {
		return slog.LevelWarn
	}
	return slog.LevelInfo
}

// shownToken returns the token as the log shows it. It masks a token that may be the secret of a
// login; see engine.IsChosen. But it shows a token that is a mistake, because the line of the log
// is about this mistake. Two kinds of tokens are mistakes: a placeholder such as undefined, and a
// token that is nearly the token of a user.
func (x *exchange) shownToken() string {
	isMistake := reason.IsWrongToken(x.entry.Finding)
	if x.token == "" || isMistake || x.engine.IsChosen(x.token) {
		return x.token
	}
	return words.Mask(x.token)
}

// hidden matches a parameter of a query. maskQuery keeps the two groups, which are the & and the
// name with its =. It hides the rest, which is the value.
var hidden = text.Pattern(`(^|&)([^&=]+=)?[^&]*`)

// maskQuery hides the values of a query, because they may be secrets. The name of a parameter
// without a value may be a secret, too, so it is hidden as well.
func maskQuery(query string) string {
	return hidden().ReplaceAllString(query, "$1$2…")
}
