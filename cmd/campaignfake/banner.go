package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"example.com/campaignfake/fixtures"
)

// banner is what is printed at the start: where the server is, which tokens
// there are, and one line to paste.
type banner struct {
	set      *fixtures.Set
	root     string
	basePath string
	unknown  string // what becomes of unknown tokens
	source   string
}

// bannerTokens is how many tokens are listed.
const bannerTokens = 40

func (b *banner) print(w io.Writer) {
	out := bufio.NewWriter(w)
	defer out.Flush()
	fmt.Fprintf(out, "campaignfake serves %s\n\n", b.source)
	fmt.Fprintf(out, "  base URL  %s%s\n", b.root, b.basePath)
	fmt.Fprintf(out, "  health    %s/_fake/health\n\n", b.root)

	tokens := b.set.Tokens()
	width := len("any other")
	for i, token := range tokens {
		if i < bannerTokens && len(token) <= 40 {
			width = max(width, len(token))
		}
	}
	line := func(token, what string) { fmt.Fprintf(out, "  %-*s  %s\n", width, token, what) }
	line("TOKEN", "ANSWER")
	for i, token := range tokens {
		if i == bannerTokens {
			line("…", fmt.Sprintf("and %d more", len(tokens)-i))
			break
		}
		line(token, summary(b.set.Users[token]))
	}
	other := "10 generated campaigns, always the same for the same token"
	if b.unknown == "reject" {
		other = "401 Unauthorized"
	}
	line("any other", other)

	example := "any-token"
	if len(tokens) > 0 {
		example = tokens[0]
	}
	fmt.Fprintf(out, "\n  curl -H %s %s%s/user/campaigns\n\n", shellQuote("Authorization: Bearer "+example), b.root, b.basePath)
}

// summary says what a user sees.
func summary(u fixtures.User) string {
	switch {
	case u.Description != "":
		return strings.Join(strings.Fields(u.Description), " ")
	case u.Generate != nil && u.Generate.EdgeCases:
		return "edge cases"
	case u.Generate != nil:
		return fmt.Sprintf("%d generated campaigns", u.Generate.Count)
	}
	return fmt.Sprintf("%d campaigns", len(u.Campaigns))
}

func shellQuote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
