package words

import (
	"crypto/tls"
	"errors"
	"net"
	"net/url"
	"syscall"
)

// windowsRefused is the error number of a refused connection on Windows. On other systems no error
// has this number.
const windowsRefused = syscall.Errno(10061)

// Unanswered says why a server has not answered, and what to change. It returns a phrase to put
// after the name of the server. The phrase quotes nothing of the argument failure, because an error
// may repeat what the server has sent, and with it a token.
func Unanswered(server *url.URL, failure error) string {
	var operation *net.OpError
	isOfProxy := errors.As(failure, &operation) && operation.Op == "proxyconnect"
	isRefused := errors.Is(failure, syscall.ECONNREFUSED) || errors.Is(failure, windowsRefused)
	var lookup *net.DNSError
	isUnknown := errors.As(failure, &lookup) && lookup.IsNotFound
	var timeout net.Error
	isTimeout := errors.As(failure, &timeout) && timeout.Timeout()
	switch {
	case isOfProxy:
		return "is behind the proxy of HTTPS_PROXY or HTTP_PROXY, which cannot be reached; " +
			"correct that variable, or list the host in NO_PROXY"
	case isRefused:
		return "is not there: nothing listens at port " + portOf(server) +
			"; start it, or correct its URL"
	case isUnknown:
		return "has a name that is unknown here; correct its URL"
	case errors.As(failure, new(*tls.CertificateVerificationError)):
		return "has no certificate that is trusted here; " +
			"correct the host, or name the authority in SSL_CERT_FILE"
	case errors.As(failure, new(tls.RecordHeaderError)):
		return "does not speak HTTPS at this port; correct its URL"
	case isTimeout:
		return "has not answered in time; " +
			"look in its log, or whether a firewall or a VPN is in between"
	}
	return "cannot be reached, breaks the connection, or sends what is no HTTP; " +
		"correct its URL, or look in its log"
}

// portOf returns the port of a URL, or the default port of its scheme if the URL has no port.
func portOf(server *url.URL) string {
	switch {
	case server.Port() != "":
		return server.Port()
	case server.Scheme == "https":
		return "443"
	}
	return "80"
}
