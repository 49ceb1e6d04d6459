package fake

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"
)

const (
	// eventRequests is how many requests a client is told of at once. If there are
	// more, it is told that it has missed some.
	eventRequests = 100

	// eventInterval is how often a client is told, and eventSilence after how long
	// at most something comes, so that a connection which is broken is noticed.
	eventInterval = 100 * time.Millisecond
	eventSilence  = 15 * time.Second

	// eventTimeout is how long a client may take to read eventPiece bytes.
	eventPiece   = 16 << 10
	eventTimeout = 5 * time.Second
)

// getEvents sends what happens, as it happens, until the client goes away. A client
// that was away after a version since which something has happened is told that it
// has missed some: it asks for the requests that it does not have.
func getEvents(c *call) {
	values, ok := c.parameters("token", "since")
	if !ok {
		return
	}
	s := c.server
	version, ok := s.state.watch()
	if !ok {
		c.Header().Set("Retry-After", "1")
		c.refuse(http.StatusServiceUnavailable, fmt.Sprintf("%d clients follow the events already. Close one, or ask /_fake/requests.", maxReaders))
		return
	}
	defer s.state.unwatch()
	since, given := values["since"]
	if last := c.r.Header.Get("Last-Event-ID"); last != "" { // of a browser that connects again
		since, given = last, true
	}
	last, err := strconv.Atoi(since)
	if given && (err != nil || last < 0) {
		c.refuse(http.StatusBadRequest, fmt.Sprintf("The parameter since is %q; send the id of an event, or the version that /_fake/requests answers.", shorten(since)))
		return
	}
	c.uncached("text/event-stream")
	c.WriteHeader(http.StatusOK)
	if c.r.Method == http.MethodHead {
		return
	}
	w := &eventWriter{call: c, version: version}
	if token, given := values["token"]; given {
		w.token = &token
	}
	if w.send([]byte("retry: 1000\n\n")) && (!given || last == version || w.event("missed", struct{}{})) { // retry is in milliseconds
		w.follow()
	}
}

// An eventWriter tells one client what happens.
type eventWriter struct {
	*call
	version int     // of the latest update that the client was told of
	token   *string // whose requests and changes it follows; nil for all
	sent    time.Time
}

// follow writes events until the client goes away, or does not read them.
func (w *eventWriter) follow() {
	for {
		changed, closed := w.server.state.next()
		if closed || !w.catchUp() {
			return
		}
		// A server that is busy is looked at ten times a second.
		if !w.pause(nil, eventInterval) || !w.pause(changed, time.Until(w.sent.Add(eventSilence))) {
			return
		}
	}
}

// catchUp tells the client what has happened since it was told last, or sends a
// comment if that is long ago.
func (w *eventWriter) catchUp() bool {
	changes, records, version, missed := w.server.state.since(w.version, w.token)
	w.version = version
	for _, c := range changes {
		if !w.event("change", c) {
			return false
		}
	}
	if (missed || len(records) > eventRequests) && !w.event("missed", struct{}{}) {
		return false
	}
	records = records[max(len(records)-eventRequests, 0):]
	requests := make([]Request, len(records))
	for i := range records {
		requests[i] = records[i].request()
	}
	w.server.newAdviser(w.baseURL()).adviseAll(requests)
	for i := range requests {
		if !w.event("request", &requests[i]) {
			return false
		}
	}
	if time.Since(w.sent) >= eventSilence {
		return w.send([]byte(":\n\n"))
	}
	return true
}

// event sends an event, with the version for an id.
func (w *eventWriter) event(name string, data any) bool {
	var text bytes.Buffer
	encoded, err := json.Marshal(data)
	if err != nil {
		return true // nothing that is listed can fail to encode
	}
	fmt.Fprintf(&text, "id: %d\nevent: %s\ndata: %s\n\n", w.version, name, encoded)
	return w.send(text.Bytes())
}

// send sends text, and reports whether the client has read it.
func (w *eventWriter) send(text []byte) bool {
	controller := http.NewResponseController(w.ResponseWriter)
	for piece := range slices.Chunk(text, eventPiece) {
		w.server.state.setWriteDeadline(&w.flight, time.Now().Add(eventTimeout))
		if _, err := w.Write(piece); err != nil || controller.Flush() != nil {
			return false
		}
	}
	w.sent = time.Now()
	return true
}

// pause waits for so long, or until a channel is closed. It returns false if the
// client has gone away or the server is closed.
func (w *eventWriter) pause(until <-chan struct{}, longest time.Duration) bool {
	timer := time.NewTimer(longest)
	defer timer.Stop()
	select {
	case <-until:
	case <-timer.C:
	case <-w.r.Context().Done():
	case <-w.server.stopping.Done():
	}
	return w.r.Context().Err() == nil && w.server.stopping.Err() == nil
}
