package fake

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// An adviser gives advice on the requests of a journal, the latest first: advice on a
// preflight depends on whether the browser sent its request later. It is for one
// goroutine.
type adviser struct {
	service *Service
	baseURL string
	known   func(token string) bool // reports whether the snapshot has a user for the token
	example string                  // a token that has campaigns
	sent    map[string]bool         // later requests of browsers, by sentKey
}

// newAdviser returns an adviser for the settings in force. The advice names the base
// URL.
func (s *Server) newAdviser(baseURL string) *adviser {
	p := s.state.inForce()
	a := &adviser{
		service: p.service,
		baseURL: baseURL,
		known:   func(token string) bool { return p.user(token) != nil },
		example: "any-token",
		sent:    make(map[string]bool),
	}
	if len(p.users) > 0 {
		a.example = p.users[0].token
	}
	return a
}

// adviseAll sets the advice of requests, which are in order of arrival.
func (a *adviser) adviseAll(requests []Request) {
	for i := len(requests) - 1; i >= 0; i-- {
		a.advise(&requests[i])
	}
}

// advise sets the advice of a request. It must have been called for all later requests
// before.
func (a *adviser) advise(r *Request) {
	r.Advice = a.advice(r)
	if origin := r.Header.Get("Origin"); origin != "" && r.Method != http.MethodOptions {
		a.sent[sentKey(origin, r.Method, r.URL)] = true
	}
}

func sentKey(origin, method, url string) string { return origin + " " + method + " " + url }

// mayBeAdvised reports whether a request may have advice, or change that of an earlier
// one. This is faster than unpacking the request.
func (r *record) mayBeAdvised() bool {
	return r.unmatched || r.near != "" || r.token == "" || placeholders[r.token].title != "" || strings.Contains(r.received, "Origin")
}

func (a *adviser) advice(r *Request) Advice {
	origin := r.Header.Get("Origin")
	word := placeholders[placeholder(r.Header)]
	switch {
	case r.Unmatched:
		return a.unmatched(r)
	case word.title != "" && !a.known(r.Token):
		return Advice{Title: word.title, Text: word.advice}
	case r.near != "" && !a.known(r.Token):
		return Advice{
			Title:   "The token is nearly " + shorten(r.near),
			Text:    "No user has the token that was sent, so the answer was one for unknown tokens. Did you mean " + shorten(r.near) + "?",
			Command: curl(a.baseURL+campaignsPath, "Authorization: Bearer "+r.near),
		}
	case r.Status == 0 || origin == "" || r.Header.Get("Sec-Fetch-Site") == "same-origin":
		return Advice{}
	}
	return a.cors(r, origin)
}

// cors returns advice on a request that a browser sent for a page of another origin.
func (a *adviser) cors(r *Request, origin string) Advice {
	wanted := r.Header.Get("Access-Control-Request-Method")
	preflight := r.Method == http.MethodOptions && wanted != ""
	allowed := r.Answer.Header.Get("Access-Control-Allow-Origin") != ""
	switch {
	case preflight && !allowed:
		return Advice{
			Title: "CORS: the preflight was refused",
			Text: fmt.Sprintf("A page of %s wanted to send %s %s. "+
				"A browser asks before it sends a request with an Authorization header (the preflight). It was not allowed to, so the page sees a network error.\n%s",
				origin, shorten(wanted), r.URL, a.remedy(origin)),
		}
	case preflight && !a.sent[sentKey(origin, wanted, r.URL)]:
		return Advice{
			Title: "CORS: a preflight without its request",
			Text: fmt.Sprintf("The browser was told that a page of %s may send %s %s, and has not sent it since.\n"+
				`That is what happens with fetch(…, {credentials: "include"}) unless service.cors lists the origin, or when somebody left the page meanwhile. %s`,
				origin, shorten(wanted), r.URL, a.listing(origin)),
		}
	case !preflight && !allowed:
		return Advice{
			Title: "CORS: the page may not read the answer",
			Text: fmt.Sprintf("The request was answered, but the browser does not give the answer to the page of %s. The page sees a network error.\n%s",
				origin, a.remedy(origin)),
		}
	}
	return Advice{}
}

// remedy says why pages of an origin cannot read answers, and what to change.
func (a *adviser) remedy(origin string) string {
	if slices.Contains(a.service.CORS, "off") && origin != "null" {
		return fmt.Sprintf("service.cors is off, which shows how this error looks. Start the server with --cors any, or --cors %s.", shellQuote(origin))
	}
	return fmt.Sprintf("service.cors lists %s, and not this origin. %s", strings.Join(a.service.CORS, ", "), a.listing(origin))
}

// listing says how to add an origin to those that are listed already.
func (a *adviser) listing(origin string) string {
	if origin == "null" {
		return "Start the server with --cors any: a page that was opened from a file has no origin to list."
	}
	var origins []string
	for _, listed := range a.service.CORS {
		if listed != "any" && listed != "off" && listed != origin {
			origins = append(origins, listed)
		}
	}
	return fmt.Sprintf("Start the server with --cors %s, or list the origin under service.cors.", shellQuote(strings.Join(append(origins, origin), ",")))
}

// unmatched returns advice on a request that matched nothing: what would have matched.
func (a *adviser) unmatched(r *Request) Advice {
	path := withoutQuery(r.URL)
	if u, err := url.Parse(path); err == nil {
		path = u.EscapedPath()
	}
	base := a.service.BasePath
	var text string
	switch {
	case path == base+campaignsPath:
		text = fmt.Sprintf("The path is right. The method is %s, and has to be GET.", shorten(r.Method))
	case strings.HasSuffix(path, campaignsPath) || strings.HasPrefix(path, base+"/"):
		text = fmt.Sprintf("%s\nThe service has one path: the base URL, and %s after it. Check the base URL that the app is given: %s",
			nearMiss(path, base), campaignsPath, a.baseURL)
	default:
		text = fmt.Sprintf("%s\nPoint the app at the base URL %s. The service has this one path:", nearMiss(path, base), a.baseURL)
	}
	token := cmp.Or(r.Token, a.example)
	return Advice{"Matched nothing", text, curl(a.baseURL+campaignsPath, "Authorization: Bearer "+token)}
}

// curl returns the command that sends a request with some headers.
func curl(url string, headers ...string) string {
	var line strings.Builder
	line.WriteString("curl")
	for _, header := range headers {
		line.WriteString(" -H " + shellQuote(header))
	}
	return line.String() + " " + shellQuote(url)
}

func shellQuote(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
