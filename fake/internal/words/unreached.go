package words

import (
	"errors"
	"net"
	"net/url"
	"syscall"
)

// UnknownName is said of a server whose host is not in the DNS.
const UnknownName = "has a name that is unknown here"

// windowsRefused is what a refused connection is on Windows. On other systems no error has this
// number.
const windowsRefused = syscall.Errno(10061)

// IsRefused reports whether a connection was refused, since nothing listens there.
func IsRefused(failure error) bool {
	return errors.Is(failure, syscall.ECONNREFUSED) || errors.Is(failure, windowsRefused)
}

// NotThere is said of a server that refuses connections. The URL may have no port, and stands for
// that of its scheme then.
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
