package fake

import (
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// mostConnections is how many connections there can be at once: what the clients
// of a load test take, and less than what file descriptors allow.
const mostConnections = 20_000

// A crowdedListener turns connections away when there are too many, with an answer
// that says so, so that those which are there are served.
type crowdedListener struct {
	net.Listener
	most    int64
	secured bool // an answer would have to be over TLS
	count   atomic.Int64
}

func (l *crowdedListener) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if l.count.Add(1) <= l.most {
			return &countedConn{Conn: conn, listener: l}, nil
		}
		l.count.Add(-1)
		l.turnAway(conn)
	}
}

// turnAway answers a connection that there is no room for. What fits into the
// buffer of a new connection is written without waiting for anybody.
func (l *crowdedListener) turnAway(conn net.Conn) {
	defer conn.Close()
	if l.secured {
		return
	}
	body := problem(http.StatusServiceUnavailable, fmt.Sprintf("There are %d connections, and no room for more. Close some.", l.most))
	conn.SetWriteDeadline(time.Now().Add(time.Second))
	fmt.Fprintf(conn, "HTTP/1.1 503 %s\r\nContent-Type: application/problem+json\r\nContent-Length: %d\r\nRetry-After: 1\r\nConnection: close\r\n\r\n%s",
		http.StatusText(http.StatusServiceUnavailable), len(body), body)
	if half, ok := conn.(interface{ CloseWrite() error }); ok {
		half.CloseWrite() // or what the client has sent resets the connection under the answer
	}
}

// A countedConn counts until it is closed. What a connection can do beside what
// net.Conn has is done by the one in it.
type countedConn struct {
	net.Conn
	listener *crowdedListener
	once     sync.Once
}

func (c *countedConn) Close() error {
	c.once.Do(func() { c.listener.count.Add(-1) })
	return c.Conn.Close()
}

// NetConn returns the connection in it.
func (c *countedConn) NetConn() net.Conn { return c.Conn }

// CloseWrite closes the sending side, if that can be.
func (c *countedConn) CloseWrite() error {
	half, ok := c.Conn.(interface{ CloseWrite() error })
	if !ok {
		return fmt.Errorf("a connection of %s has no side to close", strings.TrimPrefix(fmt.Sprintf("%T", c.Conn), "*"))
	}
	return half.CloseWrite()
}
