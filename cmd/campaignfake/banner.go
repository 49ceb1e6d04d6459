package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"example.com/campaignfake/fixtures"
	"example.com/campaignfake/fixtures/text"
)

// These limits make the banner short, whatever is in the fixtures.
const (
	listedTokens = 40
	textWidth    = 120 // characters of a description
)

// others describes the answers to tokens without a user.
var others = map[string]string{
	fixtures.UnknownTokensReject:   "the response to an invalid token",
	fixtures.UnknownTokensGenerate: "10 generated campaigns, always the same for the same token",
}

// banner returns what is printed at the start: the server's URLs, the tokens, and a command
// to paste. The root is the server's URL without a path, and the base has the base path.
func (c *serveCommand) banner(root, base, unknownTokens string) string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s serves %s\n\n", version(), plain(c.source(), textWidth))
	fmt.Fprintf(&out, "  base URL  %s\n", base)
	if c.Control {
		fmt.Fprintf(&out, "  page      %s/_fake/\n", root)
	}
	fmt.Fprintf(&out, "  health    %s/_fake/health\n\n", root)

	tokens := c.set.Tokens()
	table := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
	fmt.Fprint(table, "  TOKEN\tANSWER\n")
	for _, token := range tokens[:min(len(tokens), listedTokens)] {
		user := c.set.Users[token]
		fmt.Fprintf(table, "  %s\t%s\n", plain(token, tokenWidth), plain(cmp.Or(user.Description, user.String()), textWidth))
	}
	if more := len(tokens) - listedTokens; more > 0 {
		fmt.Fprintf(table, "  …\tand %d more\n", more)
	}
	fmt.Fprintf(table, "  any other\t%s\n", plain(cmp.Or(others[unknownTokens], unknownTokens), textWidth))
	table.Flush()

	// The line to paste has a token that is short, and trusts a certificate that may be our own.
	tokens = slices.DeleteFunc(tokens, func(token string) bool { return len(token) > tokenWidth })
	example := append(tokens, "any-token")[0]
	trust := map[string]string{"https": "--insecure "}[c.scheme()]
	fmt.Fprintf(&out, "\n  curl %s-H %s %s\n\n", trust, text.ShellQuote("Authorization: Bearer "+example), text.ShellQuote(base+"/user/campaigns"))
	return out.String()
}

// source names what the users come from.
func (c *serveCommand) source() string {
	names := slices.Clone(c.Fixtures)
	if c.Text != "" {
		names = append(names, fixturesVariable)
	}
	if c.Gallery {
		names = append(names, "the built-in gallery")
	}
	return strings.Join(names, ", ")
}
