package wire

import (
	"bytes"
	"errors"
	"io"
	"net"
	"sync"
)

// Listen returns a listener that has at most so many connections open at once: further
// ones wait until another is closed. refused is called if a request cannot be read: net/http
// answers it by itself, or the client speaks TLS. line is the reason, as "400 Bad Request:
// missing required Host header". refused is nil for a server that speaks TLS, because what
// is read and written cannot be seen then. open counts the connections until they are closed:
// net/http closes one after it has logged all about it.
func Listen(inner net.Listener, most int, open *sync.WaitGroup, refused func(client net.Addr, line string)) net.Listener {
	return &listener{Listener: inner, room: make(chan struct{}, most), closed: make(chan struct{}), open: open, refused: refused}
}

type listener struct {
	net.Listener
	room    chan struct{} // has an element for each open connection
	closed  chan struct{}
	close   sync.Once
	open    *sync.WaitGroup
	refused func(client net.Addr, line string)
}

func (l *listener) Accept() (net.Conn, error) {
	select {
	case l.room <- struct{}{}:
	case <-l.closed:
		return nil, net.ErrClosed
	}
	inner, err := l.Listener.Accept()
	if err != nil {
		<-l.room
		return nil, err
	}
	l.open.Add(1)
	return &conn{Conn: inner, of: l}, nil
}

// Close ends Accept. It may be called more than once.
func (l *listener) Close() error {
	l.close.Do(func() { close(l.closed) })
	return l.Listener.Close()
}

type conn struct {
	net.Conn
	of    *listener
	begun bool // something was read
	close sync.Once
}

// Read reads. A client that speaks TLS would wait for an answer to its first bytes.
func (c *conn) Read(p []byte) (int, error) {
	const handshake = 0x16 // the type of the first record of TLS
	n, err := c.Conn.Read(p)
	if c.of.refused != nil && n > 0 && !c.begun {
		if c.begun = true; p[0] == handshake {
			c.of.refused(c.RemoteAddr(), "the client speaks TLS, and the server does not")
			return 0, io.EOF
		}
	}
	return n, err
}

// Close makes room for another connection.
func (c *conn) Close() error {
	err := c.Conn.Close()
	c.close.Do(func() {
		<-c.of.room
		c.of.open.Done()
	})
	return err
}

func (c *conn) NetConn() net.Conn { return c.Conn }

// CloseWrite closes the sending side, and fails if the connection has none. net/http calls
// it before it drops what a client goes on sending.
func (c *conn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return errors.ErrUnsupported
}

// ownHeader is what net/http writes after the status of an answer of its own. A handler's
// answer has a Date between the two.
const ownHeader = "\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n"

// Write writes, and reports an answer of net/http.
func (c *conn) Write(p []byte) (int, error) {
	const protocol = "HTTP/1.1 "
	if c.of.refused != nil && bytes.HasPrefix(p, []byte(protocol)) {
		line, _, own := bytes.Cut(p[len(protocol):], []byte(ownHeader))
		if own && !bytes.Contains(line, []byte("\r\n")) {
			c.of.refused(c.RemoteAddr(), string(line))
		}
	}
	return c.Conn.Write(p)
}
