package main

import (
	"cmp"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"

	"example.com/campaignfake/fake"
)

// summaryTokens is how many tokens the summary names: those with the most
// requests.
const summaryTokens = 40

// summarize writes the last line of the log: what the server has received.
func summarize(logger *slog.Logger, tally fake.Tally) {
	tokens := slices.SortedFunc(maps.Keys(tally.Users), func(a, b string) int {
		return cmp.Or(tally.Users[b]-tally.Users[a], strings.Compare(a, b))
	})
	var counts []any
	for _, token := range tokens[:min(len(tokens), summaryTokens)] {
		counts = append(counts, slog.Int(token, tally.Users[token]))
	}
	logger.Info("summary",
		slog.Int("requests", tally.Requests),
		slog.Int("unmatched", tally.Unmatched),
		slog.Int("unknown_tokens", tally.Unknown),
		slog.Int("without_token", tally.WithoutToken),
		slog.Group("tokens", counts...))
}

// unmatchedError ends a server that was to fail if a request matched nothing.
type unmatchedError struct{ fake.Tally }

func (e unmatchedError) Error() string {
	matched := fmt.Sprintf("%d requests matched nothing", e.Unmatched)
	if e.Unmatched == 1 {
		matched = "1 request matched nothing"
	}
	var kinds strings.Builder
	for _, kind := range e.First {
		kinds.WriteString("\n  " + plain(kind, 400))
	}
	return matched + "; what came first:" + kinds.String()
}
