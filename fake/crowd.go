package fake

import (
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// mostConnections is how many connections there can be at once, which is more than
// the clients of a load test take.
const mostConnections = 20_000

// A crowdedListener turns connections away when there are too many, with an answer
// that says so, so that those which are there are served.
type crowdedListener struct {
	net.Listener
	most    int64
	secured bool // an answer would have to be over TLS
	log     *slog.Logger
	count   atomic.Int64
	leaving atomic.Int64
}

func (l *crowdedListener) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if l.count.Add(1) <= l.most {
			return &countedConn{Conn: conn, listener: l, begins: !l.secured && l.log != nil}, nil
		}
		l.count.Add(-1)
		if l.leaving.Add(1) > mostLeaving || l.secured {
			l.leaving.Add(-1)
			conn.Close()
			continue
		}
		go func() {
			defer l.leaving.Add(-1)
			l.turnAway(conn)
		}()
	}
}

const (
	// mostLeaving is how many connections are turned away with an answer at once,
	// and leaveTime how long that may take.
	mostLeaving = 256
	leaveTime   = time.Second
)

// turnAway answers the request of a connection that there is no room for. Clients
// take an answer that comes before their request for a broken connection.
func (l *crowdedListener) turnAway(conn net.Conn) {
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(leaveTime))
	if _, err := conn.Read(make([]byte, 4<<10)); err != nil {
		return
	}
	body := problem(http.StatusServiceUnavailable, fmt.Sprintf("There are %d connections, and no room for more. Close some.", l.most))
	fmt.Fprintf(conn, "HTTP/1.1 503 %s\r\nContent-Type: application/problem+json\r\nContent-Length: %d\r\nRetry-After: 1\r\nConnection: close\r\n\r\n%s",
		http.StatusText(http.StatusServiceUnavailable), len(body), body)
	if half, ok := conn.(interface{ CloseWrite() error }); ok && half.CloseWrite() == nil {
		io.Copy(io.Discard, conn) // or what the client has sent resets the connection under the answer
	}
}

// A countedConn counts until it is closed. What a connection can do beside what
// net.Conn has is done by the one in it.
type countedConn struct {
	net.Conn
	listener *crowdedListener
	once     sync.Once
	begins   bool // nothing has been read, and what comes first is looked at
}

// Read notices a client that talks TLS, which would see an answer that makes no
// sense to it, and no trace of which would be anywhere.
func (c *countedConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if c.begins && n > 0 {
		c.begins = false
		const handshake = 0x16 // the type of the first record
		if p[0] == handshake {
			c.listener.log.Warn("a client talks TLS, and the server does not; give the client a base URL that begins with http://, or have the server talk TLS",
				slog.String("client", c.RemoteAddr().String()))
		}
	}
	return n, err
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
