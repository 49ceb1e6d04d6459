// Package upstream passes a request on to the real API, and the answer back to the client.
// [net/http/httputil.ReverseProxy] does most of the work. The rest is decided here:
//
//   - The path of the upstream's URL replaces our base path. A request outside of the base path
//     goes to the same path of the upstream's host. Path and query are not changed otherwise.
//   - The upstream receives the host of its own URL. If the page that sends the request may send
//     credentials, the header Origin becomes the upstream's own origin, because the upstream may
//     refuse the origin of the page. Referer and Sec-Fetch-* are dropped, because they name a page
//     that the upstream does not know. X-Forwarded-* are dropped, because an upstream has no reason
//     to trust us.
//   - An upgrade to a WebSocket is passed on. Other upgrades are not: clients offer HTTP/2 unasked,
//     and an upstream that speaks HTTP/2 refuses the offer.
//   - The header Via names this server. A request whose Via already names this server is refused,
//     because the upstream's URL leads back to this server, perhaps through other proxies.
//   - Set-Cookie is changed so that browsers send the cookie to us: see cookies.go. Location and
//     Content-Location become our URL if they lead to the upstream.
//   - Strict-Transport-Security and Alt-Svc are dropped. They are about the upstream's host, but a
//     browser would apply them to ours: mostly localhost, where other servers run as well.
//   - An idle connection to the upstream is closed after four seconds. A Node server closes it
//     after five, and a request that we send at that moment would fail.
//   - If the upstream does not answer, a Failure says why.
//
// The package knows nothing of campaigns, users or the journal. Package serve, above, decides which
// requests are passed on, adds the CORS headers, and cancels requests when the server is closed.
package upstream

import (
	"crypto/rand"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
	"time"

	"example.com/campaignfake/fake/internal/words"
)

const (
	connectTimeout   = 10 * time.Second // bounds DNS and connecting
	handshakeTimeout = 10 * time.Second // bounds the TLS handshake
	continueTimeout  = time.Second      // bounds the wait for the answer to Expect: 100-continue
	idleTimeout      = 4 * time.Second  // closes an idle connection
	idleConnections  = 100              // bounds how many idle connections are kept

	// flushInterval bounds how long a part of a body waits in a buffer before it is sent. It does
	// not apply to bodies of unknown length or to events, which are sent at once.
	flushInterval = 5 * time.Millisecond
)

// A Proxy passes requests on to one upstream. Any number of goroutines may use it at once.
type Proxy struct {
	// Transport sends the requests. Callers may change it before the first request. It uses the
	// environment variables HTTP_PROXY, HTTPS_PROXY and NO_PROXY. It trusts the certificates that
	// the system trusts; on Linux, the environment variable SSL_CERT_FILE can name a file with
	// other certificates.
	Transport *http.Transport

	url       *url.URL
	path      string // the path of the URL, escaped, without a slash at its end
	pseudonym string // the name of this proxy in Via, which no other proxy has
}

// New makes a proxy to an upstream whose URL CheckURL has accepted.
func New(api *url.URL) *Proxy {
	dialer := &net.Dialer{Timeout: connectTimeout}
	return &Proxy{
		Transport: &http.Transport{
			Proxy:                 http.ProxyFromEnvironment,
			DialContext:           dialer.DialContext,
			TLSHandshakeTimeout:   handshakeTimeout,
			ExpectContinueTimeout: continueTimeout,
			IdleConnTimeout:       idleTimeout,
			MaxIdleConnsPerHost:   idleConnections, // all connections are to one host
			ForceAttemptHTTP2:     true,            // net/http does not try it with our dialer
			DisableCompression:    true,            // a compressed body is passed on as it is
		},
		url:       api,
		path:      strings.TrimSuffix(api.EscapedPath(), "/"),
		pseudonym: "campaignfake-" + rand.Text(),
	}
}

// Close closes the connections to the upstream that no request uses. Call it after the last request
// has ended.
func (p *Proxy) Close() {
	p.Transport.CloseIdleConnections()
}

// Target returns the URL to which a request is passed on. It leaves out the query, which may hold
// secrets.
func (p *Proxy) Target(r *http.Request, basePath string) string {
	paths := p.mapping(r, basePath)
	return p.url.Scheme + "://" + p.url.Host + paths.toUpstream(r.URL.EscapedPath())
}

// Options say how one request is passed on.
type Options struct {
	// BasePath is the base path of this server, such as /api, or "" for the root. The path of the
	// upstream's URL replaces it.
	BasePath string

	// AllowsCredentials is true if the CORS headers of the answer allow cookies for the page that
	// has sent the request.
	AllowsCredentials bool
}

// A Failure says why there is no answer of the upstream.
type Failure struct {
	Status int // the status of our answer: 502 or 508

	// Reason is a phrase that names the host and the cause, and says what to change. It quotes
	// nothing of the request or of the upstream's answer.
	Reason string
}

// discard drops the log of ReverseProxy, because Pass reports the failures itself.
var discard = log.New(io.Discard, "", 0)

// Pass sends the request to the upstream, writes the answer to w, and returns nil. It ends when the
// context of r ends. If there is no answer, Pass writes nothing, and returns a Failure that says
// why. If the upstream breaks its answer off, Pass panics with http.ErrAbortHandler, as
// ReverseProxy does under a server.
func (p *Proxy) Pass(w http.ResponseWriter, r *http.Request, o Options) *Failure {
	for _, via := range r.Header["Via"] {
		if strings.Contains(via, p.pseudonym) {
			return &Failure{
				Status: http.StatusLoopDetected,
				Reason: "the URL of the upstream, at " + p.url.Host + ", leads back to this " +
					"server; give --upstream (in Go, fake.WithUpstream) the URL of the real API",
			}
		}
	}
	t := &transfer{
		proxy:    p,
		options:  o,
		writer:   w,
		received: r,
		paths:    p.mapping(r, o.BasePath),
	}
	var failure *Failure
	reverse := &httputil.ReverseProxy{
		Rewrite:        t.rewriteRequest,
		Transport:      p.Transport,
		FlushInterval:  flushInterval,
		ModifyResponse: t.rewriteAnswer,
		ErrorLog:       discard,
		ErrorHandler: func(_ http.ResponseWriter, _ *http.Request, err error) {
			failure = &Failure{
				Status: http.StatusBadGateway,
				Reason: "the upstream " + p.url.Host + " " + words.Unanswered(p.url, err),
			}
		},
	}
	reverse.ServeHTTP(w, r)
	return failure
}

// A transfer is one request on its way to the upstream, and the answer on its way back.
type transfer struct {
	proxy    *Proxy
	options  Options
	writer   http.ResponseWriter
	received *http.Request
	paths    pathMapping
}

// rewriteRequest turns the request that was received into the request to the upstream.
func (t *transfer) rewriteRequest(r *httputil.ProxyRequest) {
	received := r.In.URL
	r.Out.URL = &url.URL{
		Scheme:     t.proxy.url.Scheme,
		Host:       t.proxy.url.Host,
		RawQuery:   received.RawQuery, // unchanged, even if nobody can parse the query
		ForceQuery: received.ForceQuery,
	}
	setPath(r.Out.URL, t.paths.toUpstream(received.EscapedPath()))
	r.Out.Host = "" // so that the upstream gets the host of its own URL
	if r.Out.Body != nil {
		r.Out.Body = &upload{ReadCloser: r.Out.Body}
	}

	header := r.Out.Header
	for name := range header {
		if isOfThePage(name) {
			delete(header, name)
		}
	}
	isWebSocket := strings.EqualFold(header.Get("Upgrade"), "websocket")
	if !isWebSocket {
		header.Del("Connection")
		header.Del("Upgrade")
	}
	header.Del("HTTP2-Settings")
	if header["Origin"] != nil && t.isTrustedOrigin() {
		header.Set("Origin", originOf(t.proxy.url))
	}
	protocol := strings.TrimPrefix(r.In.Proto, "HTTP/")
	header.Add("Via", protocol+" "+t.proxy.pseudonym)
}

// An upload is the body of a request. http.Transport reads the body once more after its end. If the
// answer has begun by then, net/http may have closed the body, and would return an error. The error
// would break off an event stream that answers an upload. So Read returns io.EOF after the end of
// the body, and does not ask net/http again.
type upload struct {
	io.ReadCloser
	isRead bool
}

func (u *upload) Read(part []byte) (int, error) {
	if u.isRead {
		return 0, io.EOF
	}
	n, err := u.ReadCloser.Read(part)
	u.isRead = err == io.EOF
	return n, err
}

// isOfThePage reports whether a header is about the page that sends the request, or about the way
// that the request took to us. The upstream gets no such header, since it knows neither the page
// nor the way.
func isOfThePage(name string) bool {
	return name == "Referer" ||
		strings.HasPrefix(name, "Sec-Fetch-") ||
		strings.HasPrefix(name, "X-Forwarded-")
}

// isTrustedOrigin reports whether the page of the request may send credentials. It may if the CORS
// headers of the answer allow it, or if the page is from this server.
func (t *transfer) isTrustedOrigin() bool {
	own := originOf(&url.URL{Scheme: schemeOf(t.received), Host: t.received.Host})
	return t.options.AllowsCredentials || t.received.Header.Get("Origin") == own
}

// schemeOf returns the scheme of the URL to which a client has sent a request.
func schemeOf(r *http.Request) string {
	if r.TLS != nil {
		return "https"
	}
	return "http"
}

// rewriteAnswer turns the answer of the upstream into the answer to the client. ReverseProxy calls
// it when the header has arrived, and sends the header afterwards.
func (t *transfer) rewriteAnswer(answer *http.Response) error {
	if answer.StatusCode < 100 {
		return errors.New("HTTP has no such status")
	}
	header := answer.Header
	for i, cookie := range header["Set-Cookie"] {
		header["Set-Cookie"][i] = t.rewriteCookie(cookie)
	}
	t.rewriteLocation(answer, "Location")
	t.rewriteLocation(answer, "Content-Location")
	header.Del("Strict-Transport-Security")
	header.Del("Alt-Svc")
	if header["Content-Type"] == nil {
		t.writer.Header()["Content-Type"] = nil // nil, so that net/http does not guess a type
	}
	return nil
}

// rewriteLocation works on a header with a URL, such as Location. It replaces a URL of the upstream
// by our URL for the same thing. Other URLs stay. The URL may be relative to the URL of the
// request.
//
// In a redirect our URL is relative. The client resolves it against the URL that the client
// requested. So the redirect also works if the client requested the URL of another proxy before us.
//
// In other answers an app reads the header itself. A relative URL would lead the app to the origin
// of its own page. So our URL is absolute there, if the upstream's URL is absolute.
func (t *transfer) rewriteLocation(answer *http.Response, name string) {
	location := answer.Header.Get(name)
	if location == "" {
		return
	}
	written, err := url.Parse(location)
	if err != nil {
		return
	}
	u := answer.Request.URL.ResolveReference(written)
	if originOf(u) != originOf(t.proxy.url) {
		return
	}
	ours := &url.URL{
		RawQuery:    u.RawQuery,
		ForceQuery:  u.ForceQuery,
		Fragment:    u.Fragment,
		RawFragment: u.RawFragment,
	}
	path := t.paths.fromUpstream(rooted(u.EscapedPath()))
	isRedirect := answer.StatusCode >= 300 && answer.StatusCode < 400
	isAbsolute := written.Host != "" && !isRedirect
	if isAbsolute {
		ours.Scheme = schemeOf(t.received)
		ours.Host = t.received.Host
	} else if strings.HasPrefix(path, "//") {
		path = "/." + path // two slashes at the start would make the next part a host
	}
	setPath(ours, path)
	answer.Header.Set(name, ours.String())
}

// A pathMapping changes our paths into paths of the upstream, and back. It is for one request. All
// paths are escaped.
type pathMapping struct {
	ours     string // our base path; "" for the root
	theirs   string // the path of the upstream's URL; "" for the root
	isInside bool   // the path of the request is our base path, or below it
}

func (p *Proxy) mapping(r *http.Request, basePath string) pathMapping {
	return pathMapping{
		ours:     basePath,
		theirs:   p.path,
		isInside: isBelow(r.URL.EscapedPath(), basePath),
	}
}

// isBelow reports whether a path is the base, or below it.
func isBelow(path, base string) bool {
	return path == base || strings.HasPrefix(path, base+"/")
}

// toUpstream turns the escaped path of the request into the path of the upstream. For our base path
// /api and the upstream https://example.com/v2, the path /api/campaigns becomes /v2/campaigns. If
// the request is not for our base path or below it, the path stays as it is.
func (m pathMapping) toUpstream(path string) string {
	if !m.isInside {
		return path
	}
	return rooted(m.theirs + strings.TrimPrefix(path, m.ours))
}

// fromUpstream turns a path of the upstream, which the upstream's answer names, into our path. A
// path that is not below the path of the upstream's URL stays as it is.
//
// If the upstream's URL has no path, the answer is not clear: with our base path /api, both /api/x
// and /x lead to the upstream's path /x. Then fromUpstream returns /api/x if the request was for
// /api or below it, and otherwise /x.
func (m pathMapping) fromUpstream(path string) string {
	isOutside := m.theirs == "" && !m.isInside
	if isOutside || !isBelow(path, m.theirs) {
		return path
	}
	return rooted(m.ours + strings.TrimPrefix(path, m.theirs))
}

func rooted(path string) string {
	if path == "" {
		return "/"
	}
	return path
}

// setPath gives a URL an escaped path, so that URL.String repeats exactly this path.
func setPath(u *url.URL, escaped string) {
	path, _ := url.PathUnescape(escaped) // cannot fail: net/url has escaped it
	u.Path = path
	u.RawPath = escaped
}

// originOf returns the origin of a URL as browsers send it: the scheme, the host, and the port
// unless it is the default port of the scheme.
func originOf(u *url.URL) string {
	host := strings.ToLower(u.Host)
	switch u.Scheme {
	case "http":
		host = strings.TrimSuffix(host, ":80")
	case "https":
		host = strings.TrimSuffix(host, ":443")
	}
	return u.Scheme + "://" + strings.TrimSuffix(host, ":")
}
