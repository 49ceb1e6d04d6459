package fake

import (
	"context"
	"errors"
	"log/slog"
	"reflect"
	"time"

	"example.com/campaignfake/fixtures"
)

// Reset puts everything back to how the server started: the users with their
// replies, rate limits and draws, nothing enqueued, no requests in the journal,
// which numbers from 1 again, and none counted. After a Reload, what was read then
// counts as the start.
func (s *Server) Reset() {
	defer s.expectBreaks(s.setup.Load().fragile)()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.accounts = newAccounts(s.setup.Load())
	s.journal.wake()
	latest := s.journal.clear(nil)
	s.journal = newJournal(s.journal.limit, &s.entries)
	s.forgot("reset", nil, latest)
	s.journal.since = s.feed.version
}

// ResetTokens puts tokens back to how the server started, with what Reset puts
// back of them. Without tokens it does nothing.
func (s *Server) ResetTokens(tokens ...string) {
	defer s.expectBreaks(s.setup.Load().fragile)()
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(tokens) == 0 {
		return
	}
	latest := s.journal.clear(tokens)
	for _, token := range tokens {
		s.accounts.restart(token, s.setup.Load().users[token])
		s.forgot("reset", &token, latest)
	}
}

// restart gives a token the user that it started with, or none, and forgets all
// that has happened to it.
func (a *accounts) restart(token string, u *user) {
	if n := a.byToken[token]; u == nil && (n == nil || token == "") { // nobody, or those without a token
		a.clear([]string{token})
		return
	}
	a.set(token, u)
	n := a.byToken[token]
	*n = account{token: token, user: n.user, known: n.known, place: n.place, seen: n.seen, charged: n.charged}
	if u != nil {
		n.place = u.place
	}
}

// Reload reads once more what WithLoader and WithFixtures read, and serves that
// from then on: all of it, or nothing if there is a mistake. Mistakes are
// reported at once, as *fixtures.Mistakes; /_fake/health and the page show them
// as well until a reload succeeds, and the test that a server was made for hears
// of them.
//
// A token that is given the same user again goes on where it was in its replies,
// and so does one that was given a user, or robbed of it, while the server ran:
// that holds until Reset. A user that was put keeps the settings of the service
// that were in force then. Requests that have arrived are answered as they would
// have been. Dates that are relative to now are resolved anew, which does not make
// another user of who has them.
func (s *Server) Reload() error {
	if s.test != nil {
		s.test.Helper()
	}
	if err := s.reload(); err != nil {
		return s.refuse("Reload", err)
	}
	return nil
}

// A reloading is what the last attempt to reload came to.
type reloading struct {
	at  time.Time // zero if there was none
	err error
}

func (s *Server) reload() error {
	s.reloading.Lock()
	defer s.reloading.Unlock()
	if s.stopping.Err() != nil {
		return errors.New("the server is closed")
	}
	next, err := s.newSetup(configure(s.options))
	defer s.expectBreaks(err == nil && next.fragile)()
	s.logReload(next, err)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reloaded = reloading{time.Now(), err}
	if err != nil {
		s.changed("reload", nil)
		return err
	}
	before := s.setup.Load()
	s.setup.Store(next)
	s.accounts.replace(before, next)
	s.changed("reload", nil)
	return nil
}

// logReload writes what a reload came to: each mistake on a line, since they are
// what somebody looks for.
func (s *Server) logReload(next *setup, err error) {
	if s.log == nil {
		return
	}
	ctx := context.Background()
	if err == nil {
		s.log.InfoContext(ctx, "the fixtures were reloaded", slog.Int("users", len(next.users)))
		return
	}
	const kept = "the fixtures could not be reloaded, and the last good ones are served"
	var mistakes *fixtures.Mistakes
	if !errors.As(err, &mistakes) {
		s.log.ErrorContext(ctx, kept, slog.String("error", err.Error()))
		return
	}
	for _, m := range mistakes.List {
		s.log.ErrorContext(ctx, kept, slog.String("error", m.String()))
	}
}

// replace goes over to another setup.
func (a *accounts) replace(before, next *setup) {
	a.makeUnknown = next.makeUnknown
	for token, old := range before.users {
		n := a.byToken[token]
		switch now := next.users[token]; {
		case n == nil || n.user != old: // it was changed since
		case now == nil:
			a.set(token, nil)
		case old.given.Equal(now.given):
			n.user = now
			now.exhausted = old.exhausted
		default:
			a.set(token, now)
		}
	}
	for _, token := range next.order {
		if n := a.byToken[token]; before.users[token] == nil && (n == nil || !n.known || n.made) {
			a.set(token, next.users[token])
		}
	}
	for _, n := range a.listed() {
		if u := next.users[n.token]; u != nil {
			n.place = u.place
		} else if n.place < afterSetup {
			a.given++
			n.place = afterSetup + a.given
		}
	}
	if reflect.DeepEqual(before.service, next.service) {
		return
	}
	for e := a.unknown.Front(); e != nil; e = e.Next() {
		n := e.Value.(*account)
		n.user = nil
		if a.makeUnknown != nil {
			n.user = a.makeUnknown(n.token)
		}
	}
}
