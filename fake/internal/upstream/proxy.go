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
	// URL is that of the upstream. CheckURL accepts it.
	URL *url.URL

	// Ending is done when the server ends. Event streams and upgraded connections end then, and
	// ordinary answers may finish.
	Ending context.Context

	// Dial connects to the upstream, or to the proxy that leads to it. nil connects by TCP.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
}

// A Proxy passes requests on to one upstream. It may be used by any number of goroutines at once.
type Proxy struct {
	url       *url.URL
	path      string // of the URL, escaped, without the slash at its end
	ending    context.Context
	transport *http.Transport
	pseudonym string // names this proxy in Via, and no other one
	discard   *log.Logger
}

// New makes a proxy. Close closes its connections.
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

// Close closes the connections to the upstream that no request uses. It is called when the last
// request has ended.
func (p *Proxy) Close() {
	p.transport.CloseIdleConnections()
}

// Target returns where a request is passed on to, without its query, which may hold secrets.
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

	// ReplaceCORS drops the CORS headers of the upstream. Those that the ResponseWriter has
	// already are sent instead.
	ReplaceCORS bool

	// Begin is called once, just before the header of the answer is sent: not for an answer with
	// a status of 1xx before it, and not if there is no answer. It may be nil.
	Begin func(Answer)
}

// An Answer is what is known of an answer when its header is about to be sent.
type Answer struct {
	Status   int
	Header   http.Header // as the client receives it; not to be changed
	Length   int64       // of the body, or for HEAD of that of GET; -1 if it is not known
	IsStream bool        // an event stream or an upgraded connection, which may last for hours
}

// Pass passes a request on, and the answer back. It returns when all of the answer is written, with
// the bytes of its body, without those of an upgraded connection.
//
// The writer is the one that net/http passed to the handler, or has a method Unwrap that leads to
// it. Headers that it has already are sent with those of the upstream.
//
// An error is one of three kinds:
//   - an *Error with a Status: the upstream has failed, and nothing is written. The caller answers.
//   - an *Error without one: the upstream has failed in the middle of its answer. The caller breaks
//     the connection, so that the client does not take the answer for a whole one.
//   - ErrClientGone or ErrServerClosed. The caller breaks the connection as well.
func (p *Proxy) Pass(w http.ResponseWriter, r *http.Request, o Options) (sent int64, err error) {
	if p.hasPassed(r) {
		return 0, p.loopError()
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	x := &exchange{
		proxy:    p,
		received: r,
		options:  o,
		paths:    newPathMapping(o.BasePath, p.path, r.URL.EscapedPath()),
		writer:   answerWriter{ResponseWriter: w},
		cancel:   cancel,
	}
	defer x.release()

	x.takeHeader()
	x.serve(r.WithContext(ctx))
	if x.answer == noAnswer {
		x.returnHeader()
	}
	err = x.outcome()
	x.stopReading()
	return x.writer.sent, err
}
