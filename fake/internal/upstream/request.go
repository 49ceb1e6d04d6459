package upstream

import (
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
)

// rewriteRequest turns the request that was received into the request to the upstream.
func (t *transfer) rewriteRequest(r *httputil.ProxyRequest) {
	received := r.In.URL
	r.Out.URL = &url.URL{
		Scheme:     t.proxy.url.Scheme,
		Host:       t.proxy.url.Host,
		RawQuery:   received.RawQuery, // even if it cannot be parsed
		ForceQuery: received.ForceQuery,
	}
	setPath(r.Out.URL, t.paths.there(received.EscapedPath()))
	r.Out.Host = "" // so that the host of the URL is sent
	// The values of trailers are known after the body was read. net/http sets them in the received
	// request alone, so the two requests share the map.
	r.Out.Trailer = r.In.Trailer

	header := r.Out.Header
	for name := range header {
		if isOfThePage(name) {
			delete(header, name)
		}
	}
	if header["Origin"] != nil && t.isTrustedOrigin(r.In) {
		header.Set("Origin", originOf(t.proxy.url))
	}
	protocol := strings.TrimPrefix(r.In.Proto, "HTTP/")
	header.Add("Via", protocol+" "+t.proxy.pseudonym)
}

// isOfThePage reports whether a header is about the page that sends the request, or about the way
// that the request took. The upstream knows neither.
func isOfThePage(name string) bool {
	return name == "Referer" ||
		strings.HasPrefix(name, "Sec-Fetch-") ||
		strings.HasPrefix(name, "X-Forwarded-")
}

// isTrustedOrigin reports whether the page of a request may send credentials. It may if the CORS
// headers of the answer allow it, or if the page is from this server.
func (t *transfer) isTrustedOrigin(r *http.Request) bool {
	if allowsCredentials(t.callerHeader) {
		return true
	}
	own := originOf(&url.URL{Scheme: schemeOf(r), Host: r.Host})
	return r.Header.Get("Origin") == own
}

// schemeOf returns the scheme of the URL to which a client has sent a request.
func schemeOf(r *http.Request) string {
	if r.TLS != nil {
		return "https"
	}
	return "http"
}

// hasPassed reports whether a request has been at this proxy before. Then the URL of the upstream
// leads back here.
func (p *Proxy) hasPassed(r *http.Request) bool {
	for _, via := range r.Header["Via"] {
		if strings.Contains(via, p.pseudonym) {
			return true
		}
	}
	return false
}
