package fake

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// An adviser gives advice on the requests of a journal, the latest first: advice on a
// preflight depends on whether the browser sent its request later. It is for one
// goroutine.
type adviser struct {
	snapshot *snapshot
	baseURL  string
	example  string                   // a token that has campaigns
	sent     map[string][]sentRequest // by browsers, the latest first, by sentKey
	first    map[int]int              // the number of the preflight of a request
}

// A sentRequest is a request to which a preflight may belong.
type sentRequest struct {
	number int
	header http.Header
}

// laterRequests is how many of the requests after a preflight are looked at for its own,
// which comes shortly after it.
const laterRequests = 50

// newAdviser returns an adviser for the settings in force. The advice names the base
// URL.
func (s *Server) newAdviser(baseURL string) *adviser {
	p, example := s.state.inForce(), "any-token"
	if len(p.users) > 0 {
		example = p.users[0].token
	}
	return &adviser{snapshot: p, baseURL: baseURL, example: example, sent: make(map[string][]sentRequest), first: make(map[int]int)}
}

// known reports whether the snapshot has a user for the token.
func (a *adviser) known(token string) bool { return a.snapshot.user(token) != nil }

// adviseAll sets the advice of requests, which are in order of arrival.
func (a *adviser) adviseAll(requests []Request) {
	for i := len(requests) - 1; i >= 0; i-- {
		a.advise(&requests[i])
	}
	a.addPreflights(requests)
}

// addPreflights sets the preflights of requests that advice was given on.
func (a *adviser) addPreflights(requests []Request) {
	for i := range requests {
		requests[i].Preflight = a.first[requests[i].Number]
	}
}

// advise sets the advice of a request. It must have been called for all later requests
// before.
func (a *adviser) advise(r *Request) {
	r.Advice = a.advice(r)
	if origin := r.Header.Get("Origin"); origin != "" && r.Method != http.MethodOptions {
		key := sentKey(origin, r.Method, r.URL)
		later := a.sent[key]
		a.sent[key] = append(later[max(len(later)-laterRequests+1, 0):], sentRequest{r.Number, r.Header})
	}
}

func sentKey(origin, method, url string) string { return origin + " " + method + " " + url }

// assign gives a preflight to the next request that it was for and that has none yet: one
// with the method and the headers that it asks for. It reports whether there is a request
// that it was for, even if another preflight has that.
func (a *adviser) assign(preflight *Request) (sent bool) {
	header := preflight.Header
	names := strings.FieldsFunc(header.Get("Access-Control-Request-Headers"), func(r rune) bool { return r == ',' || r == ' ' })
	key := sentKey(header.Get("Origin"), header.Get("Access-Control-Request-Method"), preflight.URL)
	for _, r := range slices.Backward(a.sent[key]) {
		if slices.ContainsFunc(names, func(name string) bool { return r.header.Values(name) == nil }) {
			continue
		}
		sent = true
		if a.first[r.number] == 0 {
			a.first[r.number] = preflight.Number
			break
		}
	}
	return sent
}

// mayBeAdvised reports whether a request may have advice, or change that of an earlier
// one. This is faster than unpacking the request.
func (r *entry) mayBeAdvised() bool {
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
	case r.Token == "" && r.Header["Authorization"] != nil:
		_, problem := bearerToken(r.Header)
		return Advice{
			Title:   "The Authorization header has no bearer token",
			Text:    sentence(problem) + " Send Authorization: Bearer <token>.",
			Command: a.curl(a.example),
		}
	case r.near != "" && !a.known(r.Token):
		return Advice{
			Title:   "The token is nearly " + shorten(r.near),
			Text:    "No user has the token that was sent, so the answer was one for unknown tokens. Did you mean " + shorten(r.near) + "?",
			Command: a.curl(r.near),
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
		return a.setCORS(origin, "CORS: the preflight was refused", "A page of %s wanted to send %s %s. "+
			"A browser asks before it sends a request with an Authorization header (the preflight). It was not allowed to, so the page sees a network error.\n%s",
			origin, shorten(wanted), r.URL, a.setting(origin))
	case preflight && !a.assign(r):
		return a.setCORS(origin, "CORS: a preflight without its request",
			"The browser was told that a page of %s may send %s %s, and has not sent it since.\n"+
				`That is what happens with fetch(…, {credentials: "include"}) unless service.cors lists the origin, or when somebody left the page meanwhile.`,
			origin, shorten(wanted), r.URL)
	case !preflight && !allowed:
		return a.setCORS(origin, "CORS: the page may not read the answer",
			"The request was answered, but the browser does not give the answer to the page of %s. The page sees a network error.\n%s",
			origin, a.setting(origin))
	}
	return Advice{}
}

// setting says why pages of an origin cannot read answers.
func (a *adviser) setting(origin string) string {
	switch listed := a.snapshot.service.CORS; {
	case slices.Contains(listed, "any") || slices.Contains(listed, origin):
		return "service.cors has changed since, and allows it now."
	case slices.Contains(listed, "off"):
		return "service.cors is off, which shows how this error looks."
	default:
		return fmt.Sprintf("service.cors lists %s, and not this origin.", strings.Join(listed, ", "))
	}
}

// setCORS returns advice that ends with how to list an origin beside those that are
// listed already.
func (a *adviser) setCORS(origin, title, format string, args ...any) Advice {
	origins := slices.DeleteFunc(slices.Clone(a.snapshot.service.CORS), func(listed string) bool {
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
	return Advice{Title: title, Text: text, Fixture: fmt.Sprintf("service: {cors: %s}", list)}
}

// plainOrigins matches a list of origins that a shell takes as it is.
var plainOrigins = regexp.MustCompile(`^[\w.:/,+-]*$`)

// unmatched returns advice on a request that matched nothing: what would have matched.
func (a *adviser) unmatched(r *Request) Advice {
	path := withoutQuery(r.URL)
	if u, err := url.Parse(path); err == nil {
		path = u.EscapedPath()
	}
	base := a.snapshot.service.BasePath
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
	return Advice{Title: "Matched nothing", Text: text, Command: a.curl(token)}
}

// curl returns the command that asks for the campaigns of a token.
func (a *adviser) curl(token string) string {
	return "curl -H " + shellQuote("Authorization: Bearer "+token) + " " + shellQuote(a.baseURL+campaignsPath)
}

func shellQuote(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
