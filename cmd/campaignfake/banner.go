package main

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"net/http"
	"strings"

	"example.com/campaignfake/fixtures"
)

// A banner is what is printed at the start: where the server is, which tokens there
// are, and a line to paste.
type banner struct {
	set     *fixtures.Set
	root    string
	control string           // where the page is, "" if there is none
	service fixtures.Service // the settings in force
	source  string
	trust   string // what curl needs to trust the server, and a space
}

// The banner stays short, whatever is in the fixtures.
const (
	bannerTokens = 40  // tokens that are listed
	tokenWidth   = 40  // characters of a token
	textWidth    = 120 // characters of a description
)

func (b *banner) print(w io.Writer) {
	out := bufio.NewWriter(w)
	defer out.Flush()
	fmt.Fprintf(out, "campaignfake serves %s\n\n", plain(b.source, textWidth))
	fmt.Fprintf(out, "  base URL  %s%s\n", b.root, b.service.BasePath)
	if b.control != "" {
		fmt.Fprintf(out, "  page      %s/_fake/\n", b.control)
	}
	fmt.Fprintf(out, "  health    %s/_fake/health\n", b.root)
	if b.service.Delay != nil && *b.service.Delay != (fixtures.Delay{}) {
		fmt.Fprintf(out, "  delay     %s\n", b.service.Delay)
	}
	if b.service.Chaos != nil {
		fmt.Fprintf(out, "  chaos     of every user that has none of its own\n")
	}
	fmt.Fprintln(out)

	tokens := b.set.Tokens()
	listed := tokens[:min(len(tokens), bannerTokens)]
	width := len("any other")
	for _, token := range listed {
		width = max(width, min(len(token), tokenWidth))
	}
	line := func(token, what string) { fmt.Fprintf(out, "  %-*s  %s\n", width, plain(token, tokenWidth), what) }
	line("TOKEN", "ANSWER")
	for _, token := range listed {
		line(token, summary(b.set.Users[token]))
	}
	if more := len(tokens) - len(listed); more > 0 {
		line("…", fmt.Sprintf("and %d more", more))
	}
	other := "10 generated campaigns, always the same for the same token"
	if b.service.UnknownTokens == "reject" {
		status := b.service.Responses.InvalidToken.Status
		other = strings.TrimSpace(fmt.Sprintf("%d %s", status, http.StatusText(status)))
	}
	line("any other", other)
	fmt.Fprintf(out, "\n  curl %s-H %s %s\n\n", b.trust, shellQuote("Authorization: Bearer "+example(tokens)), quotedURL(b.root+b.service.BasePath+"/user/campaigns"))
}

// example returns the token of the line to paste: the first that is not too long
// for a terminal.
func example(tokens []string) string {
	for _, token := range tokens {
		if len(token) <= tokenWidth {
			return token
		}
	}
	if len(tokens) > 0 {
		return tokens[0]
	}
	return "any-token"
}

// summary says what a user sees.
func summary(u fixtures.User) string { return plain(cmp.Or(u.Description, u.String()), textWidth) }

// plain returns text that fits on a line of a terminal, without characters that
// could move the cursor or reverse the line.
func plain(text string, width int) string {
	runes := []rune(printable(strings.Join(strings.Fields(text), " ")))
	if len(runes) <= width {
		return string(runes)
	}
	return string(runes[:width-1]) + "…"
}

func shellQuote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// quotedURL quotes a URL for the shell if it has to: some shells refuse the brackets
// of an IPv6 address, as a pattern that matches no file.
func quotedURL(url string) string {
	if strings.ContainsAny(url, "[]%") {
		return shellQuote(url)
	}
	return url
}
