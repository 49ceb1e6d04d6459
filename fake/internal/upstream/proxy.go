package upstream

import (
	"context"
	"crypto/rand"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"strings"
)

// Settings say where requests are passed on to, and when the server ends.
type Settings struct {
	// URL is the URL of the upstream. CheckURL has accepted it.
	URL *url.URL

	// Ending is done when the server ends. Event streams and upgraded connections end then, but
	// ordinary answers may finish.
	Ending context.Context

	// Dial connects to the upstream, or to the proxy that leads to it. If it is nil, TCP is used.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
}

// A Proxy passes requests on to one upstream. Any number of goroutines may use it at once.
type Proxy struct {
	url       *url.URL
	path      string // the path of the URL, escaped, without a slash at its end
	ending    context.Context
	transport *http.Transport
	pseudonym string // the name of this proxy in Via, which no other proxy has
	discard   *log.Logger
}

// New makes a proxy. When it is no longer used, Close closes its connections.
func New(s Settings) *Proxy {
	return &Proxy{
		url:       s.URL,
		path:      strings.TrimSuffix(s.URL.EscapedPath(), "/"),
		ending:    s.Ending,
		transport: newTransport(s.Dial),
		pseudonym: "campaignfake-" + rand.Text(),
		discard:   log.New(io.Discard, "", 0),
	}
}

// Close closes the connections to the upstream that no request uses. It is called after the last
// request has ended.
func (p *Proxy) Close() {
	p.transport.CloseIdleConnections()
}

// Target returns the URL to which a request is passed on. It leaves out the query, which may hold
// secrets.
func (p *Proxy) Target(r *http.Request, basePath string) string {
	requested := r.URL.EscapedPath()
	paths := newPathMapping(basePath, p.path, requested)
	return p.url.Scheme + "://" + p.url.Host + paths.there(requested)
}

// Options say how one request is passed on.
type Options struct {
	// BasePath is the base path of this server, as /api, or "" for the root. The path of the
	// upstream's URL replaces it.
	BasePath string

	// ReplaceCORS drops the CORS headers of the upstream. The CORS headers that the
	// ResponseWriter already has are sent instead.
	ReplaceCORS bool

	// Begin is called once, just before the header of the answer is sent. It is not called for
	// answers with a status of 1xx, nor if there is no answer. It may be nil.
	Begin func(ResponseHead)
}

// A ResponseHead is what is known of an answer when its header is about to be sent.
type ResponseHead struct {
	Status   int
	Header   http.Header // what the client receives; nobody may change it
	Length   int64       // bytes of the body, for HEAD those of GET; -1 if it is not known
	IsStream bool        // an event stream or an upgraded connection, which may last for hours
}

// Pass passes a request on, and the answer back. It returns when the whole answer is written. sent
// is the number of bytes of the body, in which those of an upgraded connection are not counted.
//
// The writer is the one that net/http passed to the handler, or has a method Unwrap that leads to
// that one. Headers that the writer already has are sent with those of the upstream.
//
// There are three kinds of errors:
//   - An *Error with a Status: the upstream has failed, and nothing is written. The caller answers.
//   - An *Error without a Status: the upstream has failed in the middle of its answer. The caller
//     breaks the connection, so that the client does not take the answer for a whole one.
//   - ErrClientGone or ErrServerClosed. The caller breaks the connection as well.
func (p *Proxy) Pass(w http.ResponseWriter, r *http.Request, o Options) (sent int64, err error) {
	if p.hasPassed(r) {
		return 0, p.loopError()
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	t := &transfer{
		proxy:    p,
		received: r,
		options:  o,
		paths:    newPathMapping(o.BasePath, p.path, r.URL.EscapedPath()),
		writer: answerWriter{
			ResponseWriter: w,
			transfer:       ctx,
		},
		cancel: cancel,
	}
	defer t.release()

	t.takeHeader()
	t.serve(r.WithContext(ctx))
	if t.answer == noAnswer {
		t.returnHeader()
	}
	err = t.outcome()
	t.stopReading()
	return t.writer.sent, err
}
