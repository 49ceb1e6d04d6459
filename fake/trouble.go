package fake

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// fixOf says what is wrong with how a request was sent, nil if nothing is: that it
// matched nothing, or that a browser keeps its answer from the page that asked.
// Those who asked later are known by origin, method and URL.
func (s *Server) fixOf(p *page, setup *setup, r *Request, later map[string]bool) *fix {
	origin := r.Header.Get("Origin")
	wanted := r.Header.Get("Access-Control-Request-Method")
	preflight := r.Method == http.MethodOptions && wanted != ""
	readable := r.Answer.Header.Get("Access-Control-Allow-Origin")
	listed := "Start the server with --cors any, which pages that were opened from a file need."
	if origin != "null" {
		listed = fmt.Sprintf("Start the server with --cors %s, or list the origin under service.cors.", shellQuote(withOrigin(setup.service.CORS, origin)))
	}
	switch {
	case r.Unmatched:
		return s.unmatchedFix(p, setup, r)
	case slices.Contains([]string{"undefined", "null", "NaN", "[object", "None", "nil"}, r.Token) && setup.users[r.Token] == nil:
		return &fix{Title: "The token is the word " + r.Token, Lines: []string{
			"That is what is sent where a program puts a variable into the header that has no value yet. Send the request when the app has its token.",
		}}
	case r.Status == 0 || origin == "" || r.Header.Get("Sec-Fetch-Site") == "same-origin":
		return nil
	case preflight && readable == "":
		return &fix{Title: "CORS: the preflight was refused", Lines: []string{
			fmt.Sprintf("A page of %s wanted to send %s %s. Its browser asked first, as it does for every request with an Authorization header, and was not told that it may; so the page sees a network error.", origin, shorten(wanted), r.URL),
			corsFix(setup, origin, listed),
		}}
	case preflight && !later[origin+" "+wanted+" "+r.URL]:
		return &fix{Title: "CORS: a preflight without its request", Lines: []string{
			fmt.Sprintf("The browser was told that a page of %s may send %s %s, and has not sent it since.", origin, shorten(wanted), r.URL),
			`That is what happens with fetch(…, {credentials: "include"}) unless service.cors lists the origin, or when the page was left meanwhile. ` + listed,
		}}
	case !preflight && readable == "":
		return &fix{Title: "CORS: the page may not read the answer", Lines: []string{
			fmt.Sprintf("The request was answered, but the browser keeps the answer from the page of %s, which sees a network error.", origin),
			corsFix(setup, origin, listed),
		}}
	}
	return nil
}

// withOrigin returns what --cors takes to allow an origin beside those that are
// listed.
func withOrigin(listed []string, origin string) string {
	var origins []string
	for _, one := range listed {
		if one != "any" && one != "off" && one != origin {
			origins = append(origins, one)
		}
	}
	return strings.Join(append(origins, origin), ",")
}

// corsFix says what to change so that pages of an origin may read answers.
func corsFix(setup *setup, origin, listed string) string {
	if setup.cors == nil && origin != "null" {
		return fmt.Sprintf("service.cors is off, which is meant to show just this. Start the server with --cors any, or --cors %s.", shellQuote(origin))
	}
	return fmt.Sprintf("service.cors lists %s, and not this origin. %s", strings.Join(setup.service.CORS, ", "), listed)
}

// unmatchedFix says what would have matched, and how to get there.
func (s *Server) unmatchedFix(p *page, setup *setup, r *Request) *fix {
	f := &fix{Title: "Matched nothing"}
	path, _, _ := strings.Cut(r.URL, "?")
	if u, err := url.Parse(path); err == nil {
		path = u.EscapedPath()
	}
	base := setup.service.BasePath
	if path == base+campaignsPath {
		f.Lines = append(f.Lines, fmt.Sprintf("The path is right. The method is %s, and has to be GET.", shorten(r.Method)))
	} else {
		f.Lines = append(f.Lines, nearMiss(path, base))
		if strings.HasSuffix(path, campaignsPath) || strings.HasPrefix(path, base+"/") {
			f.Lines = append(f.Lines, "The service has one path, which is the base URL and "+campaignsPath+" after it. Check the base URL that the app is given: "+p.BaseURL)
		} else {
			f.Lines = append(f.Lines, "Point the app at the base URL "+p.BaseURL+". The service has this one path:")
		}
	}
	token := cmp.Or(r.Token, "any-token")
	if r.Token == "" && len(p.Users) > 0 {
		token = p.Users[0].Token
	}
	f.Code = curl(p.BaseURL+campaignsPath, "Authorization: Bearer "+token)
	return f
}
