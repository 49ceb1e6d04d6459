package control

import (
	"net/http"
	"time"

	"example.com/campaignfake/fake/internal/engine"
)

const (
	// smallBytes is the size of the largest answer that is not bounded in number.
	smallBytes = 64 << 10

	// largeAtOnce is how many larger answers are sent at once.
	largeAtOnce = 4

	// sendTimeout is how long a client may take to read a larger answer, since others wait.
	sendTimeout = 10 * time.Second
)

// A largeRoom bounds how many large answers are in memory at once.
type largeRoom struct {
	sending chan struct{} // each answer that is being sent has a place in it
}

// encodeAlone makes the body of an answer while nothing else is made or parsed: either takes many
// times its size in memory.
func (c *call) encodeAlone(value func() any) ([]byte, error) {
	if err := c.engine.ParseLock.Enter(c.r.Context()); err != nil {
		return nil, err
	}
	defer c.engine.ParseLock.Leave()
	return encoded(value()), nil
}

// sendLarge answers with a value that may be large. If its body is, and there is no place for it,
// the call waits for a place without the body, and makes it once more then: a call that waits takes
// no memory.
func (c *call) sendLarge(value func() any) error {
	body, err := c.encodeAlone(value)
	if err != nil {
		return err
	}
	if len(body) <= smallBytes {
		return c.send(http.StatusOK, "application/json", body)
	}
	if c.takePlace() {
		defer c.leavePlace()
		return c.sendInTime("application/json", body)
	}
	body = nil // or it would be in memory while the call waits
	if err := c.awaitPlace(); err != nil {
		return err
	}
	defer c.leavePlace()
	body, err = c.encodeAlone(value)
	if err != nil {
		return err
	}
	return c.sendInTime("application/json", body)
}

// takePlace takes a place for a large answer, or returns false if there is none. After the answer
// its caller calls leavePlace.
func (c *call) takePlace() bool {
	select {
	case c.large.sending <- struct{}{}:
		return true
	default:
		return false
	}
}

// awaitPlace waits for a place for a large answer. After the answer its caller calls leavePlace.
func (c *call) awaitPlace() error {
	select {
	case c.large.sending <- struct{}{}:
		return nil
	case <-c.r.Context().Done():
		return engine.ErrClosed // or the client has gone away, and reads no answer
	}
}

func (c *call) leavePlace() {
	<-c.large.sending
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
