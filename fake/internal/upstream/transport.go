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
	connectTimeout   = 10 * time.Second // for finding the address and connecting to it
	handshakeTimeout = 10 * time.Second // for agreeing on TLS
	continueTimeout  = time.Second      // for the answer to Expect: 100-continue
	idleTimeout      = 4 * time.Second  // then a connection without a request is closed
	idleConnections  = 100              // so many are kept for further requests
)

// errSlow is the failure of an upstream that does not accept a connection in time.
var errSlow = errors.New("no connection within " + connectTimeout.String())

// A dialFunc connects to an address.
type dialFunc func(ctx context.Context, network, address string) (net.Conn, error)

// inTime connects to an address. It fails with errSlow after connectTimeout.
func (dial dialFunc) inTime(ctx context.Context, network, address string) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	conn, err := dial(ctx, network, address)
	if err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return nil, errSlow
	}
	return conn, err
}

// A proxyError is the failure of the proxy that HTTPS_PROXY names. That proxy does not lead to the
// upstream.
type proxyError struct {
	status string // what the proxy answers, as "403 Forbidden"
}

func (e *proxyError) Error() string {
	return "the proxy of HTTPS_PROXY answers " + e.status
}

// newTransport returns the transport to the upstream. It trusts the certificates that the system
// trusts. On Linux, SSL_CERT_FILE names these if it is set.
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
		ForceAttemptHTTP2:      true,            // net/http does not try it with a dialer of ours
		DisableCompression:     true,            // a compressed body is passed on as it is
	}
}

// checkProxy checks the answer of the proxy in front of the upstream.
func checkProxy(_ context.Context, _ *url.URL, _ *http.Request, answer *http.Response) error {
	if answer.StatusCode != http.StatusOK {
		return &proxyError{status: answer.Status}
	}
	return nil
}
