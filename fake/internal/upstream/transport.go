package upstream

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/url"
	"time"
)

const (
	connectTimeout   = 10 * time.Second // to find the address, and connect to it
	handshakeTimeout = 10 * time.Second // to agree on TLS
	continueTimeout  = time.Second      // to answer Expect: 100-continue
	idleTimeout      = 4 * time.Second  // until a connection without a request is closed
	idleConnections  = 100              // that are kept for further requests
)

// errSlow is the failure of an upstream that does not accept a connection in time.
var errSlow = errors.New("no connection within " + connectTimeout.String())

// A dialFunc connects to an address.
type dialFunc func(ctx context.Context, network, address string) (net.Conn, error)

// inTime connects, and fails with errSlow if that takes too long.
func (dial dialFunc) inTime(ctx context.Context, network, address string) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	conn, err := dial(ctx, network, address)
	if err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return nil, errSlow
	}
	return conn, err
}

// A proxyError is the failure of the proxy that HTTPS_PROXY names: it does not lead to the
// upstream.
type proxyError struct {
	status string // of its answer
}

func (e *proxyError) Error() string {
	return "the proxy of HTTPS_PROXY answers " + e.status
}

// newTransport returns the transport to the upstream. Certificates are checked against the
// authorities of the system, which on Linux are those of SSL_CERT_FILE if that is set.
func newTransport(dial dialFunc) *http.Transport {
	if dial == nil {
		dial = new(net.Dialer).DialContext
	}
	return &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		OnProxyConnectResponse: checkProxy,
		DialContext:            dial.inTime,
		TLSHandshakeTimeout:    handshakeTimeout,
		ExpectContinueTimeout:  continueTimeout,
		IdleConnTimeout:        idleTimeout,
		MaxIdleConnsPerHost:    idleConnections, // there is one host
		ForceAttemptHTTP2:      true,            // even though the dialer is our own
		DisableCompression:     true,            // a body that is compressed goes on as it is
	}
}

// checkProxy is called with the answer of the proxy that is to lead to the upstream.
func checkProxy(_ context.Context, _ *url.URL, _ *http.Request, answer *http.Response) error {
	if answer.StatusCode != http.StatusOK {
		return &proxyError{answer.Status}
	}
	return nil
}
