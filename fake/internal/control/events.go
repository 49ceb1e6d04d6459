package control

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"example.com/campaignfake/fake/internal/advice"
	"example.com/campaignfake/fake/internal/wire"
	"example.com/campaignfake/fake/internal/words"
)

const (
	// eventRequests is how many requests are sent at once. If there are more, the
	// client is told that it has missed some.
	eventRequests = 100

	// eventInterval is how often events are sent at most. If there are none for
	// eventHeartbeat, a comment is sent, so that a broken connection is noticed.
	eventInterval  = 100 * time.Millisecond
	eventHeartbeat = 15 * time.Second
)

// getEvents sends changes as they happen, until the client goes away. A client that
// continues from an old version is told that it has missed some: it then gets the
// requests from the journal.
func getEvents(c *call) error {
	since, given := c.query.values["since"]
	if last := c.r.Header.Get("Last-Event-ID"); last != "" { // from a browser that reconnects
		since, given = last, true
	}
	last, err := strconv.Atoi(since)
	if given && (err != nil || last < 0) {
		return refuse(http.StatusBadRequest, "The parameter since is %q; send the id of an event, or the version that /_fake/requests answers.", words.Shorten(since))
	}
	s, limits := c.plane.State, c.plane.Config.Limits
	version, ok := s.Watch()
	if !ok {
		return refuse(http.StatusServiceUnavailable, "%d clients follow the events already%s. Close one, or ask /_fake/requests.", limits.Followers, limits.Of())
	}
	defer s.Unwatch()
	defer wire.KeepOpen(c.r.Context())()
	c.uncached("text/event-stream")
	c.WriteHeader(http.StatusOK)
	if c.r.Method == http.MethodHead {
		return nil
	}
	w := &eventWriter{call: c, version: version, token: c.query.token()}
	if w.write([]byte("retry: 1000\n\n")) && (!given || last == version || w.send(event{"missed", struct{}{}})) { // retry is in milliseconds
		w.follow()
	}
	return nil
}

// An event is a server-sent event, whose data is sent as JSON.
type event struct {
	name string
	data any
}

// An eventWriter sends events to one client.
type eventWriter struct {
	*call
	version int     // the client knows all updates up to this one
	token   *string // whose requests and changes it gets; nil for all
	sent    time.Time
}

// follow sends events until the client goes away, or does not read them.
func (w *eventWriter) follow() {
	for {
		changed, closed := w.plane.State.Next()
		if closed || !w.catchUp() {
			return
		}
		// Even a busy server sends events only ten times a second.
		if !w.pause(nil, eventInterval) || !w.pause(changed, time.Until(w.sent.Add(eventHeartbeat))) {
			return
		}
	}
}

// catchUp sends what has changed since the last events, or a comment if nothing was
// sent for a while.
func (w *eventWriter) catchUp() bool {
	changes, records, version, missed := w.plane.State.Since(w.version, w.token)
	var events []event
	for _, c := range changes {
		events = append(events, event{"change", c})
	}
	if missed || len(records) > eventRequests {
		events = append(events, event{"missed", struct{}{}})
	}
	adviser := advice.New(w.plane.State.InForce(), w.baseURL())
	for _, e := range records[max(len(records)-eventRequests, 0):] {
		r := e.Request()
		adviser.Advise(&r)
		events = append(events, event{"request", &r})
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
	if time.Since(w.sent) >= eventHeartbeat {
		return w.write([]byte(":\n\n"))
	}
	return true
}

// send sends an event. Its id is the version from which the client continues if it
// reconnects. Of several events only the last has the new version: a client that
// loses its connection between them is then told that it has missed some.
func (w *eventWriter) send(e event) bool {
	data, _ := json.Marshal(e.data) // all that is sent has JSON
	return w.write(fmt.Appendf(nil, "id: %d\nevent: %s\ndata: %s\n\n", w.version, e.name, data))
}

// write writes text, and reports whether that succeeded in time.
func (w *eventWriter) write(text []byte) bool {
	w.sent = time.Now()
	return w.writeInTime(text) == nil
}

// pause waits until a channel is closed, but no longer than a duration. It returns
// false if the client has gone away or the server is closed.
func (w *eventWriter) pause(until <-chan struct{}, atMost time.Duration) bool {
	timer := time.NewTimer(atMost)
	defer timer.Stop()
	select {
	case <-until:
	case <-timer.C:
	case <-w.r.Context().Done():
	case <-w.plane.Stopping.Done():
	}
	return w.r.Context().Err() == nil && w.plane.Stopping.Err() == nil
}
