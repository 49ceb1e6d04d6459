package wire

import (
	"cmp"
	"container/list"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"
)

const (
	roomTimeout = 100 * time.Millisecond // how long a new connection waits until the closed one has ended
	idleTimeout = 10 * time.Millisecond  // the same if no handler runs: net/http may keep the connection for half a second
	logInterval = 10 * time.Second       // between two lines about closed connections
)

// Config configures Connections.
type Config struct {
	// Limit is how many connections may be open at once. It is lowered to what the file
	// descriptors of the process allow. 0 means that no connection is closed to make room.
	Limit int
	// Buffer is about how many unread bytes the kernel holds for each side of a
	// connection; 0 leaves it to the kernel.
	Buffer int
	// Secured means that the server speaks TLS.
	Secured bool
	// Logger is nil if nothing is logged.
	Logger *slog.Logger
	// Refused is called if net/http refuses a request that has not come to a handler. line
	// is its reason, as "400 Bad Request: malformed Host header". The result is the
	// detail of the answer. Without Refused, net/http answers. With TLS it always does.
	Refused func(client net.Addr, status int, line string) (detail string)
}

// Connections are the open connections of one or more listeners, in the order of their
// last events. There are three events: a connection was accepted, the headers of a
// request were read, an answer was completed. At the limit, a new connection is accepted,
// and the one whose last event is the oldest is closed. So nobody is locked out, however
// many clients are idle, slow, or wait for an answer that never comes.
type Connections struct {
	config Config

	mu     sync.Mutex
	order  list.List     // of *conn, the oldest event first, without connections that are kept open
	open   int           // connections that their owners have not closed yet
	served int           // connections whose goroutine of net/http runs, which may log after it has closed one
	none   chan struct{} // closed when open and served become 0; nil if nobody waits for that
	closed int           // connections that were closed to make room since the last line in the log
	logged time.Time     // when that line was written
}

// NewConnections returns Connections that have none yet.
func NewConnections(c Config) *Connections {
	if c.Limit > 0 {
		// The other descriptors are for files, for connections that are kept open, and for
		// those that are being closed.
		c.Limit = min(c.Limit, max(descriptors()/8*5, 1))
	}
	c.Logger = cmp.Or(c.Logger, slog.New(slog.DiscardHandler))
	return &Connections{config: c}
}

// None returns a channel that is closed when no connection is open, nil if none is open now.
func (o *Connections) None() <-chan struct{} {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.none == nil && o.open+o.served > 0 {
		o.none = make(chan struct{})
	}
	return o.none
}

// add adds a connection that was just accepted, and makes room for it.
func (o *Connections) add(c *conn) {
	o.mu.Lock()
	o.open++
	c.place = o.order.PushBack(c)
	o.mu.Unlock()
	for o.makeRoom(o.config.Limit) {
	}
}

// makeRoom closes the connection with the oldest event if there are more than limit
// connections, and reports whether it has closed one. It waits a moment for its owner to
// close it, too, because memory is released only then, and because a flood of connections
// would otherwise close new ones before their requests are read.
func (o *Connections) makeRoom(limit int) bool {
	oldest, busy := o.takeOldest(limit)
	if oldest == nil {
		return false
	}
	oldest.cancel(errRoom)
	Reset(oldest.Conn) // and not Close: the kernel would keep unread answers for minutes
	o.log()
	wait := roomTimeout
	if !busy {
		wait = idleTimeout
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-oldest.ended:
	case <-timer.C:
	}
	return true
}

// takeOldest removes the connection with the oldest event from the order. It returns nil
// if there are no more than limit connections. busy reports whether a handler runs.
func (o *Connections) takeOldest(limit int) (oldest *conn, busy bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.config.Limit == 0 || o.order.Len() <= limit {
		return nil, false
	}
	oldest = o.order.Front().Value.(*conn)
	o.leave(oldest)
	o.closed++
	return oldest, oldest.handlers > 0
}

// touch notes an event of a connection, in a handler, and by how many its running handlers
// change.
func (o *Connections) touch(c *conn, handlers int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	c.handlers += handlers
	c.handled = true
	if c.place != nil {
		o.order.MoveToBack(c.place)
	}
}

// keep changes by how many handlers a connection is kept open. While there are any, the
// connection is not in the order.
func (o *Connections) keep(c *conn, by int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch c.kept += by; {
	case c.kept > 0:
		o.leave(c)
	case c.ctx.Err() == nil: // it is still open
		c.place = o.order.PushBack(c)
	}
}

// remove removes a connection that its owner has closed.
func (o *Connections) remove(c *conn) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.leave(c)
	o.open--
	o.tell()
}

// leave removes a connection from the order. The caller holds mu.
func (o *Connections) leave(c *conn) {
	if c.place != nil {
		o.order.Remove(c.place)
		c.place = nil
	}
}

// log logs how many connections were closed to make room, but not more often than once
// in logInterval, so that a client that opens thousands does not fill the log.
func (o *Connections) log() {
	o.mu.Lock()
	closed, due := o.closed, time.Since(o.logged) >= logInterval
	if due {
		o.closed, o.logged = 0, time.Now()
	}
	o.mu.Unlock()
	if due {
		o.config.Logger.Warn("there were too many connections, and the least recently used were closed to make room for new ones; "+
			"have clients close those that they do not use, or allow more by more memory or file descriptors (ulimit -n)",
			slog.Int("closed", closed), slog.Int("limit", o.config.Limit))
	}
}

// State counts the connections that net/http serves, as http.Server.ConnState. It is called
// with StateClosed after everything about the connection has been logged, and with
// StateIdle after an answer.
func (o *Connections) State(of net.Conn, state http.ConnState) {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch state {
	case http.StateNew:
		o.served++
	case http.StateIdle:
		if c := find(of); c != nil {
			c.handled = false
		}
	case http.StateHijacked, http.StateClosed:
		o.served--
		o.tell()
	}
}

// tell closes the channel of None if nothing is left to wait for.
func (o *Connections) tell() {
	if o.open+o.served == 0 && o.none != nil {
		close(o.none)
		o.none = nil
	}
}
