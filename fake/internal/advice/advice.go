// Package advice says what to change in a client whose request is not as it should be, or in the
// settings that keep an answer from its page. It goes by the reason of the request, as the journal
// has it, and by the settings that are in force when somebody reads it.
package advice

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fake/internal/reason"
	"example.com/campaignfake/fake/internal/ring"
	"example.com/campaignfake/fake/internal/words"
	"example.com/campaignfake/fake/journal"
	"example.com/campaignfake/fixtures"
	"example.com/campaignfake/fixtures/protocol"
	"example.com/campaignfake/fixtures/text"
)

// An Adviser gives advice on requests of the journal.
type Adviser struct {
	snapshot *plan.Snapshot
	users    []string // their tokens
	baseURL  string
	example  string // a token to show in commands
}

// New returns an adviser for the settings of a snapshot, and for the tokens that have a user by
// now. Its commands use the base URL.
func New(snapshot *plan.Snapshot, users []string, baseURL string) *Adviser {
	example := "any-token"
	if len(users) > 0 {
		example = users[0]
	}
	return &Adviser{snapshot: snapshot, users: users, baseURL: baseURL, example: example}
}

// isLikeUser reports whether a token is that of a user, or like one.
func (a *Adviser) isLikeUser(token string) bool {
	base, _, _ := strings.Cut(token, "~")
	return slices.Contains(a.users, token) || slices.Contains(a.users, base)
}

// On returns the advice on a request, zero if nothing is wrong with it.
func (a *Adviser) On(e *ring.Entry) journal.Advice {
	switch found := e.Reason.Answer.(type) {
	case reason.WrongPath:
		return a.onPath(e, found)
	case reason.WrongMethod:
		return a.onMethod(e, found)
	case reason.PassedOn:
		return a.onPassedOn(e, found)
	}
	advice := a.onToken(e)
	if advice.Title != "" {
		return advice
	}
	advice = a.onCORS(e)
	if advice.Title != "" {
		return advice
	}
	return a.onQuery(e)
}

func (a *Adviser) onPath(e *ring.Entry, found reason.WrongPath) journal.Advice {
	explanation := fmt.Sprintf("%s\nThe service has one path: the base URL, and %s after it. "+
		"Check the base URL that the app is given: %s",
		found.Difference(), protocol.CampaignsPath, a.baseURL)
	return a.matchedNothing(e, explanation)
}

func (a *Adviser) onMethod(e *ring.Entry, found reason.WrongMethod) journal.Advice {
	return a.matchedNothing(e, "The path is right. "+found.Difference())
}

// onPassedOn returns advice on a request that the upstream has answered.
func (a *Adviser) onPassedOn(e *ring.Entry, found reason.PassedOn) journal.Advice {
	advice := a.onRefusedToken(e)
	if advice.Title == "" {
		advice = onRedirectToHTTPS(e, found)
	}
	if advice.Title == "" {
		advice = a.onLostCookie(e)
	}
	if advice.Title == "" {
		advice = a.onCORS(e)
	}
	return advice
}

// onRefusedToken returns advice on a request that the upstream refuses because of its token, which
// is that of a user of this server alone.
func (a *Adviser) onRefusedToken(e *ring.Entry) journal.Advice {
	token := e.Request.Token
	status := e.Request.Status
	isRefused := status == http.StatusUnauthorized || status == http.StatusForbidden
	if !isRefused || !slices.Contains(a.users, token) {
		return journal.Advice{}
	}
	shown := words.CutInput(token)
	like, _ := json.Marshal(map[string]string{"like": token})
	root := strings.TrimSuffix(a.baseURL, a.snapshot.BasePath)
	return journal.Advice{
		Title: "The upstream refuses the token " + shown,
		Text: "A user of this server has the token " + shown + ", " +
			"and the upstream does not know it.\n" +
			"Log in at the upstream, and let the token that it gives you be like " + shown + ".",
		Command: "curl -X PUT -d " + text.ShellQuote(string(like)) + " " +
			text.ShellQuote(root+"/_fake/users?token=TOKEN_OF_THE_LOGIN"),
	}
}

// onRedirectToHTTPS returns advice on an upstream whose URL has HTTP, and which sends the client to
// HTTPS: past this server.
func onRedirectToHTTPS(e *ring.Entry, found reason.PassedOn) journal.Advice {
	asked, err := url.Parse(found.URL)
	if err != nil {
		return journal.Advice{}
	}
	location, err := url.Parse(e.Request.Answer.Header.Get("Location"))
	if err != nil {
		return journal.Advice{}
	}
	isToHTTPS := asked.Scheme == "http" && location.Scheme == "https"
	if !isToHTTPS || asked.Hostname() != location.Hostname() {
		return journal.Advice{}
	}
	return journal.Advice{
		Title: "The upstream redirects to HTTPS",
		Text: "The app follows it to " + location.Host + ", past this server.\n" +
			"Write the URL of --upstream (in Go, of fake.WithUpstream) with https://.",
	}
}

// onLostCookie returns advice on an answer with a cookie that browsers do not keep, since the page
// is of another site than this server: that of localhost is for 127.0.0.1. Nothing else tells of it
// but that the next request is not logged in.
func (a *Adviser) onLostCookie(e *ring.Entry) journal.Advice {
	request := e.Request.Header
	isOfOtherSite := request.Get("Sec-Fetch-Site") == "cross-site" && request.Get("Origin") != ""
	name := cookieOfOneSite(e.Request.Answer.Header["Set-Cookie"])
	page, err := url.Parse(request.Get("Origin"))
	base, baseErr := url.Parse(a.baseURL)
	if !isOfOtherSite || name == "" || err != nil || baseErr != nil || page.Host == "" {
		return journal.Advice{}
	}
	explanation := fmt.Sprintf("The page is at %s and this server at %s, which are two sites. "+
		"Browsers keep no such cookie of another site.\n", page.Host, base.Host)
	if plan.IsLocalOrigin(request.Get("Origin")) {
		ownPort := strings.TrimPrefix(base.Host, hostWithoutPort(base))
		base.Host = hostWithoutPort(page) + ownPort
		explanation += "Give the app a base URL with the host name of the page: " + base.String()
	} else {
		explanation += "Open the page at the host name of its base URL."
	}
	return journal.Advice{
		Title: "The browser does not keep the cookie " + words.CutInput(name),
		Text:  explanation,
	}
}

// cookieOfOneSite returns the name of the first of some cookies that is not for pages of other
// sites, or "". Each is the value of a header Set-Cookie as the journal has it, without what may be
// secret, which package net/http cannot parse.
func cookieOfOneSite(cookies []string) string {
	for _, cookie := range cookies {
		pair, attributes, _ := strings.Cut(strings.ToLower(cookie), ";")
		isRemoved := strings.HasSuffix(pair, "=")
		isForOtherSites := hasAttribute(attributes, "samesite=none") &&
			hasAttribute(attributes, "secure")
		if !isRemoved && !isForOtherSites {
			name, _, _ := strings.Cut(cookie, "=")
			return name
		}
	}
	return ""
}

// hostWithoutPort returns the host of a URL as it stands there: an address of IPv6 in brackets.
func hostWithoutPort(u *url.URL) string {
	return strings.TrimSuffix(u.Host, ":"+u.Port())
}

// hasAttribute reports whether an attribute is one of those of a cookie.
func hasAttribute(attributes, attribute string) bool {
	for one := range strings.SplitSeq(attributes, ";") {
		if strings.TrimSpace(one) == attribute {
			return true
		}
	}
	return false
}

func (a *Adviser) matchedNothing(e *ring.Entry, explanation string) journal.Advice {
	token := e.Request.Token
	if token == "" {
		token = a.example
	}
	return journal.Advice{
		Title:   "Matched nothing",
		Text:    explanation,
		Command: a.curl(token),
	}
}

// onToken returns advice on what was sent in place of the token of a user. There is none if by now
// a user has that token, or the token is like one.
func (a *Adviser) onToken(e *ring.Entry) journal.Advice {
	found := e.Reason.Token
	if e.Request.Token == "" {
		found = e.Reason.Answer
	}
	if found == nil || a.isLikeUser(e.Request.Token) {
		return journal.Advice{}
	}
	switch found := found.(type) {
	case reason.Placeholder:
		return journal.Advice{
			Title: words.UpperFirst(found.What),
			Text:  found.Detail(),
		}
	case reason.MissingToken:
		return a.onMissingToken(found)
	case reason.NearToken:
		if !a.isLikeUser(found.Near) {
			return journal.Advice{} // since that user was removed
		}
		near := words.CutInput(found.Near)
		return journal.Advice{
			Title:   "The token is nearly " + near,
			Text:    "No user has the token that was sent. " + words.UpperFirst(found.String()),
			Command: a.curl(found.Near),
		}
	case reason.NoBase:
		return journal.Advice{
			Title: "There is no user " + found.Base + " to be like",
			Text: "A token with a tilde is like the user whose token stands before it. " +
				"Name one that is there.",
			Command: a.curl(a.example + "~1"),
		}
	}
	return journal.Advice{}
}

// onMissingToken returns advice on a header that has no token. There is none on a request without
// the header, since an app sends such requests before somebody logs in.
func (a *Adviser) onMissingToken(found reason.MissingToken) journal.Advice {
	if found == reason.NoHeader {
		return journal.Advice{}
	}
	return journal.Advice{
		Title:   "The Authorization header has no bearer token",
		Text:    found.Detail(),
		Command: a.curl(a.example),
	}
}

// onCORS returns advice on an answer that a browser keeps from a page of another origin: the
// setting that adds the origin to those that are listed. There is none if the origin is allowed by
// now.
func (a *Adviser) onCORS(e *ring.Entry) journal.Advice {
	origin := e.Request.Header.Get("Origin")
	listed := a.snapshot.Service.CORS
	isAllowedNow := slices.Contains(listed, fixtures.CORSAny) || slices.Contains(listed, origin) ||
		slices.Contains(listed, fixtures.CORSLocal) && plan.IsLocalOrigin(origin)
	if isAllowedNow || !isKeptBack(e) {
		return journal.Advice{}
	}
	title := "CORS: the page may not read the answer"
	if e.Request.Method == http.MethodOptions {
		title = "CORS: the preflight was refused"
	}
	allowed := append(slices.Clone(listed), origin)
	because := ""
	if origin == "null" {
		allowed = []string{fixtures.CORSAny}
		because = ", since a page that was opened from a file has no origin to list"
	} else if listed[0] == fixtures.CORSOff || listed[0] == fixtures.CORSLocal {
		allowed = []string{origin} // since each of these words stands alone
	}
	flag := text.ShellQuote(strings.Join(allowed, ","))
	list, _ := json.Marshal(allowed) // which YAML reads, too
	return journal.Advice{
		Title: title,
		Text: fmt.Sprintf("service.cors is %s, so the browser keeps the answer "+
			"from the page of %s, which sees a network error.\n"+
			"Start the server with --cors %s, or write it in the fixtures%s.",
			strings.Join(listed, ", "), origin, flag, because),
		Fixture: fmt.Sprintf("service: {cors: %s}", list),
	}
}

// isKeptBack reports whether the request is of a page of another origin, and was answered without
// the header that lets the page read the answer.
func isKeptBack(e *ring.Entry) bool {
	isAnswered := e.Request.Status != 0
	isOfPage := e.Request.Header.Get("Origin") != ""
	isOfOwnPage := e.Request.Header.Get("Sec-Fetch-Site") == "same-origin"
	isReadable := e.Request.Answer.Header.Get("Access-Control-Allow-Origin") != ""
	return isAnswered && isOfPage && !isOfOwnPage && !isReadable
}

// onQuery returns advice on a query, which the service ignores.
func (a *Adviser) onQuery(e *ring.Entry) journal.Advice {
	query := e.Request.IgnoredQuery
	if query == "" {
		return journal.Advice{}
	}
	token := e.Request.Token
	if token == "" {
		token = a.example
	}
	return journal.Advice{
		Title: "The query was ignored",
		Text: "The query ?" + words.CutInput(query) + " was sent, and the service documents none: " +
			"the answer is always the whole list.\n" +
			"Send the request without a query, and select and sort in the app.",
		Command: a.curl(token),
	}
}

// curl returns the shell command that requests the campaigns of a token.
func (a *Adviser) curl(token string) string {
	credentials := text.ShellQuote("Authorization: Bearer " + token)
	return "curl -H " + credentials + " " + text.ShellQuote(a.baseURL+protocol.CampaignsPath)
}

// Describe returns a request on one line.
func Describe(r *http.Request) string {
	token, why := reason.BearerToken(r.Header)
	sender := words.WithToken(token)
	if why != nil {
		sender = "(" + why.String() + ")"
	}
	return fmt.Sprintf("%s %s %s", r.Method, r.URL.RequestURI(), sender)
}
