package wire

import (
	"net"
	"net/http"
	"sync"
)

// Served counts the connections that a server serves, so that its end need not be polled.
type Served struct {
	mu   sync.Mutex
	open int
	none chan struct{} // closed when open becomes 0; nil if nobody waits for that
}

// State is a ConnState of an http.Server. It is called with StateClosed after everything
// about the connection has been logged.
func (s *Served) State(_ net.Conn, state http.ConnState) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch state {
	case http.StateNew:
		s.open++
	case http.StateHijacked, http.StateClosed:
		if s.open--; s.open == 0 && s.none != nil {
			close(s.none)
			s.none = nil
		}
	}
}

// None returns a channel that is closed when no connection is served.
func (s *Served) None() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	none := make(chan struct{})
	if s.open == 0 {
		close(none)
	} else {
		s.none = none // of the one caller, Close
	}
	return none
}
