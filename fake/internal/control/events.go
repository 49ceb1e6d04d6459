package control

import (
	"io"
	"net/http"
	"time"
)

// eventInterval is how often clients are told of changes at most.
const eventInterval = 100 * time.Millisecond

// getEvents tells a client at once, and then whenever something has changed, that it should
// ask again. It ends when the client goes away, or the server is closed.
func getEvents(c *call) error {
	c.uncached("text/event-stream")
	c.WriteHeader(http.StatusOK)
	if c.r.Method == http.MethodHead {
		return nil
	}
	for text := "retry: 1000\n\n"; ; text = "" { // in milliseconds
		changed, closed := c.plane.Next()
		if closed {
			return nil
		}
		io.WriteString(c, text+"event: changed\ndata: {}\n\n")
		http.NewResponseController(c.ResponseWriter).Flush()
		if !pause(c, time.After(eventInterval)) || !pause(c, changed) {
			return nil
		}
	}
}

// pause waits for a channel. It returns false if the client has gone away or the server is
// closed.
func pause[T any](c *call, until <-chan T) bool {
	select {
	case <-until:
	case <-c.r.Context().Done():
	case <-c.plane.Stopping.Done():
	}
	return c.r.Context().Err() == nil && c.plane.Stopping.Err() == nil
}
