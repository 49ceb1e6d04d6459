// Package engine owns everything that changes while a server runs, and its only lock: users
// and their scripts, and the journal (State). It sets users, enqueues replies, reloads
// fixtures, and waits for requests (Engine). The API, the control plane and package fake share
// one engine.
package engine

import (
	"context"
	"net"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fake/internal/report"
	"example.com/campaignfake/fake/internal/wire"
)

// An Engine changes a running server: its users, replies and journal. The
// handlers of the API and of the control plane share it. It may be used by any number of
// goroutines at once.
type Engine struct {
	Config     *plan.Config
	State      *State         // everything that changes
	Test       *report.Test   // failures are reported to it
	Sharing    report.Sharing // tests with a token of their own
	KeepAlives func()         // is called when a connection may break that could not before, or the reverse
	inBubble   bool           // it was made in a testing/synctest bubble

	Listener atomic.Pointer[net.Listener] // of the API

	// Reading is held while fixtures, or a body sent to the control plane, are read.
	// Reading takes many times their size in memory, so it is done one at a time.
	Reading sync.Mutex

	// Ending is done when the server begins to end: what waits, and would go on after
	// EndsBy, ends then.
	Ending context.Context
	end    context.CancelFunc
	endsBy atomic.Int64 // in nanoseconds since 1970

	Stopping context.Context // done when the server is closed
	Stop     context.CancelFunc
}

// New makes an engine for options that have been applied. It fails if one of them
// is wrong.
func New(c *plan.Config) (*Engine, error) {
	p, err := plan.NewSnapshot(c)
	if err != nil {
		return nil, err
	}
	e := &Engine{Config: c.WithoutUsers(), State: newState(p), Test: c.Test, KeepAlives: func() {}, inBubble: wire.InBubble()}
	if e.Test == nil {
		e.Test = &report.Test{TB: report.NoTest{}}
	}
	e.Stopping, e.Stop = context.WithCancel(context.Background())
	e.Ending, e.end = context.WithCancel(e.Stopping)
	return e, nil
}

// CheckBubble returns an error if the caller and the engine are not in the same
// testing/synctest bubble.
func (e *Engine) CheckBubble() error { return wire.CheckBubble(e.inBubble) }

// EndBy ends at once what waits and would go on after a time.
func (e *Engine) EndBy(deadline time.Time) {
	e.endsBy.Store(deadline.UnixNano())
	e.end()
}

// EndsBefore reports whether the server, which is ending, has ended by a time.
func (e *Engine) EndsBefore(at time.Time) bool { return e.endsBy.Load() < at.UnixNano() }

// BaseURL returns the base URL of the server's listener, or the base path if there is no
// listener.
func (e *Engine) BaseURL() string {
	basePath := e.State.InForce().BasePath
	listener := e.Listener.Load()
	switch {
	case listener == nil:
		return basePath
	case e.Config.Secured():
		return "https://" + AddressOf(*listener) + basePath
	}
	return "http://" + AddressOf(*listener) + basePath
}

// Wanted returns the URL that a client should request.
func (e *Engine) Wanted() string { return e.BaseURL() + plan.CampaignsPath }

// AddressOf returns the host and port at which a client on this machine reaches a
// listener, which may listen on all interfaces.
func AddressOf(l net.Listener) string {
	if tcp, ok := l.Addr().(*net.TCPAddr); ok && tcp.IP.IsUnspecified() {
		return net.JoinHostPort("127.0.0.1", strconv.Itoa(tcp.Port))
	}
	return l.Addr().String()
}

// TestOf returns the test to which failures of a token's requests are reported.
func (e *Engine) TestOf(token string) *report.Test { return e.Sharing.Of(token, e.Test) }

// UsesOnce reports whether each connection is used for one request, whatever the
// answers are.
func (e *Engine) UsesOnce() bool { return e.Config.Test != nil }

// Breaks reports whether each connection is to be used for one request now.
func (e *Engine) Breaks() bool { return e.UsesOnce() || e.State.Breaks() }
