package upstream

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"

	"example.com/campaignfake/fake/internal/words"
)

// A Failure says why there is no answer of the upstream. It quotes nothing of the request, nothing
// that the upstream has sent, and only the host of the upstream's URL.
type Failure struct {
	Status int    // the status of our answer: 502 or 508
	Reason string // a phrase that names the host and the cause
	Advice string // what to change, in sentences
}

const (
	startIt      = "Start it, or correct the URL of --upstream (in Go, of fake.WithUpstream)."
	correctURL   = "Correct the URL of --upstream (in Go, of fake.WithUpstream)."
	correctProxy = "Correct that variable, or list the host in NO_PROXY."
	readItsLog   = "Look for the cause in the log of the upstream."
)

// loop returns the failure of a request that has been here before.
func (p *Proxy) loop() *Failure {
	return &Failure{
		Status: http.StatusLoopDetected,
		Reason: "the URL of the upstream, at " + p.url.Host + ", leads back to this server",
		Advice: "Give --upstream (in Go, fake.WithUpstream) the URL of the real API.",
	}
}

// failureOf returns the failure for an error of ReverseProxy.
func (p *Proxy) failureOf(err error) *Failure {
	cause, advice := explain(err)
	reason := "the upstream " + p.url.Host + " " + cause
	if cause == notThere {
		reason = "the upstream " + words.NotThere(p.url)
	}
	mayNeedTLS := cause == closedEarly && p.url.Scheme == "http"
	if mayNeedTLS {
		advice += " If it speaks HTTPS, write its URL with https://."
	}
	return &Failure{Status: http.StatusBadGateway, Reason: reason, Advice: advice}
}

const (
	notThere = "is not there"

	// closedEarly is the phrase for an upstream that fails. Many servers that speak only HTTPS also
	// close the connection when they are asked over HTTP.
	closedEarly = "closed the connection before it answered"
)

// explain returns the end of a sentence about what the upstream has done, and what to change.
func explain(err error) (cause, advice string) {
	var refusing refusingProxy
	var lookup *net.DNSError
	var noTLS tls.RecordHeaderError
	var certificate *tls.CertificateVerificationError
	var operation *net.OpError // connecting, reading or writing failed
	isOperation := errors.As(err, &operation)
	var timeout net.Error
	isTimeout := errors.As(err, &timeout) && timeout.Timeout()
	text := err.Error()
	switch {
	case errors.As(err, &refusing):
		return "cannot be reached: " + refusing.Error(), correctProxy
	case isOperation && operation.Op == "proxyconnect":
		return "cannot be reached, since the proxy of HTTPS_PROXY or HTTP_PROXY cannot",
			correctProxy
	case words.IsRefused(err):
		return notThere, startIt
	case errors.As(err, &lookup) && lookup.IsNotFound:
		return words.UnknownName, correctURL
	case errors.As(err, &lookup):
		return "has a name that could not be looked up",
			"Check that the name server can be reached."
	case isOperation && operation.Op == "dial" && isTimeout:
		return fmt.Sprintf("did not accept a connection within %s", connectTimeout),
			"Check that it can be reached from here: a firewall or a VPN may be in between."
	case isOperation && operation.Op == "dial":
		return "cannot be connected to: " + words.CutInput(operation.Err.Error()), startIt
	case errors.As(err, &noTLS):
		return "does not speak TLS", "Write its URL with http://, or with the port that speaks TLS."
	case errors.As(err, &certificate):
		return explainCertificate(certificate)
	case isOperation && operation.Op == "remote error": // a TLS alert, with the text of Go
		return "refused TLS: " + strings.TrimPrefix(operation.Err.Error(), "tls: "), readItsLog
	case isTimeout && !isOperation: // a timeout of the transport, for example of TLS
		return fmt.Sprintf("did not agree on TLS within %s", handshakeTimeout),
			"Check that its port is one for HTTPS."
	case isOperation,
		errors.Is(err, io.EOF),
		errors.Is(err, io.ErrUnexpectedEOF),
		strings.Contains(text, "server closed idle connection"): // it has no error value
		return closedEarly, readItsLog
	case strings.Contains(text, "malformed HTTP"):
		return "sent something that is not HTTP", correctURL
	case strings.Contains(text, "non-Hijacker"):
		return "cannot be connected to the client by a WebSocket, " +
				"since a wrapper of the ResponseWriter cannot be hijacked",
			"Give the wrapper a method Unwrap."
	}
	return "gave no answer that can be passed on", readItsLog
}

// explainCertificate explains why the certificate of an upstream is not accepted.
func explainCertificate(err *tls.CertificateVerificationError) (cause, advice string) {
	var authority x509.UnknownAuthorityError
	var name x509.HostnameError
	var invalid x509.CertificateInvalidError
	switch {
	case errors.As(err, &authority):
		return "has a certificate of an authority that is not trusted here",
			"Name a file with the authority's certificate in the variable SSL_CERT_FILE, " +
				"or on macOS and Windows, have the system trust it."
	case errors.As(err, &name):
		return "has a certificate for other names", "Write a host that the certificate names."
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "has a certificate that is not valid now",
			"Have a valid one made, or set the clock of this machine."
	}
	return "has a certificate that cannot be used", "Have a valid one made."
}

// A refusingProxy is the error if the proxy that HTTPS_PROXY names refuses to connect to the
// upstream.
type refusingProxy struct {
	status int // what the proxy answers
}

func (e refusingProxy) Error() string {
	return fmt.Sprintf("the proxy of HTTPS_PROXY answers %d", e.status)
}

// the status of the proxy's answer
func checkProxy(_ context.Context, _ *url.URL, _ *http.Request, answer *http.Response) error {
	if answer.StatusCode != http.StatusOK {
		return refusingProxy{status: answer.StatusCode}
	}
	return nil
}
