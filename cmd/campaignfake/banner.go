package main

import (
	"cmp"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"text/tabwriter"

	"example.com/campaignfake/fixtures"
	"example.com/campaignfake/fixtures/protocol"
	"example.com/campaignfake/fixtures/text"
)

// These limits keep the banner short, whatever is in the fixtures.
const (
	listedTokens = 40  // tokens in the table
	textWidth    = 120 // characters in a description
)

// unknownAnswers describes the answers to tokens without a user, for values of unknown_tokens.
var unknownAnswers = map[string]string{
	fixtures.UnknownTokensUpstream: "the answer of the upstream",
	fixtures.UnknownTokensReject:   "the response to an invalid token",
	fixtures.UnknownTokensGenerate: "10 generated campaigns, always the same for the same token",
}

// elsewhere tells people how other machines and containers reach a server that listens on all
// addresses.
const elsewhere = `
  Other machines use the name of this one. A container is reached at the port that it
  publishes, and from other containers by its name.
`

// A banner is what a server prints at its start: its URLs, the tokens, and a command to paste.
type banner struct {
	source        string // where the users come from, such as "users.yaml"
	set           *fixtures.Set
	root          string // the server's URL on this machine, without a path
	isEverywhere  bool   // the server listens on all addresses of the machine
	basePath      string
	hasPage       bool
	unknownTokens string // the setting service.unknown_tokens
	upstream      string // the URL of the real API; "" if there is none
}

// text returns the banner in the format of the log: JSON, or text for people. With --quiet, the
// text is only the base URL.
func (b *banner) text(flags logFlags) string {
	switch {
	case flags.LogFormat == formatJSON:
		return b.json()
	case flags.Quiet:
		return b.baseURL() + "\n"
	}
	return b.String()
}

// json returns the banner as a line of a log in JSON. The line has the number of users, and does
// not list their tokens.
func (b *banner) json() string {
	attributes := []any{
		slog.String("base_url", b.baseURL()),
		slog.String("health", b.root+"/_fake/health"),
		slog.Int("users", len(b.set.Users)),
	}
	if b.hasPage {
		attributes = append(attributes, slog.String("page", b.root+"/_fake/"))
	}
	if b.upstream != "" {
		attributes = append(attributes, slog.String("upstream", b.upstream))
	}
	var line strings.Builder
	slog.New(slog.NewJSONHandler(&line, nil)).Info(b.title(), attributes...)
	return line.String()
}

// title returns a text such as "campaignfake v1.2.3 serves users.yaml".
func (b *banner) title() string {
	return fmt.Sprintf("%s serves %s", version(), plain(b.source, textWidth))
}

// String returns the text of the banner for people.
func (b *banner) String() string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s\n\n", b.title())
	b.writeURLs(&out)
	b.writeTokens(&out)
	b.writeCommand(&out)
	return out.String()
}

func (b *banner) writeURLs(out io.Writer) {
	fmt.Fprintf(out, "  base URL  %s\n", b.baseURL())
	if b.hasPage {
		fmt.Fprintf(out, "  page      %s/_fake/\n", b.root)
	}
	fmt.Fprintf(out, "  health    %s/_fake/health\n", b.root)
	if b.upstream != "" {
		fmt.Fprintf(out, "  upstream  %s, which answers everything else\n", b.upstream)
	}
	if b.isEverywhere {
		fmt.Fprint(out, elsewhere)
	}
	fmt.Fprintln(out)
}

// baseURL returns the base URL of the server on this machine.
func (b *banner) baseURL() string {
	return b.root + strings.TrimSuffix(b.basePath, "/")
}

func (b *banner) writeTokens(out io.Writer) {
	tokens := b.set.Tokens()
	hidden := 0
	if len(tokens) > listedTokens {
		hidden = len(tokens) - listedTokens
		tokens = tokens[:listedTokens]
	}

	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprint(table, "  TOKEN\tANSWER\n")
	for _, token := range tokens {
		user := b.set.Users[token]
		answer := cmp.Or(user.Description, user.String())
		fmt.Fprintf(table, "  %s\t%s\n", plain(token, tokenWidth), plain(answer, textWidth))
	}
	if hidden > 0 {
		fmt.Fprintf(table, "  …\tand %d more\n", hidden)
	}
	// A value without a description, such as "like demo", is shown as it is.
	answer := cmp.Or(unknownAnswers[b.unknownTokens], b.unknownTokens)
	fmt.Fprintf(table, "  any other\t%s\n", plain(answer, textWidth))
	table.Flush()
}

// writeCommand writes a curl command that people can paste into a shell.
func (b *banner) writeCommand(out io.Writer) {
	trust := ""
	if strings.HasPrefix(b.root, "https:") {
		trust = "--insecure " // the certificate is probably self-signed
	}
	header := text.ShellQuote("Authorization: Bearer " + b.exampleToken())
	url := text.ShellQuote(b.baseURL() + protocol.CampaignsPath)
	fmt.Fprintf(out, "\n  curl %s-H %s %s\n\n", trust, header, url)
}

// exampleToken returns the first token of at most 40 bytes. Without such a token it returns
// "any-token".
func (b *banner) exampleToken() string {
	for _, token := range b.set.Tokens() {
		if len(token) <= tokenWidth {
			return token
		}
	}
	return "any-token"
}

// source says where the users come from, for example "users.yaml, the built-in gallery". For a text
// of fixtures, it names the flag or environment variable that gave the text.
func (s *serving) source() string {
	var names []string
	names = append(names, s.Fixtures...)
	if s.Text != "" {
		names = append(names, s.nameOfText())
	}
	if s.Gallery {
		names = append(names, "the built-in gallery")
	}
	return strings.Join(names, ", ")
}
