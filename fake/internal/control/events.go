package control

import (
	"io"
	"net/http"
	"time"
)

// eventInterval is the shortest time between two events to a client.
const eventInterval = 100 * time.Millisecond

// getEvents sends the event "changed" at once, and then after each change in the server. The client
// then asks again for what it shows. getEvents returns when the client goes away, or when the
// server is closed.
func getEvents(c *call, _ nothing) error {
	c.setHeaders("text/event-stream")
	c.w.WriteHeader(http.StatusOK)
	if c.r.Method == http.MethodHead {
		return nil
	}
	io.WriteString(c.w, "retry: 1000\n\n") // a browser reconnects 1000 ms after the stream ended
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
