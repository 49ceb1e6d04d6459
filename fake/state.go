package fake

import (
	"net/http"
	"sync"
	"time"

	"example.com/campaignfake/fake/internal/wire"
)

// state is everything that changes while a server runs: the users and what each
// token has come to, the journal, the updates that others watch, and the last
// reload. It owns the only lock, so that a reset is one change of all of it.
//
// Nothing outside of the files state*.go sees its fields, and no method returns
// with the lock held. What the methods use (accounts, journal, updates) knows
// nothing of the lock: mu must be held.
type state struct {
	mu sync.Mutex

	limits   Limits
	snapshot *snapshot // in force
	accounts accounts
	journal  journal
	updates  updates
	tally    Tally
	reload   reloadResult
	mayBreak bool // a connection may break before an answer, for some requests
	resets   int  // how often everything was reset

	closed   bool
	inFlight *inFlight // the first of the requests whose handlers have not returned
	handlers sync.WaitGroup
}

func newState(p *snapshot, journal int, limits Limits) *state {
	return &state{limits: limits, snapshot: p, accounts: newAccounts(p, limits), journal: newJournal(journal, limits.Journal), mayBreak: p.mayBreak}
}

// inFlight is a request whose handler has not returned.
type inFlight struct {
	w              http.ResponseWriter
	r              *http.Request
	next, previous *inFlight
}

// enter counts a request in whose handler begins. It returns false if the server
// is closed.
func (s *state) enter(f *inFlight) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.enterLocked(f)
}

func (s *state) enterLocked(f *inFlight) bool {
	if s.closed {
		return false
	}
	s.handlers.Add(1)
	if f.next = s.inFlight; f.next != nil {
		f.next.previous = f
	}
	s.inFlight = f
	return true
}

// leave counts a request out whose handler returns.
func (s *state) leave(f *inFlight) {
	s.mu.Lock()
	if f.next != nil {
		f.next.previous = f.previous
	}
	if f.previous != nil {
		f.previous.next = f.next
	} else {
		s.inFlight = f.next
	}
	s.mu.Unlock()
	s.handlers.Done()
}

// close has no further request enter, and gives those in flight until a deadline
// to read and to write: a server of somebody else's does not do so by itself. It
// returns false if the state was closed before.
func (s *state) close(deadline time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.closed = true
	s.updates.wake()
	for f := s.inFlight; f != nil; f = f.next { // no handler returns while mu is held
		wire.EndBy(f.w, f.r, deadline)
	}
	return true
}

// setWriteDeadline gives a request in flight until a deadline to write, or without end
// if that is zero, unless the state is closed, which has set another.
func (s *state) setWriteDeadline(f *inFlight, deadline time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed {
		http.NewResponseController(f.w).SetWriteDeadline(deadline)
	}
}

// wait returns when no request is in flight.
func (s *state) wait() { s.handlers.Wait() }

// arrive enters a request into the journal, and gives it what was in force when it
// came: the snapshot, the account of its token, and the user. It returns false if
// the server is closed.
func (s *state) arrive(x *exchange) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.enterLocked(&x.inFlight) {
		return false
	}
	x.snapshot = s.snapshot
	x.usesOnce = s.mayBreak
	x.route = x.snapshot.route(x.r, x.path)
	n := s.accounts.arrive(x.token, x.route.matched())
	x.account, x.counts, x.user, x.token, x.known = n, n.counts, n.user, n.token, n.known
	if !n.known && n.token != "" {
		x.tokens = s.accounts.users()
	}
	x.deviates = x.user != nil && (x.user.deviates || len(n.script.queue) > 0)
	x.reset, x.number = s.resets, s.journal.add(x.at, x.token, !x.route.matched(), x.received, n.received)
	n.received = x.number
	s.tally.count(n)
	s.updates.request(x.number)
	return true
}

// A turn is what the state of its token has for one request.
type turn struct {
	wait   int    // seconds until the rate limit allows a request; 0 if it does
	number int    // of the request among those of its token and kind
	reply  *reply // nil for the normal answer
	reason string // of the reply
}

// takeTurn takes what is next for a request. It goes by the user that the token had
// when the request arrived. Replies that were enqueued for the token since are played
// before that one's own.
func (s *state) takeTurn(x *exchange) (t turn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := x.account
	if t.wait = n.limit(x.user.given.RateLimit); t.wait > 0 {
		return t
	}
	n.turns++
	t.number = n.turns
	if now := s.accounts.byToken[x.token]; now != nil && x.reset == s.resets {
		if r, time := now.script.playQueued(); r != nil {
			t.reply, t.reason = r, r.played("enqueued", time, 0)
			return t
		}
	}
	if r, time, round := n.script.play(x.user); r != nil {
		t.reply, t.reason = r, r.played("scripted", time, round)
	}
	return t
}

// takePreferred counts a request that has a Prefer header, and returns its number
// among those of its token.
func (s *state) takePreferred(x *exchange) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	x.account.preferred++
	return x.account.preferred
}

// complete enters the answer into the journal.
func (s *state) complete(x *exchange, a answered) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if x.plain {
		x.account.turns++
	}
	x.counts.answered++
	if !x.route.matched() {
		s.tally.countUnmatched(x)
	}
	if e := s.entryLocked(x); e != nil {
		s.journal.answer(e, a, x.sent, x.body, x.account.numbers.answered)
		x.account.numbers.answered = x.number
		s.updates.request(x.number)
	} else {
		s.updates.wake() // those who await the answer
	}
}

// explain enters the reason that a request has by now into the journal. It is called
// while there is no answer yet, or, with broken, after an answer has ended early.
func (s *state) explain(x *exchange, broken bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if e := s.entryLocked(x); e != nil {
		e.reason = x.reason
		e.broken = e.broken || broken
		e.unsent = x.unsent
		s.updates.request(x.number)
	}
}

// entryLocked returns the entry of a request, nil if the journal has it no more.
func (s *state) entryLocked(x *exchange) *entry {
	if x.reset != s.resets { // the numbers have started over
		return nil
	}
	return s.journal.at(x.number)
}
