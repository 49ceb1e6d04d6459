package control

import (
	"net/http"
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
	sending chan struct{} // has a place for each that is sent
}

// encodeAlone makes the body of an answer while nothing else is made or parsed: either takes many
// times the size of what it makes.
func (c *call) encodeAlone(value func() any) ([]byte, error) {
	if err := c.startParsing(); err != nil {
		return nil, err
	}
	defer c.endParsing()
	return encoded(value()), nil
}

// sendLarge answers with a value that may be large. If it is, and there is no place for it, it
// waits for one, and is made once more then: what waits takes no memory.
func (c *call) sendLarge(value func() any) error {
	body, err := c.encodeAlone(value)
	if err != nil {
		return err
	}
	if len(body) <= smallBytes {
		return c.send(http.StatusOK, "application/json", body)
	}
	select {
	case c.large.sending <- struct{}{}:
	default:
		body = nil
		if err := c.awaitPlace(); err != nil {
			return err
		}
		body, err = c.encodeAlone(value)
	}
	defer c.leavePlace()
	if err != nil {
		return err
	}
	return c.sendInTime("application/json", body)
}

// awaitPlace waits for a place for a large answer. Whoever has sent it calls leavePlace.
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

// sendInTime answers with a large body, for a limited time.
func (c *call) sendInTime(contentType string, body []byte) error {
	controller := http.NewResponseController(c.w)
	controller.SetWriteDeadline(time.Now().Add(sendTimeout))
	// Close may have set a sooner deadline before, which the line above has put off.
	if c.engine.Stopping.Err() != nil {
		return engine.ErrClosed
	}
	c.send(http.StatusOK, contentType, body)
	if c.engine.Stopping.Err() == nil {
		controller.SetWriteDeadline(time.Time{})
	}
	return nil
}
