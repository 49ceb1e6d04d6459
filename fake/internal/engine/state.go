package engine

import (
	"cmp"
	"net/http"
	"sync"
	"time"

	"example.com/campaignfake/fake/internal/journal"
	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fake/internal/wire"
)

// State is everything that changes while a server runs: users and accounts, the journal,
// and the last reload. It owns the only lock, so that a reset is one change of everything.
//
// No method returns with the lock held. A method whose name ends with Locked, and every
// method of accounts and journal, needs mu to be held.
type State struct {
	mu sync.Mutex

	accounts *accounts
	journal  journal.Journal
	next     chan struct{} // closed by the next change; nil if nobody waits
	tally    Tally
	reload   ReloadResult
	mayBreak bool // a connection may break before an answer, for some requests
	resets   int  // how often everything was reset

	closed   bool // no request is accepted any more
	inFlight map[*InFlight]struct{}
	answers  int           // requests to the API among those in flight
	drained  chan struct{} // closed when there are none; nil if nobody waits
	handlers sync.WaitGroup
}

// newState makes the state of a server that starts with a snapshot.
func newState(p *plan.Snapshot) *State {
	return &State{
		accounts: newAccounts(p),
		journal:  journal.New(),
		mayBreak: p.MayBreak,
		inFlight: make(map[*InFlight]struct{}),
	}
}

// InFlight is a request whose handler has not returned.
type InFlight struct {
	Writer  http.ResponseWriter
	Request *http.Request
	IsCall  bool // to the control plane
}

// An Arrival is a request to the API, with the settings that were in force when it
// arrived, and the part of its answer that the journal gets.
type Arrival struct {
	InFlight
	Path  string // as it was sent
	At    time.Time
	Token string

	// Arrive sets these.
	Snapshot *plan.Snapshot
	Route    plan.Route
	User     *plan.User // nil if the token has none
	Known    bool       // the token has a user of its own, not that of unknown tokens
	UsesOnce bool       // the connection is not used for another request
	Turn     Turn       // zero unless a user's token and the route are right
	counts   *Counts    // of the account when the request arrived
	number   int        // in the journal
	reset    int        // how often everything had been reset

	journal.Answered
	Body []byte // of the answer
}

// Enter registers a request whose handler begins. It returns false if the server is
// closed.
func (s *State) Enter(f *InFlight) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.enterLocked(f)
}

func (s *State) enterLocked(f *InFlight) bool {
	if s.closed {
		return false
	}
	s.handlers.Add(1)
	s.inFlight[f] = struct{}{}
	if !f.IsCall {
		s.answers++
	}
	return true
}

// Leave removes a request whose handler returns.
func (s *State) Leave(f *InFlight) {
	defer s.handlers.Done()
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.inFlight, f)
	if !f.IsCall {
		s.answers--
	}
	if s.answers == 0 && s.drained != nil {
		close(s.drained)
		s.drained = nil
	}
}

// Drained returns a channel that is closed when no request to the API is in flight.
func (s *State) Drained() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	drained := make(chan struct{})
	if s.answers == 0 {
		close(drained)
	} else if s.drained == nil {
		s.drained = drained
	}
	return cmp.Or(s.drained, drained)
}

// Close rejects new requests and sets a deadline on those in flight, because a server that
// we do not own will not. It returns false if the state was closed before.
func (s *State) Close(deadline time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.closed = true
	s.changedLocked()
	for f := range s.inFlight { // no handler returns while mu is held
		wire.EndBy(f.Writer, f.Request, deadline)
	}
	return true
}

// changedLocked wakes those who wait for a change.
func (s *State) changedLocked() {
	if s.next != nil {
		close(s.next)
		s.next = nil
	}
}

// Closed reports whether Close has been called.
func (s *State) Closed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closed
}

// SetDeadline sets a deadline of a request in flight by a method of its ResponseController.
// The zero time is no deadline. It does nothing if the state is closed, because Close has
// set the deadlines.
func (s *State) SetDeadline(set func(time.Time) error, deadline time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed {
		set(deadline)
	}
}

// Wait returns when no request is in flight.
func (s *State) Wait() { s.handlers.Wait() }

// Arrive enters a request into the journal, and sets the snapshot, the user and the reply
// that are in force for it: a change that comes later does not affect it. It returns false
// if the server is closed.
func (s *State) Arrive(x *Arrival) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.enterLocked(&x.InFlight) {
		return false
	}
	x.Snapshot = s.accounts.snapshot
	x.UsesOnce = s.mayBreak
	x.Route = x.Snapshot.Route(x.Request, x.Path)
	n := s.accounts.arrive(x.Token, x.Route.Matched())
	x.counts = n.Counts
	x.User, x.Token, x.Known = n.script.user, n.token, n.known
	x.reset, x.number = s.resets, s.journal.Add(x.Request, x.At, x.Token, x.Route.Unmatched(), n.latest)
	n.latest = x.number
	s.tally.count(n)
	s.changedLocked()
	if x.User != nil && x.Route.Matched() && x.Route != plan.Preflight {
		x.Turn = n.takeTurn(x.User)
	}
	return true
}

// Complete enters the answer into the journal. header is nil if there is no answer.
func (s *State) Complete(x *Arrival, header http.Header) {
	s.mu.Lock()
	defer s.mu.Unlock()
	x.counts.Answered++
	if x.Route.Unmatched() {
		s.tally.countUnmatched(x)
	}
	if e := s.entryLocked(x); e != nil {
		s.journal.Answer(e, x.Answered, header, x.Body)
	}
	s.changedLocked()
}

// Explain enters the current reason of a request into the journal. It is called before the
// answer, or after an answer that ended early.
func (s *State) Explain(x *Arrival) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if e := s.entryLocked(x); e != nil {
		s.journal.Explain(e, x.Answered)
		s.changedLocked()
	}
}

// entryLocked returns the entry of a request, nil if it is no longer in the journal.
func (s *State) entryLocked(x *Arrival) *journal.Entry {
	if x.reset != s.resets { // the numbers start again after a reset
		return nil
	}
	return s.journal.At(x.number)
}
