package wire

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// ConnectionLimit is how many connections a Listener lets in at once if it is not
// told otherwise. That is more than the clients of a load test take.
const ConnectionLimit = 20_000

const (
	// refusals is how many connections are refused with an answer at once. For one
	// more, that which has waited longest for its request is closed without one.
	refusals = 256
	// refusalTimeout is how long a refusal may take, refusalPause how long in any case
	// for each that is possible at once, and spareTimeout how long if it holds the last
	// descriptor.
	refusalTimeout = time.Second
	refusalPause   = 200 * time.Microsecond
	spareTimeout   = 20 * time.Millisecond
)

// A Listener limits the number of connections. Further ones are answered 503 and
// closed, so that those which are open are served. The same happens when the
// process has no file descriptor left: the Listener holds a spare one, with which
// it accepts and refuses. It may be used by several goroutines at once.
type Listener struct {
	inner     net.Listener
	limit     int
	secured   bool
	clientTLS func(client net.Addr)
	http2     func(client net.Addr)

	open     *Connections // that were let in
	buffer   int          // of the kernel, for each connection; 0 for its own choice
	reason   string       // what the limit follows from
	answered int          // how many may be refused with an answer at once

	descriptors bool // it looks after the file descriptors, which its connections take

	mu      sync.Mutex
	spare   *os.File   // nil if there is none
	refused []*refusal // those that are being refused with an answer, the oldest first
	closed  bool
}

// Config is what a Listener can be told.
type Config struct {
	// Limit is how many connections may be open at once; 0 means 20,000.
	Limit int
	// Reason is added to the answer beyond the limit: what the limit follows from.
	Reason string
	// Open, if given, counts the connections, together with those of other Listeners
	// that have the same.
	Open *Connections
	// Few means that there will be few connections, as in a test: the Listener holds no
	// spare descriptor, and leaves the limit of descriptors to the process.
	Few bool
	// Buffer is about how many bytes the kernel holds of what nobody reads, of each side
	// of a connection; 0 leaves it to the kernel.
	Buffer int
	// Secured means that the server speaks TLS. Connections are then refused
	// without an answer, which would have to be encrypted.
	Secured bool
	// ClientTLS, if given, is called when a client speaks TLS and the server does
	// not: the client would report a malformed response, and nothing would be
	// logged. It is called from the goroutine that reads the connection.
	ClientTLS func(client net.Addr)
	// ClientHTTP2, if given, is called like ClientTLS when a client speaks HTTP/2
	// without TLS. The Listener answers it, and closes the connection.
	ClientHTTP2 func(client net.Addr)
}

// NewListener makes a Listener of one that accepts connections, and closes that one
// when it is closed.
func NewListener(inner net.Listener, c Config) *Listener {
	l := &Listener{inner: inner, limit: ConnectionLimit, secured: c.Secured, open: c.Open, buffer: c.Buffer, reason: c.Reason}
	if c.Limit > 0 {
		l.limit = c.Limit
	}
	if l.open == nil {
		l.open = new(Connections)
	}
	answered := refusals
	if !c.Secured {
		l.clientTLS, l.http2 = c.ClientTLS, c.ClientHTTP2
	}
	if _, takes := inner.(syscall.Conn); takes && !c.Few {
		l.descriptors = true
		// The rest is left for refusals, files, and what else a process has open.
		have := descriptors()
		if most := max(have/8*5, 1); most < l.limit {
			l.limit = most
			l.reason = fmt.Sprintf(", by the limit of %d file descriptors (ulimit -n)", have)
		}
		answered = max(min(answered, have/8), 1)
	}
	l.answered = answered
	l.holdSpare()
	return l
}

// Accept returns the next connection that is let in.
func (l *Listener) Accept() (net.Conn, error) {
	for {
		conn, err := l.inner.Accept()
		last := errors.Is(err, syscall.EMFILE) && l.releaseSpare()
		if last {
			conn, err = l.inner.Accept()
		}
		held := l.holdSpare() // again, or at last
		switch {
		case err != nil:
			return nil, err
		case last && !held:
			l.refuseLast(conn)
		case l.open.add(l.limit):
			l.setBuffers(conn)
			return &limitedConn{Conn: conn, listener: l, first: !l.secured}, nil
		default:
			l.refuse(conn)
		}
	}
}

// Close closes the listener. Connections stay open.
func (l *Listener) Close() error {
	l.mu.Lock()
	l.closed = true
	l.mu.Unlock()
	l.releaseSpare()
	return l.inner.Close()
}

// Addr returns the address of the listener.
func (l *Listener) Addr() net.Addr { return l.inner.Addr() }

// holdSpare opens the spare descriptor unless it is open, and reports whether it
// is open now. A listener whose connections take no descriptor needs none.
func (l *Listener) holdSpare() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.spare == nil && l.descriptors && !l.closed {
		l.spare, _ = os.Open(os.DevNull)
	}
	return l.spare != nil
}

// releaseSpare closes the spare descriptor, and reports whether there was one.
func (l *Listener) releaseSpare() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.spare == nil {
		return false
	}
	l.spare.Close()
	l.spare = nil
	return true
}

// refuseLast closes a connection that has taken the last descriptor, after an answer
// if that can be. Others wait meanwhile.
func (l *Listener) refuseLast(conn net.Conn) {
	if !l.secured {
		answerRefusal(conn, spareTimeout, "The server has no file descriptor left for another connection. Close some, or raise its limit (ulimit -n).", func() {})
	}
	conn.Close()
	l.holdSpare()
}

// refuse closes a connection beyond the limit, after an answer if that can be.
func (l *Listener) refuse(conn net.Conn) {
	if l.secured {
		conn.Close()
		return
	}
	if oldest, wait := l.oldestRefusal(); oldest != nil {
		time.Sleep(wait)
		l.endRefusal(oldest.conn)
	}
	r := &refusal{conn: conn, since: time.Now()}
	l.mu.Lock()
	l.refused = append(l.refused, r)
	l.mu.Unlock()
	go func() {
		defer l.endRefusal(conn)
		answerRefusal(conn, refusalTimeout, fmt.Sprintf("There are %d connections, and no room for more%s. Close some.", l.limit, l.reason), func() { l.markAnswered(r) })
	}()
}

// A refusal is a connection that is being refused with an answer.
type refusal struct {
	conn     net.Conn
	since    time.Time
	answered bool // the client has only to close the connection
}

// oldestRefusal returns the refusal to end if there is no room for another, and how long
// to wait before that: one that is answered, or else the oldest.
func (l *Listener) oldestRefusal() (oldest *refusal, wait time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.refused) < l.answered {
		return nil, 0
	}
	if i := slices.IndexFunc(l.refused, func(r *refusal) bool { return r.answered }); i >= 0 {
		return l.refused[i], 0
	}
	return l.refused[0], time.Until(l.refused[0].since.Add(time.Duration(l.answered) * refusalPause))
}

// markAnswered notes that a refusal has been answered.
func (l *Listener) markAnswered(r *refusal) {
	l.mu.Lock()
	defer l.mu.Unlock()
	r.answered = true
}

// endRefusal closes a connection that has been refused.
func (l *Listener) endRefusal(conn net.Conn) {
	conn.Close()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.refused = slices.DeleteFunc(l.refused, func(r *refusal) bool { return r.conn == conn })
}

// setBuffers bounds what the kernel holds for a connection.
func (l *Listener) setBuffers(conn net.Conn) {
	if tcp, ok := conn.(*net.TCPConn); ok && l.buffer > 0 {
		tcp.SetReadBuffer(l.buffer)
		limitUnsent(tcp, l.buffer)
	}
}

// answerRefusal answers the request of a connection with 503. It waits for the
// request: clients take an answer that comes before it for a broken connection.
func answerRefusal(conn net.Conn, timeout time.Duration, detail string, answered func()) {
	conn.SetDeadline(time.Now().Add(timeout))
	if _, err := conn.Read(make([]byte, 1<<10)); err != nil {
		return
	}
	writeProblem(conn, http.StatusServiceUnavailable, "Retry-After: 1\r\n", detail)
	if half, ok := conn.(interface{ CloseWrite() error }); ok && half.CloseWrite() == nil {
		answered()
		io.Copy(io.Discard, conn) // or what is left of the request would reset the connection
	}
}

// writeProblem answers on a connection that no server reads. Further headers end in
// line breaks.
func writeProblem(conn net.Conn, status int, headers, detail string) {
	title := http.StatusText(status)
	body := fmt.Sprintf(`{"type":"about:blank","title":%q,"status":%d,"detail":%q}`, title, status, detail)
	fmt.Fprintf(conn, "HTTP/1.1 %d %s\r\nContent-Type: application/problem+json\r\nContent-Length: %d\r\n%sConnection: close\r\n\r\n%s",
		status, title, len(body), headers, body)
}

// A limitedConn counts as open until it is closed.
type limitedConn struct {
	net.Conn
	listener *Listener
	close    sync.Once
	first    bool // the first bytes are still to be looked at
}

// Read looks at the first bytes, which tell a client that speaks TLS or HTTP/2.
func (c *limitedConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if !c.first || n == 0 {
		return n, err
	}
	c.first = false
	const handshake = 0x16 // the type of the first record
	switch {
	case p[0] == handshake && c.listener.clientTLS != nil:
		c.listener.clientTLS(c.RemoteAddr())
	case bytes.HasPrefix(p[:n], []byte("PRI * HTTP/2")):
		if c.listener.http2 != nil {
			c.listener.http2(c.RemoteAddr())
		}
		writeProblem(c.Conn, http.StatusHTTPVersionNotSupported, "", "The client speaks HTTP/2 without TLS, which this server does not. Have the client speak HTTP/1.1, or start the server with TLS, as with --tls-self-signed localhost.")
		return 0, io.EOF
	}
	return n, err
}

// Close closes the connection, which makes room for another.
func (c *limitedConn) Close() error {
	err := c.Conn.Close()
	c.close.Do(c.listener.open.remove)
	return err
}

// NetConn returns the connection that is counted.
func (c *limitedConn) NetConn() net.Conn { return c.Conn }

// CloseWrite closes the sending side, and fails if the connection has none.
func (c *limitedConn) CloseWrite() error {
	half, ok := c.Conn.(interface{ CloseWrite() error })
	if !ok {
		return fmt.Errorf("a connection of %s has no side to close", strings.TrimPrefix(fmt.Sprintf("%T", c.Conn), "*"))
	}
	return half.CloseWrite()
}
