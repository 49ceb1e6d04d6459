// Package advice explains what is wrong with a request, and what to change in the client: its
// credentials, its path, a token that is nearly a user's, CORS. It reads requests of package
// journal and snapshots of package plan. Serve, control and fake ask it.
package advice

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fake/internal/ring"
	"example.com/campaignfake/fake/internal/words"
	"example.com/campaignfake/fake/journal"
	"example.com/campaignfake/fixtures/text"
)

// An Adviser gives advice on requests of the journal.
type Adviser struct {
	snapshot *plan.Snapshot
	baseURL  string
	example  string // a token to show in commands
}

// New returns an adviser for the settings of a snapshot. Its commands use the base URL.
func New(p *plan.Snapshot, baseURL string) *Adviser {
	example := "any-token"
	if len(p.Users) > 0 {
		example = p.Users[0].Token
	}
	return &Adviser{p, baseURL, example}
}

// NoBase is added to the reason of an answer to a token with a tilde that is like no user.
const NoBase = "; no user has the token before its tilde, to be like"

// instead says what to send in place of credentials that are wrong.
const instead = " Send Authorization: Bearer <token>."

// On returns the advice on a request, zero if nothing is wrong with it.
func (a *Adviser) On(r *ring.Entry) journal.Advice {
	origin := r.Header.Get("Origin")
	_, meaning := PlaceholderOf(r.Header)
	known := a.snapshot.User(r.Token) != nil
	switch {
	case r.Unmatched:
		return a.unmatched(r)
	case meaning != "" && !known:
		what, _, _ := strings.Cut(meaning, ",")
		return journal.Advice{Title: strings.TrimSuffix(words.Sentence(what), "."), Text: words.Sentence(meaning) + instead}
	case r.Token == "" && r.Header["Authorization"] != nil:
		_, problem := BearerToken(r.Header)
		return journal.Advice{
			Title:   "The Authorization header has no bearer token",
			Text:    words.Sentence(problem) + instead,
			Command: a.curl(a.example),
		}
	case r.Near != "" && !known:
		return journal.Advice{
			Title:   "The token is nearly " + words.Shorten(r.Near),
			Text:    "No user has the token that was sent. Did you mean " + words.Shorten(r.Near) + "?",
			Command: a.curl(r.Near),
		}
	case strings.Contains(r.Reason, NoBase) && !known:
		base, _, _ := strings.Cut(r.Token, "~")
		return journal.Advice{
			Title:   "There is no user " + words.Shorten(base) + " to be like",
			Text:    "A token with a tilde is like the user whose token stands before it. Name one that is there.",
			Command: a.curl(a.example + "~1"),
		}
	case r.Status == 0 || origin == "" || r.Header.Get("Sec-Fetch-Site") == "same-origin",
		r.Answer.Header.Get("Access-Control-Allow-Origin") != "":
		return journal.Advice{}
	}
	return a.cors(r, origin)
}

// cors returns advice on an answer that a browser keeps from a page of another origin: the setting
// that adds the origin to those that are listed. There is none if the origin is allowed by now.
func (a *Adviser) cors(r *ring.Entry, origin string) journal.Advice {
	listed := a.snapshot.Service.CORS
	if slices.Contains(listed, "any") || slices.Contains(listed, origin) {
		return journal.Advice{}
	}
	title := "CORS: the page may not read the answer"
	if r.Method == http.MethodOptions {
		title = "CORS: the preflight was refused"
	}
	allowed, because := append(slices.Clone(listed), origin), ""
	if origin == "null" {
		allowed, because = []string{"any"}, ", since a page that was opened from a file has no origin to list"
	} else if slices.Contains(listed, "off") {
		allowed = []string{origin}
	}
	list, _ := json.Marshal(allowed) // which YAML reads, too
	return journal.Advice{
		Title: title,
		Text: fmt.Sprintf("service.cors is %s, so the browser keeps the answer from the page of %s, which sees a network error.\n"+
			"Start the server with --cors %s, or write it in the fixtures%s.",
			strings.Join(listed, ", "), origin, text.ShellQuote(strings.Join(allowed, ",")), because),
		Fixture: fmt.Sprintf("service: {cors: %s}", list),
	}
}

func (a *Adviser) unmatched(r *ring.Entry) journal.Advice {
	path := words.WithoutQuery(r.URL)
	base := a.snapshot.BasePath
	text := fmt.Sprintf("%s\nThe service has one path: the base URL, and %s after it. Check the base URL that the app is given: %s",
		NearMiss(r.Method, path, base), plan.CampaignsPath, a.baseURL)
	if path == a.snapshot.Path {
		text = fmt.Sprintf("The path is right. The method is %s, and has to be GET.", words.Shorten(r.Method))
	}
	return journal.Advice{Title: "Matched nothing", Text: text, Command: a.curl(cmp.Or(r.Token, a.example))}
}

// curl returns the shell command that requests the campaigns of a token.
func (a *Adviser) curl(token string) string {
	return "curl -H " + text.ShellQuote("Authorization: Bearer "+token) + " " + text.ShellQuote(a.baseURL+plan.CampaignsPath)
}
