package fake

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"
)

// A feed is what those follow who watch the server: it counts changes, and tells
// when there is one. What has changed is looked up then, in the journal and among
// the latest changes, so that nobody who reads slowly keeps anything waiting or
// alive. Its methods are called with the server's lock held.
type feed struct {
	version  int           // of the latest change
	changes  []change      // the latest, the oldest first
	dropped  int           // the version of the latest that is not among them any more
	readers  int           // who follow
	modified chan struct{} // closed at the next change; nil while nobody waits
}

// A change is one that is no request.
type change struct {
	version   int
	forgotten int     // the version of the latest request that it made the journal forget
	What      string  `json:"what"`            // user, replies, requests, reset or reload
	Token     *string `json:"token,omitempty"` // nil if it concerns all
}

const (
	// keptChanges is how many changes are looked up at most.
	keptChanges = 256

	// eventReaders is how many may follow at once, and eventBatch how many
	// requests each is told of at once: the latest. It is told that often, and has
	// so long to read each piece.
	eventReaders  = 32
	eventBatch    = 100
	eventPace     = 100 * time.Millisecond
	eventPiece    = 16 << 10
	eventPatience = 5 * time.Second

	// eventSilence is how long nothing comes at most, so that a connection which
	// has broken is noticed.
	eventSilence = 15 * time.Second
)

// next returns the version of a change that is made now.
func (f *feed) next() int {
	f.version++
	if f.modified != nil {
		close(f.modified)
		f.modified = nil
	}
	return f.version
}

// change returns a channel that is closed at the next change.
func (f *feed) change() <-chan struct{} {
	if f.modified == nil {
		f.modified = make(chan struct{})
	}
	return f.modified
}

// changed notes a change of a token, or of all if it is nil. It is called with the
// lock held.
func (s *Server) changed(what string, token *string) { s.forgot(what, token, 0) }

// forgot notes a change that made the journal forget requests, up to one of that
// version.
func (s *Server) forgot(what string, token *string, version int) {
	f := &s.feed
	if len(f.changes) == keptChanges {
		f.dropped = f.changes[0].version
		f.changes = append(f.changes[:0], f.changes[1:]...)
	}
	f.changes = append(f.changes, change{f.next(), version, what, token})
}

// news is what has changed since some version.
type news struct {
	version  int
	changes  []change
	requests []Request // the latest
	missed   bool      // there is more than that
	more     <-chan struct{}
}

// since returns what has changed since a version, of one token or of all if it is
// nil.
func (s *Server) since(version int, token *string) news {
	var records []record
	s.mu.Lock()
	n := news{version: s.feed.version, more: s.feed.change()}
	n.missed = version < s.feed.dropped || version < s.journal.dropped
	for _, c := range s.feed.changes {
		if c.version > version && (token == nil || c.Token == nil || *c.Token == *token) {
			n.changes = append(n.changes, c)
			n.missed = n.missed || c.forgotten > version // of which nobody was told
		}
	}
	all := s.journal.entries()
	for i := len(all) - 1; i >= 0; i-- {
		switch e := all[i]; {
		case e.version <= version || token != nil && e.token != *token:
		case len(records) == eventBatch:
			n.missed = true
		default:
			records = append(records, e.record())
		}
	}
	s.mu.Unlock()
	for i := len(records) - 1; i >= 0; i-- {
		n.requests = append(n.requests, records[i].request())
	}
	return n
}

// getEvents sends what happens, as it happens, until the client goes away.
func (s *Server) getEvents(x *exchange) {
	values, ok := x.parameters("token", "since")
	if !ok {
		return
	}
	var token *string
	if value, given := values["token"]; given {
		token = &value
	}
	s.mu.Lock()
	version := s.feed.version
	full := s.feed.readers >= eventReaders
	if !full {
		s.feed.readers++
	}
	s.mu.Unlock()
	if full {
		x.Header().Set("Retry-After", "1")
		x.refuse(http.StatusServiceUnavailable, fmt.Sprintf("%d clients follow the events already. Close one, or ask /_fake/requests.", eventReaders))
		return
	}
	defer func() {
		s.mu.Lock()
		s.feed.readers--
		s.mu.Unlock()
	}()
	since, given := values["since"]
	if last := x.request.Header.Get("Last-Event-ID"); last != "" { // a browser that connects again
		since, given = last, true
	}
	if given {
		after, err := strconv.Atoi(since)
		if err != nil || after < 0 {
			x.refuse(http.StatusBadRequest, fmt.Sprintf("The parameter since is %q; send the id of an event, or the version that /_fake/requests answers.", shorten(since)))
			return
		}
		if after > version { // it is of a server that ran before this one
			after = 0
		}
		version = after
	}
	x.uncached("text/event-stream")
	x.WriteHeader(http.StatusOK)
	if x.request.Method != http.MethodHead {
		s.follow(x, version, token)
	}
}

// follow writes events until the client goes away, or does not read them.
func (s *Server) follow(x *exchange, version int, token *string) {
	controller := http.NewResponseController(x.ResponseWriter)
	send := func(text []byte) bool {
		for piece := range slices.Chunk(text, eventPiece) {
			s.mu.Lock()
			if !s.closed { // or there is an earlier deadline
				controller.SetWriteDeadline(time.Now().Add(eventPatience))
			}
			s.mu.Unlock()
			if _, err := x.Write(piece); err != nil || controller.Flush() != nil {
				return false
			}
		}
		return true
	}
	if !send([]byte("retry: 1000\n\n")) { // in milliseconds
		return
	}
	sent := time.Now()
	for {
		n := s.since(version, token)
		version = n.version
		text := n.text()
		if len(text) == 0 && time.Since(sent) >= eventSilence {
			text = []byte(":\n\n")
		}
		if len(text) > 0 {
			if !send(text) {
				return
			}
			sent = time.Now()
		}
		if !s.pause(x, nil, eventPace) || !s.pause(x, n.more, time.Until(sent.Add(eventSilence))) {
			return
		}
	}
}

// pause waits for so long, or until a channel is closed. It returns false if the
// client has gone away or the server stops.
func (s *Server) pause(x *exchange, until <-chan struct{}, longest time.Duration) bool {
	timer := time.NewTimer(longest)
	defer timer.Stop()
	ctx := x.request.Context()
	select {
	case <-until:
	case <-timer.C:
	case <-ctx.Done():
	case <-s.stopping.Done():
	}
	return ctx.Err() == nil && context.Cause(s.stopping) == nil
}

// text returns the news as they are sent. The last event has the version for an id,
// so that a client which has lost the connection can go on after it, and hears
// nothing twice.
func (n *news) text() []byte {
	type event struct {
		name string
		data any
	}
	var events []event
	for _, c := range n.changes {
		events = append(events, event{"change", c})
	}
	if n.missed {
		events = append(events, event{"missed", struct{}{}})
	}
	for _, r := range n.requests {
		events = append(events, event{"request", r})
	}
	var text bytes.Buffer
	for i, e := range events {
		if i == len(events)-1 {
			fmt.Fprintf(&text, "id: %d\n", n.version)
		}
		data, err := json.Marshal(e.data)
		if err != nil {
			continue // nothing that is listed can fail to encode
		}
		fmt.Fprintf(&text, "event: %s\ndata: %s\n\n", e.name, data)
	}
	return text.Bytes()
}
