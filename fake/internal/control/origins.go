package control

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"example.com/campaignfake/fake/internal/words"
)

// refuseOrigin returns the reason to refuse a request from a web page of another origin. It returns
// "" for pages of listed origins, for the page of the server itself, and for programs that are no
// browsers.
func refuseOrigin(r *http.Request, listed []string) string {
	origins := r.Header.Values("Origin")
	isListed := len(origins) == 1 && slices.Contains(listed, origins[0])
	if isListed || !isFromOtherPage(r) {
		return ""
	}
	named := ""
	if len(origins) > 0 {
		named = fmt.Sprintf(", as %q", words.CutInput(strings.Join(origins, ", ")))
	}
	return "The control plane refuses pages of other origins" + named + ". " +
		"List the origin with --control-origins (in Go, fake.WithControlOrigins), " +
		"or send the request from the server's own page, or from a program that is not a browser."
}

// isFromOtherPage reports whether the headers of a browser say that a page of another origin has
// sent a request. A link to the page of the server does not count.
func isFromOtherPage(r *http.Request) bool {
	for _, origin := range r.Header.Values("Origin") {
		if !isOriginOf(r.Host, origin) {
			return true
		}
	}
	if isLinkToPage(r) {
		return false
	}
	for _, site := range r.Header.Values("Sec-Fetch-Site") {
		if site != "same-origin" && site != "none" {
			return true
		}
	}
	return false
}

// isOriginOf reports whether an origin, such as http://localhost:8642, has this host and port. Its
// scheme does not matter.
func isOriginOf(host, origin string) bool {
	u, err := url.Parse(origin)
	return err == nil && strings.EqualFold(u.Host, host)
}

// isLinkToPage reports whether somebody has followed a link in a browser to the page of the server.
// That is safe: the site with the link cannot read the answer.
func isLinkToPage(r *http.Request) bool {
	leadsToPage := []string{"/", "/_fake", pagePath}
	return slices.Contains(leadsToPage, r.URL.Path) &&
		r.Header.Get("Sec-Fetch-Mode") == "navigate" &&
		r.Header.Get("Sec-Fetch-Dest") == "document"
}
