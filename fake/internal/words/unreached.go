package words

import (
	"errors"
	"net"
	"net/url"
	"syscall"
)

// UnknownName is the phrase about a server whose host is not in the DNS.
const UnknownName = "has a name that is unknown here"

// windowsRefused is the error number of a refused connection on Windows. On other systems no error
// has this number.
const windowsRefused = syscall.Errno(10061)

// IsRefused reports whether a connection was refused, since nothing listens there.
func IsRefused(failure error) bool {
	return errors.Is(failure, syscall.ECONNREFUSED) || errors.Is(failure, windowsRefused)
}

// NotThere returns a phrase about a server that refuses connections. If the URL has no port, the
// phrase names the default port of its scheme.
func NotThere(server *url.URL) string {
	port := server.Port()
	if port == "" && server.Scheme == "https" {
		port = "443"
	}
	if port == "" {
		port = "80"
	}
	return "is not there: nothing listens at " + net.JoinHostPort(server.Hostname(), port)
}
