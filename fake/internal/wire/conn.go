package wire

import (
	"bytes"
	"container/list"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
)

// A conn is an open connection, one of Connections.
type conn struct {
	net.Conn
	connections *Connections
	unseen      bool        // Read has yet to check the first bytes
	noRequest   atomic.Bool // what Read returned is no whole request: the client speaks TLS, is too slow, or has gone away

	// These are set when connections adds the connection.
	ctx    context.Context         // done when it is closed
	cancel context.CancelCauseFunc // of ctx
	ended  chan struct{}           // closed when the owner has closed it: the server, or a handler that has hijacked it
	close  sync.Once

	// These are guarded by the mutex of connections.
	place    *list.Element // in the order; nil if the connection is not in it
	kept     int           // how many handlers keep it open
	handlers int           // how many handlers run
	handled  bool          // the request that was read last has come to a handler
}

// Read reads. It recognizes by the first bytes a client that speaks TLS or HTTP/2, which
// the server does not.
func (c *conn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if err != nil && !(errors.Is(err, os.ErrDeadlineExceeded) && c.isHandled()) { // net/http then stops a read by a deadline
		c.noRequest.Store(true)
	}
	if !c.unseen || n == 0 {
		return n, err
	}
	c.unseen = false
	const handshake = 0x16 // the type of the first record
	switch {
	case p[0] == handshake:
		c.warn(clientTLS)
		c.noRequest.Store(true)
	case bytes.HasPrefix(p[:n], []byte("PRI * HTTP/2")):
		c.warn(clientHTTP2)
		c.answer(http.StatusHTTPVersionNotSupported, "The client speaks HTTP/2 without TLS, which this server does not. Have the client speak HTTP/1.1, or start the server with TLS, as with --tls-self-signed localhost.")
		return 0, io.EOF
	}
	return n, err
}

// isHandled reports whether the request that was read last has come to a handler.
func (c *conn) isHandled() bool {
	c.connections.mu.Lock()
	defer c.connections.mu.Unlock()
	return c.handled
}

// warn logs a message about the client.
func (c *conn) warn(message string) {
	c.connections.config.Logger.Warn(message, slog.String("client", c.RemoteAddr().String()))
}

// Close closes the connection, which makes room for another.
func (c *conn) Close() error {
	err := c.Conn.Close()
	if c.cancel != nil {
		c.close.Do(func() {
			c.cancel(nil)
			c.connections.remove(c)
			close(c.ended)
		})
	}
	return err
}

// NetConn returns the connection inside.
func (c *conn) NetConn() net.Conn { return c.Conn }

// CloseWrite closes the sending side, and fails if the connection has none.
func (c *conn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return errors.ErrUnsupported
}
