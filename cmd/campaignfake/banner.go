package main

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"text/tabwriter"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// A banner is printed at the start: the server's URLs, the tokens, and a command to
// paste.
type banner struct {
	set        *fixtures.Set
	root       string           // the server's URL, without a path
	controlled bool             // whether there is a page
	service    fixtures.Service // the settings in force
	source     string           // where the users come from, in words
	trust      string           // option of curl to trust the server, and a space
}

// These limits make the banner and the summary short, whatever is in the fixtures.
const (
	listedTokens = 40
	textWidth    = 120 // characters of a description
)

// others describes the answers to tokens without a user.
var others = map[string]string{
	fixtures.UnknownTokensReject:   "the response to an invalid token",
	fixtures.UnknownTokensGenerate: "10 generated campaigns, always the same for the same token",
}

func (b *banner) print(w io.Writer) {
	out := bufio.NewWriter(w)
	defer out.Flush()
	base := b.root + strings.TrimSuffix(b.service.BasePath, "/") // which a client is configured with
	fmt.Fprintf(out, "%s serves %s\n\n", version(), plain(b.source, textWidth))
	fmt.Fprintf(out, "  base URL  %s\n", base)
	if b.controlled {
		fmt.Fprintf(out, "  page      %s/_fake/\n", b.root)
	}
	fmt.Fprintf(out, "  health    %s/_fake/health\n\n", b.root)
	tokens := b.set.Tokens()
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprint(table, "  TOKEN\tANSWER\n")
	for _, token := range tokens[:min(len(tokens), listedTokens)] {
		user := b.set.Users[token]
		fmt.Fprintf(table, "  %s\t%s\n", plain(token, tokenWidth), plain(cmp.Or(user.Description, user.String()), textWidth))
	}
	if more := len(tokens) - listedTokens; more > 0 {
		fmt.Fprintf(table, "  …\tand %d more\n", more)
	}
	fmt.Fprintf(table, "  any other\t%s\n", plain(cmp.Or(others[b.service.UnknownTokens], b.service.UnknownTokens), textWidth))
	table.Flush()
	example := "any-token"
	if i := slices.IndexFunc(tokens, func(token string) bool { return len(token) <= tokenWidth }); i >= 0 {
		example = tokens[i]
	}
	fmt.Fprintf(out, "\n  curl %s-H %s %s\n\n", b.trust, shellQuote("Authorization: Bearer "+example), shellQuote(base+"/user/campaigns"))
}

func shellQuote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// summarize logs what the server has received. It is the last line of the log.
func summarize(logger *slog.Logger, tally fake.Tally) {
	level := slog.LevelInfo
	if tally.Unmatched > 0 {
		level = slog.LevelWarn // so that --quiet has it, too
	}
	logger.LogAttrs(context.Background(), level, "summary",
		slog.Int("requests", tally.Requests), slog.Int("unmatched", tally.Unmatched),
		slog.Int("unknown_tokens", tally.Unknown), slog.Int("without_token", tally.WithoutToken))
}

// wasStrict logs what --strict does not allow, and reports whether there is nothing.
func wasStrict(logger *slog.Logger, tally fake.Tally) bool {
	for _, request := range tally.First {
		logger.Error("a request matched nothing, and --strict is on", slog.String("request", request))
	}
	for _, reply := range tally.Unplayed {
		logger.Error("a reply was not played, and --strict is on", slog.String("reply", reply))
	}
	return tally.Unmatched == 0 && len(tally.Unplayed) == 0
}
