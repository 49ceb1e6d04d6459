package main

import (
	"cmp"
	"context"
	"log/slog"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"example.com/campaignfake/fake"
)

// summaryTokens is how many tokens the summary names: those with the most
// requests.
const summaryTokens = 40

// summarize logs what the server has received. It is the last line of the log.
func summarize(logger *slog.Logger, tally fake.Tally) {
	tokens := slices.SortedFunc(maps.Keys(tally.Users), func(a, b string) int {
		return cmp.Or(tally.Users[b]-tally.Users[a], strings.Compare(a, b))
	})
	var counts []any
	for _, token := range tokens[:min(len(tokens), summaryTokens)] {
		counts = append(counts, slog.Int(token, tally.Users[token]))
	}
	level := slog.LevelInfo
	if tally.Unmatched > 0 {
		level = slog.LevelWarn // so that --quiet has it, too
	}
	logger.Log(context.Background(), level, "summary",
		slog.Int("requests", tally.Requests),
		slog.Int("unmatched", tally.Unmatched),
		slog.Int("unknown_tokens", tally.Unknown),
		slog.Int("without_token", tally.WithoutToken),
		slog.Group("tokens", counts...))
}

// logUnmatched logs the requests that make --fail-on-unmatched fail.
func logUnmatched(logger *slog.Logger, tally fake.Tally) {
	for _, kind := range tally.First {
		logger.Error("a request matched nothing, and --fail-on-unmatched is on", slog.String("request", kind))
	}
}

// printable replaces control characters, which could change the terminal: parts of a
// message can come from a server or a file.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && !strconv.IsPrint(r) {
			return utf8.RuneError
		}
		return r
	}, text)
}
