// Package advice says what to change in a client that sends a wrong request, or in settings that
// hide an answer from a web page. The advice depends on the entry of the request in the journal,
// and on the settings that are in force when somebody reads the advice.
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
	users    []string // the tokens of all users
	baseURL  string
	example  string // a token for the commands in the advice
	isInTest bool   // the server belongs to a test in Go, which has no flags
}

// New returns an adviser for the settings of a snapshot and the tokens of all current users. Its
// commands use the base URL. For the server of a test in Go, it advises options and not flags.
func New(snapshot *plan.Snapshot, users []string, baseURL string, isInTest bool) *Adviser {
	example := "any-token"
	if len(users) > 0 {
		example = users[0]
	}
	return &Adviser{
		snapshot: snapshot,
		users:    users,
		baseURL:  baseURL,
		example:  example,
		isInTest: isInTest,
	}
}

// hasUser reports whether a token gets the answers of a user: of its own user, or of the user of
// the part before a tilde. The token demo~1, for example, gets the answers of demo.
func (a *Adviser) hasUser(token string) bool {
	for userToken := range text.UserTokens(token) {
		if slices.Contains(a.users, userToken) {
			return true
		}
	}
	return false
}

// On returns the advice on a request. It is zero if nothing is wrong with the request.
func (a *Adviser) On(e *ring.Entry) journal.Advice {
	switch found := e.Finding.(type) {
	case reason.WrongPath:
		return a.onPath(e, found)
	case reason.WrongMethod:
		return a.onMethod(e, found)
	}
	if e.Request.PassedOn {
		return a.onPassedOn(e)
	}
	return first(
		a.onToken(e),
		a.onCORS(e),
		a.onQuery(e),
	)
}

// first returns the first advice that is not empty, and the zero Advice if all are empty.
func first(all ...journal.Advice) journal.Advice {
	for _, advice := range all {
		if advice.Title != "" {
			return advice
		}
	}
	return journal.Advice{}
}

// onPath returns advice on a request for a path that the service does not have.
func (a *Adviser) onPath(e *ring.Entry, found reason.WrongPath) journal.Advice {
	explanation := fmt.Sprintf("%s\nThe service has one path: the base URL, and %s after it. "+
		"Check the base URL that the app is given: %s",
		found.Difference(), protocol.CampaignsPath, a.baseURL)
	remedy := found.Remedy(a.isInTest)
	if remedy != "" {
		explanation += "\n" + remedy
	}
	return a.matchedNothing(e, explanation)
}

// onMethod returns advice on a request with a method that the service does not have.
func (a *Adviser) onMethod(e *ring.Entry, found reason.WrongMethod) journal.Advice {
	return a.matchedNothing(e, "The path is right. "+found.Difference())
}

// onPassedOn returns advice on a request that the upstream or a fallback has answered.
func (a *Adviser) onPassedOn(e *ring.Entry) journal.Advice {
	if a.snapshot.Upstream == nil {
		return first(a.onLostCookie(e), a.onCORS(e))
	}
	return first(
		a.onRefusedToken(e),
		a.onRedirectToHTTPS(e),
		a.onLostCookie(e),
		a.onCORS(e),
	)
}

// onRefusedToken returns advice on a request whose token the upstream refuses. The token belongs to
// a user of this server, so the upstream cannot know it.
func (a *Adviser) onRefusedToken(e *ring.Entry) journal.Advice {
	token := e.Request.Token
	status := e.Request.Status
	isRefused := status == http.StatusUnauthorized || status == http.StatusForbidden
	if !isRefused || !slices.Contains(a.users, token) {
		return journal.Advice{}
	}
	shown := words.CutInput(token)
	root := strings.TrimSuffix(a.baseURL, a.snapshot.BasePath)
	copied := root + "/_fake/users?token=TOKEN_OF_THE_LOGIN&like=" + url.QueryEscape(token)
	return journal.Advice{
		Title: "The upstream refuses the token " + shown,
		Text: "A user of this server has the token " + shown + ", " +
			"and the upstream does not know it.\n" +
			"Log in at the upstream, and give the token of the login the user of " + shown + ".",
		Command: "curl -X PUT " + text.ShellQuote(copied),
	}
}

// onRedirectToHTTPS returns advice on an upstream whose URL has http, and which redirects the
// client to HTTPS. The client then sends its requests to the upstream, past this server.
func (a *Adviser) onRedirectToHTTPS(e *ring.Entry) journal.Advice {
	upstream := a.snapshot.Upstream
	location, err := url.Parse(e.Request.Answer.Header.Get("Location"))
	if err != nil {
		return journal.Advice{}
	}
	isToHTTPS := upstream.Scheme == "http" && location.Scheme == "https"
	if !isToHTTPS || upstream.Hostname() != location.Hostname() {
		return journal.Advice{}
	}
	return journal.Advice{
		Title: "The upstream redirects to HTTPS",
		Text: "The app follows it to " + location.Host + ", past this server.\n" +
			"Write the URL of --upstream (in Go, of fake.WithUpstream) with https://.",
	}
}

// onLostCookie returns advice on an answer with a cookie that browsers do not keep, because the
// page and this server are different sites, such as localhost and 127.0.0.1. Without the advice,
// people only see that the next request is not logged in.
func (a *Adviser) onLostCookie(e *ring.Entry) journal.Advice {
	origin := e.Request.Header.Get("Origin")
	isOfOtherSite := e.Request.Header.Get("Sec-Fetch-Site") == "cross-site"
	lost := cookieOfOneSite(e.Request.Answer.Header["Set-Cookie"])
	if !isOfOtherSite || lost == "" {
		return journal.Advice{}
	}
	page, err := url.Parse(origin)
	if err != nil || page.Host == "" {
		return journal.Advice{}
	}
	base, err := url.Parse(a.baseURL)
	if err != nil {
		return journal.Advice{}
	}
	explanation := fmt.Sprintf("The page is at %s and this server at %s, which are two sites. "+
		"Browsers keep no such cookie of another site.\n", page.Host, base.Host)
	if plan.IsLocalOrigin(origin) {
		ownPort := strings.TrimPrefix(base.Host, hostWithoutPort(base))
		base.Host = hostWithoutPort(page) + ownPort
		explanation += "Give the app a base URL with the host name of the page: " + base.String()
	} else {
		explanation += "Open the page at the host name of its base URL."
	}
	return journal.Advice{
		Title: "The browser does not keep the cookie " + words.CutInput(lost),
		Text:  explanation,
	}
}

// cookieOfOneSite returns the name of the first cookie that browsers do not keep for pages of
// another site. It returns "" if there is no such cookie. Each cookie is the value of a header
// Set-Cookie. Package net/http cannot parse these values, since the journal has masked their
// secrets.
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

// hostWithoutPort returns the host of a URL. An address of IPv6 keeps its brackets.
func hostWithoutPort(u *url.URL) string {
	return strings.TrimSuffix(u.Host, ":"+u.Port())
}

// hasAttribute reports whether the attributes of a cookie have the wanted attribute. Both arguments
// are in lower case.
func hasAttribute(attributes, wanted string) bool {
	for attribute := range strings.SplitSeq(attributes, ";") {
		if strings.TrimSpace(attribute) == wanted {
			return true
		}
	}
	return false
}

// matchedNothing returns advice on a request that matched nothing.
func (a *Adviser) matchedNothing(e *ring.Entry, explanation string) journal.Advice {
	return journal.Advice{
		Title:   "Matched nothing",
		Text:    explanation,
		Command: a.curlLike(e),
	}
}

// onToken returns advice on a token that no user has, or on a placeholder that was sent in place of
// a token. It returns no advice if a user has the token by now.
func (a *Adviser) onToken(e *ring.Entry) journal.Advice {
	if a.hasUser(e.Request.Token) {
		return journal.Advice{}
	}
	switch found := e.Finding.(type) {
	case reason.Placeholder:
		return journal.Advice{
			Title: words.UpperFirst(found.What),
			Text:  found.Detail(),
		}
	case reason.MissingToken:
		return a.onMissingToken(found)
	case reason.NearToken:
		if !a.hasUser(found.Near) {
			return journal.Advice{} // the user was removed since the request
		}
		near := words.CutInput(found.Near)
		return journal.Advice{
			Title:   "The token is nearly " + near,
			Text:    "No user has the token that was sent. " + words.UpperFirst(found.String()),
			Command: a.curl(found.Near),
		}
	case reason.TestWithoutUser:
		return journal.Advice{
			Title: "No user has the token of this test",
			Text:  words.Sentence(found.String()),
		}
	case reason.RunOfNobody:
		named := "Name a user that is there"
		if !a.isInTest {
			named += fmt.Sprintf(", in Playwright by campaigns.like(%q)", a.example)
		}
		return journal.Advice{
			Title: "No user has the token " + found.Name,
			Text: "A token with a tilde sees what the token before the tilde sees. " +
				named + ".",
			Command: a.curl(text.WithRun(a.example, "1")),
		}
	}
	return journal.Advice{}
}

// onMissingToken returns advice on an Authorization header without a token. There is no advice on a
// request without the header, because an app sends such requests before somebody logs in.
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

// onCORS returns advice on an answer that a browser hides from a page of another origin. The advice
// is to allow the origin by the setting service.cors. There is no advice if the current setting
// allows the origin.
func (a *Adviser) onCORS(e *ring.Entry) journal.Advice {
	origin := e.Request.Header.Get("Origin")
	if a.isAllowed(origin) || !isKeptBack(e) {
		return journal.Advice{}
	}
	title := "CORS: the page may not read the answer"
	if e.Request.Method == http.MethodOptions {
		title = "CORS: the preflight was refused"
	}
	listed := a.snapshot.Service.CORS
	isWord := listed[0] == fixtures.CORSOff || listed[0] == fixtures.CORSLocal
	allowed := append(slices.Clone(listed), origin)
	because := ""
	switch {
	case origin == "null":
		allowed = []string{fixtures.CORSAny}
		because = ", since a page that was opened from a file has no origin to list"
	case isWord:
		allowed = []string{origin} // "off" and "local" cannot stand beside an origin
	}
	set := "Start the server with --cors " + text.ShellQuote(strings.Join(allowed, ","))
	if a.isInTest {
		set = fmt.Sprintf("Give the server fake.WithService(fixtures.Service{CORS: %#v})", allowed)
	}
	list, _ := json.Marshal(allowed) // YAML reads a JSON list, too
	return journal.Advice{
		Title: title,
		Text: fmt.Sprintf("service.cors is %s, so the browser keeps the answer "+
			"from the page of %s, which sees a network error.\n"+
			"%s, or write it in the fixtures%s.",
			strings.Join(listed, ", "), origin, set, because),
		Fixture: fmt.Sprintf("service: {cors: %s}", list),
	}
}

// isAllowed reports whether the current setting lets pages of an origin read answers.
func (a *Adviser) isAllowed(origin string) bool {
	request := &http.Request{Header: http.Header{"Origin": {origin}}}
	return a.snapshot.CORS != nil && a.snapshot.CORS.OriginAllowed(request)
}

// isKeptBack reports whether a browser has hidden an answer from a page of another origin, because
// the answer has no header that lets the page read it.
func isKeptBack(e *ring.Entry) bool {
	isAnswered := e.Request.Status != 0
	isOfPage := e.Request.Header.Get("Origin") != ""
	isOfOwnPage := e.Request.Header.Get("Sec-Fetch-Site") == "same-origin"
	isReadable := e.Request.Answer.Header.Get("Access-Control-Allow-Origin") != ""
	return isAnswered && isOfPage && !isOfOwnPage && !isReadable
}

// onQuery returns advice if a request for the campaigns has a query, since the service ignores
// every query.
func (a *Adviser) onQuery(e *ring.Entry) journal.Advice {
	query := e.Request.IgnoredQuery
	if query == "" {
		return journal.Advice{}
	}
	return journal.Advice{
		Title: "The query was ignored",
		Text: "The query ?" + words.CutInput(query) + " was sent, " +
			"and the service documents none: the answer is always the whole list.\n" +
			"Send the request without a query, and select and sort in the app.",
		Command: a.curlLike(e),
	}
}

// curlLike returns the shell command that requests the campaigns with the token of a request. If
// the request has no token, the command has an example token.
func (a *Adviser) curlLike(e *ring.Entry) string {
	if e.Request.Token == "" {
		return a.curl(a.example)
	}
	return a.curl(e.Request.Token)
}

// curl returns the shell command that requests the campaigns of a token.
func (a *Adviser) curl(token string) string {
	credentials := text.ShellQuote("Authorization: Bearer " + token)
	return "curl -H " + credentials + " " + text.ShellQuote(a.baseURL+protocol.CampaignsPath)
}

// Describe describes a request on one line, with its token, or with the reason why it has none.
func Describe(r *http.Request) string {
	token, why := reason.BearerToken(r.Header)
	sender := words.WithToken(token)
	if why != nil {
		sender = "(" + why.String() + ")"
	}
	return fmt.Sprintf("%s %s %s", r.Method, r.URL.RequestURI(), sender)
}
