package state

import (
	"net/http"
	"net/url"
)

// redirects are the paths to which answers have led their clients, and the same with their
// queries. A request for one of them is no mistake of a client that follows redirects,
// although the service has neither the path nor the query.
type redirects map[string]struct{}

// maxRedirects bounds how many paths there are.
const maxRedirects = 1000

// answered notes where the answer to a request leads.
func (r redirects) answered(request *http.Request, status int, header http.Header) {
	location := header.Get("Location")
	if status < 300 || status > 399 || location == "" || len(r) >= maxRedirects {
		return
	}
	from := url.URL{Scheme: "http", Host: request.Host, Path: request.URL.Path}
	if to, err := from.Parse(location); err == nil && to.Host == request.Host {
		r[to.EscapedPath()] = struct{}{}
		if to.RawQuery != "" {
			r[to.EscapedPath()+"?"+to.RawQuery] = struct{}{}
		}
	}
}

// leadTo reports whether an answer has led to a path, which may have a query.
func (r redirects) leadTo(path string) bool {
	_, led := r[path]
	return led
}
