package upstream

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"

	"example.com/campaignfake/fake/internal/words"
)

var (
	// ErrClientGone means that the client went away, or that it has not sent its whole request.
	ErrClientGone = errors.New("the client went away")

	// ErrServerClosed means that the server was closed before the answer was complete. A stream
	// always ends in this way, unless the client or the upstream ends it.
	ErrServerClosed = errors.New("the server was closed")
)

// An Error says why the upstream has not answered. It holds nothing of the request, and nothing of
// the upstream's URL but the host.
type Error struct {
	Status int    // 502 or 508, to be answered; 0 if a part of the upstream's answer was sent
	Reason string // a phrase that names the host and the cause
	Advice string // a sentence that says what to change
}

// Error returns the reason.
func (e *Error) Error() string {
	return e.Reason
}

const (
	correctURL = "Correct the URL of --upstream (in Go, of fake.WithUpstream)."
	checkIt    = "Look for the cause in the log of the upstream."
)

// closedEarly is what a server does when it fails. Many servers that speak only HTTPS do so, too,
// when they are asked over HTTP.
const closedEarly = "closed the connection before it answered"

// loopError returns the error for a request that has been here before.
func (p *Proxy) loopError() *Error {
	const reason = "the URL of the upstream, at %s, leads back to this server"
	return &Error{
		Status: http.StatusLoopDetected,
		Reason: fmt.Sprintf(reason, p.url.Host),
		Advice: "Give --upstream (in Go, fake.WithUpstream) the URL of the real API.",
	}
}

// brokenError returns the error for an answer that the upstream has not finished.
func (p *Proxy) brokenError() *Error {
	const reason = "the upstream %s ended the connection in the middle of its answer"
	return &Error{
		Reason: fmt.Sprintf(reason, p.url.Host),
		Advice: checkIt,
	}
}

// start is the advice on an upstream that may not run.
const start = "Start it, or correct the URL of --upstream (in Go, of fake.WithUpstream)."

// notThereError returns the error for an upstream that has refused the connection.
func (p *Proxy) notThereError() *Error {
	return &Error{
		Status: http.StatusBadGateway,
		Reason: "the upstream " + words.NotThere(p.url),
		Advice: start,
	}
}

// errorOf returns the error for a failure of the transport.
func (p *Proxy) errorOf(failure error) *Error {
	ofProxy, _ := explainProxy(failure)
	if ofProxy == "" && words.IsRefused(failure) {
		return p.notThereError()
	}
	cause, advice := explain(failure)
	if cause == closedEarly && p.url.Scheme == "http" {
		advice += " If it speaks HTTPS, write its URL with https://."
	}
	return &Error{
		Status: http.StatusBadGateway,
		Reason: fmt.Sprintf("the upstream %s %s", p.url.Host, cause),
		Advice: advice,
	}
}

// explain returns what an upstream has done, as the end of a sentence, and what to change.
func explain(failure error) (cause, advice string) {
	explanations := []func(error) (cause, advice string){
		explainProxy,
		explainConnection,
		explainTLS,
		explainMissingAnswer,
	}
	for _, explainOne := range explanations {
		cause, advice := explainOne(failure)
		if cause != "" {
			return cause, advice
		}
	}
	return "gave no answer: " + textOf(failure), checkIt
}

// explainProxy explains why the proxy in front of the upstream does not lead to it, or returns "".
func explainProxy(failure error) (cause, advice string) {
	const correct = "Correct that variable, or list the host in NO_PROXY."
	var refused *proxyError
	var operation *net.OpError
	switch {
	case errors.As(failure, &refused):
		return "cannot be reached: " + refused.Error(), correct
	case errors.As(failure, &operation) && operation.Op == "proxyconnect":
		return "cannot be reached, since the proxy of HTTPS_PROXY or HTTP_PROXY cannot: " +
			textOf(operation.Err), correct
	}
	return "", ""
}

// explainConnection explains why there is no connection, or returns "".
func explainConnection(failure error) (cause, advice string) {
	var lookup *net.DNSError
	var operation *net.OpError
	switch {
	case errors.Is(failure, errSlow):
		return fmt.Sprintf("did not accept a connection within %s", connectTimeout),
			"Check that it can be reached from here: a firewall or a VPN may be in between."
	case errors.As(failure, &lookup) && lookup.IsNotFound:
		return words.UnknownName, correctURL
	case errors.As(failure, &lookup):
		return "has a name that could not be looked up: " + lookup.Err,
			"Check that the name server can be reached."
	case errors.As(failure, &operation) && operation.Op == "dial":
		return "cannot be connected to: " + textOf(operation.Err), start
	}
	return "", ""
}

// explainTLS explains why there is no TLS on a connection, or returns "".
func explainTLS(failure error) (cause, advice string) {
	var noTLS tls.RecordHeaderError
	var noAuthority x509.UnknownAuthorityError
	var untrusted *tls.CertificateVerificationError
	var operation *net.OpError
	switch {
	case errors.As(failure, &noTLS):
		return "does not speak TLS", "Write its URL with http://, or with the port that speaks TLS."
	case errors.As(failure, &noAuthority):
		return "has a certificate of an authority that is not trusted here",
			"Name a file with the authority's certificate in the variable SSL_CERT_FILE, " +
				"or on macOS and Windows, have the system trust it."
	case errors.As(failure, &untrusted):
		return "has a certificate that cannot be used: " + textOf(untrusted.Err),
			"Write the host that the certificate names, or have a valid one made."
	case errors.As(failure, &operation) && operation.Op == "remote error": // an alert
		return "refused TLS: " + textOf(operation.Err), checkIt
	case isHandshakeTimeout(failure):
		return fmt.Sprintf("did not agree on TLS within %s", handshakeTimeout),
			"Check that its port is one for HTTPS."
	}
	return "", ""
}

// explainMissingAnswer explains why no answer came over a connection, or returns "".
func explainMissingAnswer(failure error) (cause, advice string) {
	var operation *net.OpError
	text := failure.Error()
	switch {
	case errors.As(failure, &operation), // reading or writing has failed
		errors.Is(failure, io.EOF),
		errors.Is(failure, io.ErrUnexpectedEOF),
		strings.Contains(text, "server closed idle connection"): // net/http has no value for it
		return closedEarly, checkIt
	case strings.Contains(text, "malformed"):
		// The rest of the text is not shown, because it is a part of what was received.
		return "sent something that is not HTTP", correctURL
	}
	return "", ""
}

// isHandshakeTimeout reports whether the transport waited too long for TLS. Once there is a
// connection, it is the only timeout of the transport. A timeout of the operating system is an
// OpError.
func isHandshakeTimeout(failure error) bool {
	var operation *net.OpError
	var timeout net.Error
	isTimeout := errors.As(failure, &timeout) && timeout.Timeout()
	return isTimeout && !errors.As(failure, &operation)
}

// prefixes are the names of packages at the start of the texts of errors. A text has at most two of
// them, and always in this order.
var prefixes = [...]string{
	"net/http: HTTP/1.x transport connection broken: ",
	"x509: ",
	"net/http: ",
	"http: ",
	"tls: ",
}

// textOf returns the text of an error without names of packages at its start, and shortened.
func textOf(err error) string {
	text := err.Error()
	for _, prefix := range prefixes {
		text = strings.TrimPrefix(text, prefix)
	}
	return words.CutInput(text)
}
