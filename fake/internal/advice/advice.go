// Package advice explains what is wrong with a request, and what to change in the client: its
// credentials, its path, a token that is nearly a user's, CORS. It reads requests of package
// journal and snapshots of package plan. Serve, control and fake ask it.
package advice

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"example.com/campaignfake/fake/internal/journal"
	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fake/internal/words"
)

// An Adviser gives advice on requests of the journal.
type Adviser struct {
	snapshot *plan.Snapshot
	baseURL  string
	example  string // a token that has campaigns
}

// New returns an adviser for the settings of a snapshot. Commands in its advice use the
// base URL.
func New(p *plan.Snapshot, baseURL string) *Adviser {
	a := &Adviser{snapshot: p, baseURL: baseURL, example: "any-token"}
	if len(p.Users) > 0 {
		a.example = p.Users[0].Token
	}
	return a
}

// NoBase is added to the reason of an answer to a token with a tilde that is like no user.
const NoBase = "; no user has the token before its tilde, to be like"

// On returns the advice on a request, zero if nothing is wrong with it.
func (a *Adviser) On(r *journal.Entry) journal.Advice {
	origin := r.Header.Get("Origin")
	_, word := PlaceholderOf(r.Header)
	known := a.snapshot.User(r.Token) != nil
	switch {
	case r.Unmatched:
		return a.unmatched(r)
	case word.Meaning != "" && !known:
		what, _, _ := strings.Cut(word.Meaning, ",")
		return journal.Advice{Title: strings.TrimSuffix(words.Sentence(what), "."), Text: word.advice}
	case r.Token == "" && r.Header["Authorization"] != nil:
		_, problem := BearerToken(r.Header)
		return journal.Advice{
			Title:   "The Authorization header has no bearer token",
			Text:    words.Sentence(problem) + " Send Authorization: Bearer <token>.",
			Command: a.curl(a.example),
		}
	case r.Near != "" && !known:
		return journal.Advice{
			Title: "The token is nearly " + words.Shorten(r.Near),
			Text: "No user has the token that was sent, so the answer was one for unknown tokens. " +
				"Did you mean " + words.Shorten(r.Near) + "?",
			Command: a.curl(r.Near),
		}
	case strings.Contains(r.Reason, NoBase) && !known:
		base, _, _ := strings.Cut(r.Token, "~")
		return journal.Advice{
			Title: "There is no user " + words.Shorten(base) + " to be like",
			Text: "A token with a tilde is like the user whose token stands before the first tilde, and no user has the token " +
				words.Shorten(base) + ". Name one that is there, or give this token a user of its own.",
			Command: a.curl(a.example + "~1"),
		}
	case r.Status == 0 || origin == "" || r.Header.Get("Sec-Fetch-Site") == "same-origin":
		return journal.Advice{}
	}
	return a.cors(r, origin)
}

// cors returns advice on a request that a browser sent for a page of another origin.
func (a *Adviser) cors(r *journal.Entry, origin string) journal.Advice {
	wanted := r.Header.Get("Access-Control-Request-Method")
	preflight := r.Method == http.MethodOptions && wanted != ""
	allowed := r.Answer.Header.Get("Access-Control-Allow-Origin") != ""
	switch {
	case preflight && !allowed:
		return a.setCORS(origin, "CORS: the preflight was refused", "A page of %s wanted to send %s %s. "+
			"A browser asks before it sends a request with an Authorization header (the preflight). "+
			"It was not allowed to, so the page sees a network error.\n%s",
			origin, words.Shorten(wanted), r.URL, a.setting(origin))
	case !preflight && !allowed:
		return a.setCORS(origin, "CORS: the page may not read the answer",
			"The request was answered, but the browser does not give the answer to the page of %s. The page sees a network error.\n%s",
			origin, a.setting(origin))
	}
	return journal.Advice{}
}

// setting returns a sentence on the setting because of which pages of an origin cannot
// read answers.
func (a *Adviser) setting(origin string) string {
	switch listed := a.snapshot.Service.CORS; {
	case slices.Contains(listed, "any") || slices.Contains(listed, origin):
		return "service.cors has changed since, and allows it now."
	case slices.Contains(listed, "off"):
		return "service.cors is off, which shows how this error looks."
	default:
		return fmt.Sprintf("service.cors lists %s, and not this origin.", strings.Join(listed, ", "))
	}
}

// setCORS returns advice whose text ends with the setting that adds an origin to the listed
// ones.
func (a *Adviser) setCORS(origin, title, format string, args ...any) journal.Advice {
	origins := slices.DeleteFunc(slices.Clone(a.snapshot.Service.CORS), func(listed string) bool {
		return listed == "any" || listed == "off" || listed == origin
	})
	origins = append(origins, origin)
	flag := strings.Join(origins, ",")
	if !plainOrigins.MatchString(flag) {
		flag = shellQuote(flag)
	}
	list, _ := json.Marshal(origins)
	because := ""
	if origin == "null" {
		flag, list, because = "any", []byte("any"), ", since a page that was opened from a file has no origin to list"
	}
	text := fmt.Sprintf(format, args...) + fmt.Sprintf("\nStart the server with --cors %s, or write it in the fixtures%s.", flag, because)
	return journal.Advice{Title: title, Text: text, Fixture: fmt.Sprintf("service: {cors: %s}", list)}
}

// plainOrigins matches a list of origins that needs no quotation marks in a shell.
var plainOrigins = regexp.MustCompile(`^[\w.:/,+-]*$`)

// unmatched returns advice on a request that matched nothing.
func (a *Adviser) unmatched(r *journal.Entry) journal.Advice {
	path := words.WithoutQuery(r.URL)
	if u, err := url.Parse(path); err == nil {
		path = u.EscapedPath()
	}
	base := a.snapshot.BasePath
	text := fmt.Sprintf("%s\nThe service has one path: the base URL, and %s after it. Check the base URL that the app is given: %s",
		NearMiss(r.Method, path, base), plan.CampaignsPath, a.baseURL)
	if path == a.snapshot.Path {
		text = fmt.Sprintf("The path is right. The method is %s, and has to be GET.", words.Shorten(r.Method))
	}
	token := cmp.Or(r.Token, a.example)
	return journal.Advice{Title: "Matched nothing", Text: text, Command: a.curl(token)}
}

// curl returns the shell command that requests the campaigns of a token.
func (a *Adviser) curl(token string) string {
	return "curl -H " + shellQuote("Authorization: Bearer "+token) + " " + shellQuote(a.baseURL+plan.CampaignsPath)
}

func shellQuote(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
