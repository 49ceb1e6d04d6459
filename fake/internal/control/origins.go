package control

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"example.com/campaignfake/fake/internal/words"
)

// refuseOrigin returns why it refuses a request from a page whose origin is not listed, and "" for
// every other request.
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

// isFromOtherPage reports whether a browser says that a page of another origin sends a request.
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

// isOriginOf reports whether an origin has a host, with any scheme.
func isOriginOf(host, origin string) bool {
	u, err := url.Parse(origin)
	return err == nil && strings.EqualFold(u.Host, host)
}

// isLinkToPage reports whether the user of a browser follows a link to the page. The page that
// has the link cannot read the answer.
func isLinkToPage(r *http.Request) bool {
	leadsToPage := []string{"/", "/_fake", pagePath}
	return slices.Contains(leadsToPage, r.URL.Path) &&
		r.Header.Get("Sec-Fetch-Mode") == "navigate" &&
		r.Header.Get("Sec-Fetch-Dest") == "document"
}
