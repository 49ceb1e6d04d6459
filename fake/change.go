package fake

import (
	"context"
	"errors"
	"log/slog"

	"example.com/campaignfake/fixtures"
)

// SetUser gives the token a user, or replaces the one that it has. What files
// and options said of the token holds again after Reset. The user is copied. Its
// replies start with the first one, its rate limit with all that it allows, and
// replies that were enqueued for the token are still played before. A request that
// has arrived already is answered as the user before has it.
//
// A user that breaks the rules of the format is refused, and nothing changes;
// the error holds every mistake, as *fixtures.Mistakes. The test that a server
// was made for hears of it as well.
func (s *Server) SetUser(token string, u User) error {
	s.test.Helper()
	_, err := s.setUser(token, u, 0, true)
	return s.test.refuse("SetUser", err)
}

// setUser gives the token a user: one of so many bytes of JSON if it came over HTTP,
// whose replies a strict test has to play if they are required. It reports whether
// the token had none before.
func (s *Server) setUser(token string, given User, size int, required bool) (created bool, err error) {
	p := s.state.inForce()
	if err := p.service.CheckUser(token, given); err != nil {
		return false, err
	}
	u, err := p.newUser(token, given)
	if err != nil {
		return false, err
	}
	u.size, u.required = size, required
	defer s.keepConnections()
	return s.state.setUser(u)
}

// RemoveUser takes the user of a token away; the token is unknown from then on,
// until SetUser or Reset. It is an error if the token has no user.
func (s *Server) RemoveUser(token string) error {
	s.test.Helper()
	if !s.state.removeUser(token) {
		return s.test.refuse("RemoveUser", noUser(token))
	}
	return nil
}

// Enqueue has replies played for the next requests that carry the token, in
// their order, before the user's own replies and after those that were enqueued
// before. An enqueued reply that is played Always comes last: replies that are
// enqueued later are played before it goes on, and a second one takes its place.
//
// It is an error if the token has no user, if a reply breaks the rules of the
// format, or if more than 10,000 would wait; nothing is enqueued then, and the
// test that a server was made for hears of it as well. RemoveUser and Reset drop
// what has not been played.
func (s *Server) Enqueue(token string, replies ...Reply) error {
	s.test.Helper()
	if err := (Service{}).CheckUser(token, User{Replies: replies}); err != nil {
		return s.test.refuse("Enqueue", err)
	}
	return s.test.refuse("Enqueue", s.enqueue(token, replies, 0, true))
}

// enqueue enqueues replies that have been checked: each of so many bytes if they
// came over HTTP, to be played in a strict test if they are required.
func (s *Server) enqueue(token string, given []Reply, size int, required bool) error {
	replies, err := s.state.inForce().newReplies(given, true)
	if err != nil {
		return err
	}
	for _, r := range replies {
		r.size, r.required = size, required
	}
	defer s.keepConnections()
	return s.state.enqueue(token, replies)
}

// Reset puts everything back to how the server started: the users with their
// replies, rate limits and draws, nothing enqueued, no requests in the journal, and
// none counted. After a Reload, what was read then counts as the start. The journal
// numbers from 1 again.
func (s *Server) Reset() {
	s.state.resetAll()
	s.keepConnections()
}

// ResetTokens puts the given tokens back to how the server started, as Reset does
// with everything. Given no token, it does nothing.
func (s *Server) ResetTokens(tokens ...string) { s.state.resetTokens(tokens) }

// ClearRequests forgets all requests, of whatever token, and counts from 0 again.
func (s *Server) ClearRequests() { s.state.clearAll() }

// ClearTokens forgets the requests of the given tokens, and counts them from 0
// again. Given no token, it does nothing. The empty token stands for requests
// without one.
func (s *Server) ClearTokens(tokens ...string) { s.state.clearTokens(tokens) }

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
	s.test.Helper()
	return s.test.refuse("Reload", s.reload())
}

func (s *Server) reload() error {
	s.reading.Lock()
	defer s.reading.Unlock()
	if s.stopping.Err() != nil {
		return errClosed
	}
	next, err := newSnapshot(configure(s.config.options, nil))
	s.logReload(next, err)
	if err != nil {
		s.state.reloadFailed(err)
		return err
	}
	s.state.replace(next)
	s.keepConnections()
	return nil
}

// logReload writes what a reload came to: each mistake on a line, since they are
// what somebody looks for.
func (s *Server) logReload(next *snapshot, err error) {
	log := s.config.logger
	if log == nil {
		return
	}
	ctx := context.Background()
	if err == nil {
		log.InfoContext(ctx, "the fixtures were reloaded", slog.Int("users", len(next.users)))
		return
	}
	const kept = "the fixtures could not be reloaded, and the last good ones are served"
	var mistakes *fixtures.Mistakes
	if !errors.As(err, &mistakes) {
		log.ErrorContext(ctx, kept, slog.String("error", err.Error()))
		return
	}
	for _, m := range mistakes.List {
		log.ErrorContext(ctx, kept, slog.String("error", m.String()))
	}
}
