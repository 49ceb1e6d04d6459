package control

import (
	"net/http"
	"time"

	"example.com/campaignfake/fake/internal/engine"
)

// The bounds of large answers. The type memory says why there are bounds.
const (
	// smallBytes is the size of the largest answer that is not bounded in number.
	smallBytes = 64 << 10

	// largeAtOnce is how many larger answers are sent at once.
	largeAtOnce = 4

	// sendTimeout is how long a client may take to read a larger answer, since others wait.
	sendTimeout = 10 * time.Second
)

// sendLargeJSON answers with a value that may be large, and that a function returns.
func (c *call) sendLargeJSON(value func() any) error {
	return c.sendLarge("application/json", func() ([]byte, error) {
		return encoded(value()), nil
	})
}

// sendLarge answers with a body that may be large, and that a function makes. If it is, and there
// is no place for it, the call waits for a place without the body, and makes it once more then: a
// call that waits takes no memory.
func (c *call) sendLarge(contentType string, newBody func() ([]byte, error)) error {
	body, err := c.makeAlone(newBody)
	if err != nil {
		return err
	}
	if len(body) <= smallBytes {
		return c.send(http.StatusOK, contentType, body)
	}
	if c.takePlace() {
		defer c.leavePlace()
		return c.sendInTime(contentType, body)
	}
	body = nil // or it would be in memory while the call waits
	if err := c.awaitPlace(); err != nil {
		return err
	}
	defer c.leavePlace()
	body, err = c.makeAlone(newBody)
	if err != nil {
		return err
	}
	return c.sendInTime(contentType, body)
}

// makeAlone makes the body of an answer while nothing else is made or parsed.
func (c *call) makeAlone(newBody func() ([]byte, error)) ([]byte, error) {
	if err := c.engine.ParseLock.Enter(c.r.Context()); err != nil {
		return nil, err
	}
	defer c.engine.ParseLock.Leave()
	return newBody()
}

// takePlace takes a place for a large answer, or returns false if there is none. After the answer
// its caller calls leavePlace.
func (c *call) takePlace() bool {
	select {
	case c.memory.places <- struct{}{}:
		return true
	default:
		return false
	}
}

// awaitPlace waits for a place for a large answer. After the answer its caller calls leavePlace.
func (c *call) awaitPlace() error {
	select {
	case c.memory.places <- struct{}{}:
		return nil
	case <-c.r.Context().Done():
		return engine.ErrClosed // or the client has gone away, and reads no answer
	}
}

func (c *call) leavePlace() {
	<-c.memory.places
}

// sendInTime answers with a large body, for a limited time. net/http clears the deadline when the
// answer has ended.
func (c *call) sendInTime(contentType string, body []byte) error {
	controller := http.NewResponseController(c.w)
	if err := c.limit(controller.SetWriteDeadline, sendTimeout); err != nil {
		return err
	}
	return c.send(http.StatusOK, contentType, body)
}
