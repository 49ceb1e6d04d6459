package main

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"text/tabwriter"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// A banner is printed at the start: the server's URLs, the tokens, and a command to
// paste.
type banner struct {
	set     *fixtures.Set
	root    string
	control string           // URL of the control plane, without a path; "" if it is off
	service fixtures.Service // the settings in force
	source  string           // where the users come from, in words
	trust   string           // option of curl to trust the server, and a space

	memory int64 // bytes that the process may use; 0 without a limit
}

// These limits make the banner short, whatever is in the fixtures.
const (
	bannerTokens = 40  // tokens that are listed
	tokenWidth   = 40  // characters of a token
	textWidth    = 120 // characters of a description
)

func (b *banner) print(w io.Writer) {
	out := bufio.NewWriter(w)
	defer out.Flush()
	fmt.Fprintf(out, "%s serves %s\n\n", version(), plain(b.source, textWidth))
	fmt.Fprintf(out, "  base URL  %s\n", b.baseURL())
	if b.control != "" {
		fmt.Fprintf(out, "  page      %s/_fake/\n", b.control)
	}
	fmt.Fprintf(out, "  health    %s/_fake/health\n", b.root)
	for _, note := range b.notes() {
		fmt.Fprintf(out, "  %-8s  %s\n", note[0], note[1])
	}
	fmt.Fprintln(out)

	tokens := b.set.Tokens()
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprint(table, "  TOKEN\tANSWER\n")
	for _, token := range tokens[:min(len(tokens), bannerTokens)] {
		fmt.Fprintf(table, "  %s\t%s\n", plain(token, tokenWidth), summary(b.set.Users[token]))
	}
	if more := len(tokens) - bannerTokens; more > 0 {
		fmt.Fprintf(table, "  …\tand %d more\n", more)
	}
	fmt.Fprintf(table, "  any other\t%s\n", b.other())
	table.Flush()
	fmt.Fprintf(out, "\n  curl %s-H %s %s\n\n", b.trust, shellQuote("Authorization: Bearer "+example(tokens)), quotedURL(b.baseURL()+"/user/campaigns"))
}

// baseURL returns the URL that a client of the service is configured with.
func (b *banner) baseURL() string { return b.root + strings.TrimSuffix(b.service.BasePath, "/") }

// other describes the answers to tokens without a user.
func (b *banner) other() string {
	if b.service.UnknownTokens != "reject" {
		return "10 generated campaigns, always the same for the same token"
	}
	status := b.service.Responses.InvalidToken.Status
	return strings.TrimSpace(fmt.Sprintf("%d %s", status, http.StatusText(status)))
}

// printJSON prints the banner as one line of JSON.
func (b *banner) printJSON(w io.Writer) {
	tokens, answers, notes := b.set.Tokens(), []any{}, []string{}
	for _, token := range tokens[:min(len(tokens), bannerTokens)] {
		answers = append(answers, map[string]string{"token": token, "answer": summary(b.set.Users[token])})
	}
	for _, note := range b.notes() {
		notes = append(notes, note[0]+": "+note[1])
	}
	attrs := []any{
		slog.String("version", fake.Version()), slog.String("source", b.source),
		slog.String("base_url", b.baseURL()), slog.String("health", b.root+"/_fake/health"),
	}
	if b.control != "" {
		attrs = append(attrs, slog.String("page", b.control+"/_fake/"))
	}
	attrs = append(attrs, slog.Any("notes", notes), slog.Int("users", len(tokens)), slog.Any("tokens", answers), slog.String("any_other_token", b.other()))
	slog.New(slog.NewJSONHandler(escaping{w}, nil)).Info("serving", attrs...)
}

// example returns the token for the command to paste: the first that fits into a
// column.
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

// summary describes the answers to a user on one line.
func summary(u fixtures.User) string { return plain(cmp.Or(u.Description, u.String()), textWidth) }

// plain shortens text to a width on one line, without control characters, which could
// change the terminal.
func plain(text string, width int) string {
	runes := []rune(printable(strings.Join(strings.Fields(text), " ")))
	if len(runes) <= width {
		return string(runes)
	}
	return string(runes[:width-1]) + "…"
}

func shellQuote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// quotedURL quotes a URL for the shell if it must be quoted: in some shells the
// brackets of an IPv6 address are a pattern for file names.
func quotedURL(url string) string {
	if strings.ContainsAny(url, "[]%") {
		return shellQuote(url)
	}
	return url
}

// listen is the default of --listen. The linker sets another one for the image.
var listen = "127.0.0.1:8642"

// notes returns the unusual settings, each as a word and a text.
func (b *banner) notes() (notes [][2]string) {
	note := func(word, format string, args ...any) {
		notes = append(notes, [2]string{word, fmt.Sprintf(format, args...)})
	}
	if b.service.Delay != nil && *b.service.Delay != (fixtures.Delay{}) {
		note("delay", "%s", b.service.Delay)
	}
	if b.memory > 0 {
		note("memory", "%d MiB, from which the limits follow", b.memory>>20)
	}
	return notes
}
