package wire

import (
	"errors"
	"net"
	"syscall"
)

// Listener returns a listener whose connections are added to o when a server accepts
// them. The server must be tracked.
func (o *Connections) Listener(inner net.Listener) net.Listener { return listener{inner, o} }

type listener struct {
	net.Listener
	connections *Connections
}

// Accept returns the next connection. If the process has no file descriptor left, it
// closes connections until there is one.
func (l listener) Accept() (net.Conn, error) {
	for {
		inner, err := l.Listener.Accept()
		switch {
		case err == nil:
			l.setBuffers(inner)
			return &conn{Conn: inner, connections: l.connections, unseen: !l.connections.config.Secured}, nil
		case !errors.Is(err, syscall.EMFILE) || !l.connections.makeRoom(0):
			return nil, err
		}
	}
}

// setBuffers limits how many unread bytes the kernel holds for a connection.
func (l listener) setBuffers(c net.Conn) {
	if tcp, ok := c.(*net.TCPConn); ok && l.connections.config.Buffer > 0 {
		tcp.SetReadBuffer(l.connections.config.Buffer)
		limitUnsent(tcp, l.connections.config.Buffer)
	}
}
