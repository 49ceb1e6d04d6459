package wire

import (
	"errors"
	"net"
	"sync"
)

// Listen returns a listener that has at most so many connections open at once: further
// ones wait until another is closed. open counts the connections until they are closed:
// net/http closes one after it has logged all about it.
func Listen(inner net.Listener, most int, open *sync.WaitGroup) net.Listener {
	return &listener{Listener: inner, room: make(chan struct{}, most), closed: make(chan struct{}), open: open}
}

type listener struct {
	net.Listener
	room   chan struct{} // has an element for each open connection
	closed chan struct{}
	close  sync.Once
	open   *sync.WaitGroup
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
	close sync.Once
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
