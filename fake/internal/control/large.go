package control

import (
	"net/http"
	"sync"
	"time"

	"example.com/campaignfake/fake/internal/engine"
)

const (
	// smallBytes is how large an answer may be that is sent beside any number of others.
	smallBytes = 64 << 10

	// largeAtOnce is how many larger ones are sent at once.
	largeAtOnce = 4

	// sendTimeout is how long a client may take to read one of these, since others wait.
	sendTimeout = 10 * time.Second
)

// A largeRoom bounds how many answers are in memory that may be large.
type largeRoom struct {
	making  sync.Mutex    // one is made at a time
	sending chan struct{} // has a place for each that is sent
}

// make makes the body of an answer.
func (l *largeRoom) make(value func() any) []byte {
	l.making.Lock()
	defer l.making.Unlock()
	return encoded(value())
}

// sendLarge answers with a value that may be large. If it is, it waits for a place, and is made once
// more then, so that what waits takes no memory.
func (c *call) sendLarge(value func() any) error {
	body := c.large.make(value)
	if len(body) <= smallBytes {
		return c.send(http.StatusOK, "application/json", body)
	}
	body = nil
	if err := c.startSending(); err != nil {
		return err
	}
	defer c.endSending()
	return c.send(http.StatusOK, "application/json", c.large.make(value))
}

// startSending waits for a place for a large answer, which is sent for a limited time. Whoever has
// sent it calls endSending.
func (c *call) startSending() error {
	select {
	case c.large.sending <- struct{}{}:
	case <-c.r.Context().Done():
		return engine.ErrClosed // or the client has gone away, and reads no answer
	}
	http.NewResponseController(c.w).SetWriteDeadline(time.Now().Add(sendTimeout))
	// Close may have set a sooner deadline before, which the line above has put off.
	if c.engine.Stopping.Err() != nil {
		<-c.large.sending
		return engine.ErrClosed
	}
	return nil
}

func (c *call) endSending() {
	if c.engine.Stopping.Err() == nil {
		http.NewResponseController(c.w).SetWriteDeadline(time.Time{})
	}
	<-c.large.sending
}
