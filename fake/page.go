package fake

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"

	"example.com/campaignfake/fixtures"
)

// The page shows people what the control plane says. The server renders it as a
// whole; its script asks for it again when there is something new, and for the
// requests that are new alone.

var (
	//go:embed page/page.html
	pageHTML string
	//go:embed page/page.css
	pageCSS string
	//go:embed page/page.js
	pageScript string
)

// pageJS is the script without what only those need who read its source, so that
// the page stays small: indentation, and lines that are comments.
var pageJS = sync.OnceValue(func() string {
	var lines []string
	for line := range strings.Lines(pageScript) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "//") {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
})

const pagePath = "/_fake/"

// pageTemplate parses the page when somebody looks at it.
var pageTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page").Parse(pageHTML))
})

// pagePolicy lets the page run what belongs to it, ask its own server, and do
// nothing else.
var pagePolicy = sync.OnceValue(func() string {
	hash := func(text string) string {
		sum := sha256.Sum256([]byte(text))
		return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	return "default-src 'none'; script-src " + hash(pageJS()) + "; style-src " + hash(pageCSS) +
		"; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
})

const (
	// pageRows is how many requests are shown unless more are asked for, which
	// are as many as the page holds.
	pageRows, pageMostRows = 50, 1000

	// pageCampaigns is how many campaigns are shown of a user.
	pageCampaigns = 20
)

// A page is what the template shows.
type page struct {
	Style    template.CSS
	Script   template.JS
	Version  string
	BaseURL  string
	Now      int // the version of what is shown; see feed
	Journal  int // see requestList
	Failure  *reloaded
	Users    []pageUser
	Others   string // what other tokens see
	Nobody   string // what is said when no user is found
	Token    string // that was chosen
	User     *pageUser
	Presets  []preset
	Faults   []string
	Statuses []pageStatus

	Partial       bool // only what is new
	Requests      []pageRequest
	Trouble       int
	Show          string // trouble, or token for the requests of the chosen one; "" for all
	All, Troubled string
	Own           string
	Earlier       string
	Nothing       bool
	Missing       string // the request that was asked for and is not there
	Try           string

	Settings []pageSetting
}

// A pageSetting is a setting on the page, its text without quotes.
type pageSetting struct {
	Setting
	Text   string
	Option bool // of the command, which was where it was set
}

// A pageCell is a field in a table: text as it is, anything else raw.
type pageCell struct {
	Text string
	Raw  bool
}

// A pageUser is a user on the page.
type pageUser struct {
	Token, Query      string // the latter for a URL
	Shows             string
	Selected          bool
	Requests, Waiting int

	*chosenUser
}

// A chosenUser is what is shown of one user alone.
type chosenUser struct {
	Curl, Fetch string
	Steerable   bool
	Played      []waitingText
	Enqueued    bool
	Count       string
	Campaigns   [][]pageCell
	More        string
	JSON        template.HTML
}

// A waitingText is a reply that waits to be played, in words.
type waitingText struct {
	Text, Times string
	Begun       bool
	Own         bool // of the user, and not enqueued
}

// A preset is an answer that is a click away.
type preset struct{ Name, Body string }

// presets are what people try first.
func presets() []preset {
	return []preset{
		{"503 once", `{"status":503}`},
		{"401 once", `{"response":"invalid_token"}`},
		{"429, wait 2 s", `{"status":429,"headers":{"Retry-After":"2"}}`},
		{"2 s late", `{"delay":"2s"}`},
		{"no campaigns", `{"campaigns":[]}`},
		{"cut off", `{"fault":"truncate"}`},
		{"connection reset", `{"fault":"reset"}`},
		{"no answer", `{"fault":"hang"}`},
	}
}

// A pageStatus is one that is suggested.
type pageStatus struct {
	Code int
	Text string
}

func pageStatuses() (list []pageStatus) {
	for _, code := range []int{200, 400, 401, 403, 404, 408, 409, 422, 429, 500, 502, 503, 504} {
		list = append(list, pageStatus{code, http.StatusText(code)})
	}
	return list
}

// getPage answers with the page.
func (s *Server) getPage(x *exchange) {
	values, ok := x.parameters("token", "request", "show", "rows", "since")
	if !ok {
		return
	}
	number := func(name string) int {
		value, err := strconv.Atoi(values[name])
		if err != nil {
			return -1
		}
		return value
	}
	setup := s.setup.Load()
	p := &page{
		Style: template.CSS(pageCSS), Script: template.JS(pageJS()),
		Version: Version(), BaseURL: s.baseURLFor(x),
		Presets: presets(), Faults: fixtures.FaultNames(), Statuses: pageStatuses(),
		Show: values["show"],
	}
	for _, setting := range setup.service.Settings(setup.places) {
		p.Settings = append(p.Settings, pageSetting{setting, cell(setting.Value).Text, strings.HasPrefix(setting.Where, "-")})
	}
	s.showUsers(p, setup, values["token"])
	since := number("since")
	p.Partial = since >= 0
	s.showRequests(p, setup, values, number("request"), since)

	header := x.Header()
	x.uncached("text/html; charset=utf-8")
	header.Set("Content-Security-Policy", pagePolicy())
	header.Set("X-Frame-Options", "DENY")
	header.Set("Referrer-Policy", "no-referrer")
	var text bytes.Buffer
	if err := pageTemplate().Execute(&text, p); err != nil {
		panic(err) // a template that does not fit is a mistake of this file
	}
	header.Set("Content-Length", strconv.Itoa(text.Len()))
	x.WriteHeader(http.StatusOK)
	if x.request.Method != http.MethodHead {
		x.Write(text.Bytes())
	}
}

// leadToPage sends a browser on to the page.
func (s *Server) leadToPage(x *exchange) {
	x.Header().Set("Location", pagePath)
	x.WriteHeader(http.StatusFound)
}

// baseURLFor returns the base URL as whoever looks at the page reaches it: by the
// name that they have for this machine, and the port of the service.
func (s *Server) baseURLFor(x *exchange) string {
	s.mu.Lock()
	address := s.address
	s.mu.Unlock()
	host := x.request.Host
	if x.plane {
		if name, _, err := net.SplitHostPort(host); err == nil {
			host = name
		}
		if _, port, err := net.SplitHostPort(address); err == nil {
			host = net.JoinHostPort(host, port)
		}
	}
	scheme := "http://"
	if s.secured || x.request.TLS != nil {
		scheme = "https://"
	}
	return scheme + host + s.setup.Load().service.BasePath
}

// shows says what a user is.
func shows(u User) string {
	if u.Description != "" {
		return u.Description
	}
	return u.String()
}

// showUsers puts the users on the page, and the one of a token that was chosen.
func (s *Server) showUsers(p *page, setup *setup, token string) {
	var chosen *account
	var user *user
	var queue, own []waitingText
	s.mu.Lock()
	p.Now, p.Journal = s.feed.version, max(s.journal.since, s.journal.cleared)
	if last := s.reloaded; last.err != nil {
		p.Failure = &reloaded{At: last.at, Error: last.err.Error(), Mistakes: mistakesOf(last.err)}
	}
	for _, n := range s.accounts.listed() {
		u := n.user.given
		p.Users = append(p.Users, pageUser{
			Token: n.token, Shows: shows(u), Selected: n.token == token, Requests: n.count, Waiting: len(n.script.queue),
		})
	}
	if token != "" {
		if chosen = s.accounts.byToken[token]; chosen != nil && chosen.user != nil {
			user = chosen.user
			for r, played := range remaining(chosen.script.queue, chosen.script.queued) {
				queue = append(queue, waits(r, played))
			}
			for r, played := range remaining(user.replies[chosen.script.next:], chosen.script.played) {
				w := waits(r, played)
				w.Own = true
				own = append(own, w)
			}
		}
	}
	known := s.accounts.known(token) != nil
	s.mu.Unlock()

	p.Others, p.Nobody = "any other token: 401", "No user has it, and any other token is answered 401."
	if setup.makeUnknown != nil {
		p.Nobody = "No user has it; any token works."
		p.Others = fmt.Sprintf("any other token: %d generated campaigns, always the same", unknownCount)
	}
	example := "any-token"
	switch {
	case token != "":
		example = token
	case len(p.Users) > 0:
		example = p.Users[0].Token
	}
	p.Try = curl(p.BaseURL+campaignsPath, "Authorization: Bearer "+example)
	if token == "" {
		return
	}
	if user == nil && setup.makeUnknown != nil {
		user = setup.makeUnknown(token)
	}
	p.Token = token
	p.User = &pageUser{Token: token, Query: url.QueryEscape(token), Shows: "No user has this token.", chosenUser: &chosenUser{
		Curl:  curl(p.BaseURL+campaignsPath, "Authorization: Bearer "+token),
		Fetch: fmt.Sprintf("await fetch(%q, {headers: {Authorization: %q}}).then((answer) => answer.json())", p.BaseURL+campaignsPath, "Bearer "+token),
	}}
	if user == nil {
		return
	}
	p.User.Shows = shows(user.given)
	if !known {
		p.User.Shows = fmt.Sprintf("No user has this token: %d generated campaigns, always the same.", unknownCount)
	}
	p.User.Steerable = true
	p.User.Played, p.User.Enqueued = append(queue, own...), len(queue) > 0
	p.User.showCampaigns(user)
}

// waits says in words that a reply waits, having been played so many times.
func waits(r *reply, played int) waitingText {
	text := waitingText{Text: r.text, Begun: played > 0}
	switch left := r.times - played; {
	case r.times == Always:
		text.Times = "always"
	case left > 1:
		text.Times = fmt.Sprintf("%d times", left)
	default:
		text.Times = "once"
	}
	return text
}

// showCampaigns shows the first campaigns of a normal answer.
func (c *chosenUser) showCampaigns(u *user) {
	first := User{Campaigns: u.given.Campaigns, Generate: u.given.Generate}
	c.Count = first.String()
	if len(first.Campaigns) > pageCampaigns {
		c.More = counted(len(first.Campaigns)-pageCampaigns, "campaign")
		first.Campaigns = first.Campaigns[:pageCampaigns]
	}
	if g := first.Generate; g != nil && g.Count > pageCampaigns {
		fewer := *g
		fewer.Count = pageCampaigns // which are the first of any number
		first.Generate = &fewer
		c.More = counted(g.Count-pageCampaigns, "campaign")
	}
	body, err := u.service.AppendJSON(nil, u.token, first)
	if err != nil {
		return // what a user has was encoded before
	}
	var list struct{ Campaigns []json.RawMessage }
	var indented bytes.Buffer
	if json.Unmarshal(body, &list) != nil || json.Indent(&indented, body, "", "  ") != nil {
		return
	}
	c.JSON = htmlText(indented.String())
	for _, campaign := range list.Campaigns {
		var fields map[string]json.RawMessage
		json.Unmarshal(campaign, &fields)
		var row []pageCell
		for _, name := range []string{"id", "name", "status", "created_at", "updated_at"} {
			row = append(row, cell(fields[name]))
		}
		c.Campaigns = append(c.Campaigns, row)
	}
}

// htmlText is text between two tags, where its many quotes need no escape of five
// characters, as the template would give them.
func htmlText(text string) template.HTML {
	return template.HTML(strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(text))
}

// cell is a field in a table: text as it is, anything else as JSON.
func cell(value json.RawMessage) pageCell {
	var text string
	switch {
	case value == nil:
		return pageCell{"(left out)", true}
	case string(value) != "null" && json.Unmarshal(value, &text) == nil:
		return pageCell{text, false}
	}
	return pageCell{string(value), true}
}

// getCampaigns answers with what a normal answer has for a token, and counts as
// no request of it.
func (s *Server) getCampaigns(x *exchange) {
	token, ok := x.tokenParameter()
	if !ok {
		return
	}
	var user *user
	s.mu.Lock()
	if n := s.accounts.byToken[token]; n != nil {
		user = n.user
	} else if s.accounts.makeUnknown != nil {
		user = s.accounts.makeUnknown(token)
	}
	s.mu.Unlock()
	if user == nil {
		x.noSuchUser(token)
		return
	}
	body, length := user.answer()
	x.uncached("application/json")
	x.Header()["Content-Length"] = length
	x.WriteHeader(http.StatusOK)
	if x.request.Method != http.MethodHead {
		x.Write(body)
	}
}

// curl returns the line that sends a request with some headers.
func curl(url string, headers ...string) string {
	var line strings.Builder
	line.WriteString("curl")
	for _, header := range headers {
		line.WriteString(" -H " + shellQuote(header))
	}
	return line.String() + " " + shellQuote(url)
}

func shellQuote(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
