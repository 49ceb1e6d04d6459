package upstream

import (
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
)

// rewriteRequest makes a request to the upstream of the one that was received.
func (x *exchange) rewriteRequest(r *httputil.ProxyRequest) {
	received := r.In.URL
	r.Out.URL = &url.URL{
		Scheme:     x.proxy.url.Scheme,
		Host:       x.proxy.url.Host,
		RawQuery:   received.RawQuery, // even if it cannot be parsed
		ForceQuery: received.ForceQuery,
	}
	setPath(r.Out.URL, x.paths.there(received.EscapedPath()))
	r.Out.Host = "" // that of the URL is sent
	// Its values are known after the body was read, and then in the received request alone.
	r.Out.Trailer = r.In.Trailer

	header := r.Out.Header
	for name := range header {
		if isOfThePage(name) {
			delete(header, name)
		}
	}
	if header["Origin"] != nil && x.isTrustedOrigin(r.In) {
		header.Set("Origin", originOf(x.proxy.url))
	}
	protocol := strings.TrimPrefix(r.In.Proto, "HTTP/")
	header.Add("Via", protocol+" "+x.proxy.pseudonym)
}

// isOfThePage reports whether a header tells of the page that sends the request, or of the way that
// it took, of which the upstream knows nothing.
func isOfThePage(name string) bool {
	return name == "Referer" ||
		strings.HasPrefix(name, "Sec-Fetch-") ||
		strings.HasPrefix(name, "X-Forwarded-")
}

// isTrustedOrigin reports whether the page of a request may send credentials: the CORS headers of
// the answer allow it, or the page is from this server.
func (x *exchange) isTrustedOrigin(r *http.Request) bool {
	if allowsCredentials(x.own) {
		return true
	}
	scheme := "http"
	if r.TLS != nil {
		scheme = "https"
	}
	own := originOf(&url.URL{Scheme: scheme, Host: r.Host})
	return r.Header.Get("Origin") == own
}

// hasPassed reports whether a request has been at this proxy before: its URL leads to itself.
func (p *Proxy) hasPassed(r *http.Request) bool {
	for _, via := range r.Header["Via"] {
		if strings.Contains(via, p.pseudonym) {
			return true
		}
	}
	return false
}
