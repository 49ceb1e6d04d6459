package wire

import (
	"net"
	"sync"
	"time"
)

// A deadlineConn sets the deadline of reads when somebody reads. net/http sets six of
// them for each request, most of which it replaces before it reads.
type deadlineConn struct {
	net.Conn
	mu          sync.Mutex
	wanted, set time.Time
	reading     int // reads that have begun
}

// SetReadDeadline sets the deadline of reads that have begun, and of later ones.
func (c *deadlineConn) SetReadDeadline(t time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.wanted = t
	return c.setLocked()
}

// SetDeadline sets the deadlines of reads and writes.
func (c *deadlineConn) SetDeadline(t time.Time) error {
	if err := c.SetReadDeadline(t); err != nil {
		return err
	}
	return c.SetWriteDeadline(t)
}

// Read reads until the deadline. Clients that wait have a goroutine that reads, whose stack
// stays small without deferred calls.
func (c *deadlineConn) Read(p []byte) (int, error) {
	if err := c.count(1); err != nil {
		return 0, err
	}
	n, err := c.Conn.Read(p)
	c.count(-1)
	return n, err
}

// count counts a read that begins or ends.
func (c *deadlineConn) count(reads int) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.reading += reads
	return c.setLocked()
}

func (c *deadlineConn) setLocked() error {
	if c.wanted == c.set || c.reading == 0 {
		return nil
	}
	c.set = c.wanted
	return c.Conn.SetReadDeadline(c.wanted)
}
