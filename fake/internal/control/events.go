package control

import (
	"io"
	"net/http"
	"time"
)

// eventInterval is the shortest time between two events to a client.
const eventInterval = 100 * time.Millisecond

// getEvents tells a client at once, and then whenever something has changed, that it should
// ask again. It ends when the client goes away, or the server is closed.
func getEvents(c *call, _ nothing) error {
	c.setHeaders("text/event-stream")
	c.w.WriteHeader(http.StatusOK)
	if c.r.Method == http.MethodHead {
		return nil
	}
	io.WriteString(c.w, "retry: 1000\n\n") // after 1000 milliseconds a browser connects again
	for {
		changed, ended := c.engine.Next()
		if ended {
			return nil
		}
		io.WriteString(c.w, "event: changed\ndata: {}\n\n")
		http.NewResponseController(c.w).Flush()
		select {
		case <-time.After(eventInterval):
		case <-c.r.Context().Done():
			return nil
		}
		select {
		case <-changed:
		case <-c.r.Context().Done():
			return nil
		}
	}
}
