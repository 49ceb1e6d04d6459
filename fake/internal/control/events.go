package control

import (
	"errors"
	"io"
	"net/http"
	"time"
)

const (
	// eventInterval is how often clients are told of changes at most. If there are none for
	// eventHeartbeat, a comment is sent, so that no proxy closes the connection.
	eventInterval  = 100 * time.Millisecond
	eventHeartbeat = 15 * time.Second

	changed = "event: changed\ndata: {}\n\n"
)

// getEvents tells a client at once, and then whenever something has changed, that it should
// ask again. It ends when the client goes away, or the server is closed.
func getEvents(c *call) error {
	c.uncached("text/event-stream")
	c.WriteHeader(http.StatusOK)
	if c.r.Method == http.MethodHead || !c.writeEvent("retry: 1000\n\n") { // in milliseconds
		return nil
	}
	var told <-chan struct{} // closed by the next change after the one that the client knows
	for {
		next, closed := c.plane.Next()
		text := ":\n\n"
		if next != told {
			text, told = changed, next
		}
		if closed || !c.writeEvent(text) || !c.pause(nil, eventInterval) || !c.pause(next, eventHeartbeat) {
			return nil
		}
	}
}

func (c *call) writeEvent(text string) bool {
	if _, err := io.WriteString(c, text); err != nil {
		return false
	}
	err := http.NewResponseController(c.ResponseWriter).Flush()
	return err == nil || errors.Is(err, http.ErrNotSupported)
}

// pause waits until a channel is closed, but no longer than a duration. It returns
// false if the client has gone away or the server is closed.
func (c *call) pause(until <-chan struct{}, atMost time.Duration) bool {
	timer := time.NewTimer(atMost)
	defer timer.Stop()
	select {
	case <-until:
	case <-timer.C:
	case <-c.r.Context().Done():
	case <-c.plane.Stopping.Done():
	}
	return c.r.Context().Err() == nil && c.plane.Stopping.Err() == nil
}
