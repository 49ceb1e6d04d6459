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
	p := c.parameters("token", "since")
	if p.refused {
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
	since, given := p.values["since"]
	if last := c.r.Header.Get("Last-Event-ID"); last != "" { // of a browser that connects again
		since, given = last, true
	}
	last, err := strconv.Atoi(since)
	if given && (err != nil || last < 0) {
		p.refuse("The parameter since is %q; send the id of an event, or the version that /_fake/requests answers.", shorten(since))
		return
	}
	c.uncached("text/event-stream")
	c.WriteHeader(http.StatusOK)
	if c.r.Method == http.MethodHead {
		return
	}
	w := &eventWriter{call: c, version: version, token: p.token()}
	if w.write([]byte("retry: 1000\n\n")) && (!given || last == version || w.send(event{"missed", struct{}{}})) { // retry is in milliseconds
		w.follow()
	}
}

// An event is something that a client is told, with data that is sent as JSON.
type event struct {
	name string
	data any
}

// An eventWriter tells one client what happens.
type eventWriter struct {
	*call
	version int     // up to which the client was told everything
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
	var events []event
	for _, c := range changes {
		events = append(events, event{"change", c})
	}
	if missed || len(records) > eventRequests {
		events = append(events, event{"missed", struct{}{}})
	}
	records = records[max(len(records)-eventRequests, 0):]
	requests := make([]Request, len(records))
	for i := range records {
		requests[i] = records[i].request()
	}
	w.server.newAdviser(w.baseURL()).adviseAll(requests)
	for i := range requests {
		events = append(events, event{"request", &requests[i]})
	}
	for i, e := range events {
		if i == len(events)-1 {
			w.version = version
		}
		if !w.send(e) {
			return false
		}
	}
	w.version = version
	if time.Since(w.sent) >= eventSilence {
		return w.write([]byte(":\n\n"))
	}
	return true
}

// send sends an event. Its id is the version of which the client then knows all: the
// new one comes with the last of several events, so that a client which loses its
// connection between them is told that it has missed some.
func (w *eventWriter) send(e event) bool {
	var text bytes.Buffer
	encoded, err := json.Marshal(e.data)
	if err != nil {
		return true // nothing that is listed can fail to encode
	}
	fmt.Fprintf(&text, "id: %d\nevent: %s\ndata: %s\n\n", w.version, e.name, encoded)
	return w.write(text.Bytes())
}

// write writes text, and reports whether the client has read it. The deadline goes
// again: over HTTP/2 it would end the stream even while nothing is being written.
func (w *eventWriter) write(text []byte) bool {
	controller := http.NewResponseController(w.ResponseWriter)
	for piece := range slices.Chunk(text, eventPiece) {
		w.server.state.setWriteDeadline(&w.flight, time.Now().Add(eventTimeout))
		if _, err := w.Write(piece); err != nil || controller.Flush() != nil {
			return false
		}
	}
	w.server.state.setWriteDeadline(&w.flight, time.Time{})
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
