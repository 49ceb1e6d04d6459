package fake

import (
	"context"
	"errors"
	"log/slog"

	"example.com/campaignfake/fixtures"
)

// SetUser gives the token a user, or replaces the one that it has, until Reset. The
// user is copied. Its replies and its rate limit start from the beginning. Replies
// that were enqueued for the token are still played before them. A request that has
// already arrived gets its answer from the previous user.
//
// A user that is not valid is refused, and nothing changes. The error holds every
// mistake, as *fixtures.Mistakes. A test server also fails its test.
func (s *Server) SetUser(token string, u User) error {
	s.test.Helper()
	p := s.state.inForce()
	err := p.service.CheckUser(token, u)
	if err == nil {
		_, err = s.setUser(p, token, u.Clone(), 0, true)
	}
	return s.test.refuse("SetUser", err)
}

// setUser gives the token a user that has been checked by the settings of a snapshot, and
// reports whether it had none before. size is the length of its JSON if it came over
// HTTP, else 0; required makes a strict test fail if replies are left.
func (s *Server) setUser(p *snapshot, token string, given User, size int, required bool) (created bool, err error) {
	if s.stopping.Err() != nil {
		return false, errClosed
	}
	u, err := p.newUser(token, given)
	if err != nil {
		return false, err
	}
	u.size, u.required = size, required
	defer s.setKeepAlives()
	return s.state.setUser(u)
}

// RemoveUser removes the user of a token. The token is unknown until SetUser or Reset.
// It is an error if the token has no user.
func (s *Server) RemoveUser(token string) error {
	s.test.Helper()
	if !s.state.removeUser(token) {
		return s.test.refuse("RemoveUser", noUser(token))
	}
	return nil
}

// Enqueue adds replies for the next requests that carry the token. They are played
// after those that were enqueued before, and before the user's own replies. A reply
// with the Times Always stays the last one: replies that are enqueued later are
// played before it, and a second one with Always replaces it.
//
// It is an error if the token has no user, if a reply is not valid, if the server is
// closed, or if more than 10,000 would wait. Then nothing is enqueued, and a test server
// also fails its test. RemoveUser and Reset drop replies that have not been played.
func (s *Server) Enqueue(token string, replies ...Reply) error {
	s.test.Helper()
	if err := s.state.inForce().service.CheckUser(token, User{Replies: replies}); err != nil {
		return s.test.refuse("Enqueue", err)
	}
	return s.test.refuse("Enqueue", s.enqueue(token, User{Replies: replies}.Clone().Replies, 0, true))
}

// enqueue enqueues replies that have been checked. size is the bytes that each counts
// towards Limits.Kept if they came over HTTP, else 0; required makes a strict test fail
// if they are left.
func (s *Server) enqueue(token string, given []Reply, size int, required bool) error {
	if s.stopping.Err() != nil {
		return errClosed
	}
	replies, err := s.state.inForce().newReplies(given, true)
	if err != nil {
		return err
	}
	for _, r := range replies {
		r.size, r.required = size, required
	}
	defer s.setKeepAlives()
	return s.state.enqueue(token, replies)
}

// Reset puts everything back to how the server started: users, settings, replies, rate
// limits and random draws. It drops enqueued replies, clears the journal, and sets all
// counts to 0. Requests are numbered from 1 again. After a Reload, the users that it read
// are those of the start.
func (s *Server) Reset() {
	s.state.resetAll()
	s.setKeepAlives()
}

// ResetTokens does for the given tokens what Reset does for everything. Without tokens
// it does nothing.
func (s *Server) ResetTokens(tokens ...string) { s.state.resetTokens(tokens) }

// ClearRequests removes all requests from the journal, and sets their counts to 0.
func (s *Server) ClearRequests() { s.state.clearAll() }

// ClearTokens removes the requests of the given tokens from the journal, and sets
// their counts to 0. Without tokens it does nothing. The empty token stands for
// requests without a token.
func (s *Server) ClearTokens(tokens ...string) { s.state.clearTokens(tokens) }

// Reload reads the fixtures of WithLoader and WithFixtures again, and puts them in
// force. If there is a mistake, nothing changes. The error holds all mistakes, as
// *fixtures.Mistakes; /_fake/health and the page show them until a reload succeeds,
// and a test server also fails its test.
//
// A token keeps its place in its replies if its user has not changed in the fixtures,
// or was set or removed while the server ran. Such a user stays until Reset, with the
// settings of the service that were in force when it was set. Requests that have
// already arrived get their answers from the previous fixtures. Relative dates are
// calculated again, which does not count as a change of the user.
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
	c := configure(s.config.options)
	next, err := newSnapshot(c)
	if set := s.state.inForce().set; set != nil && err == nil {
		next, err = next.with(set)
	}
	s.logReload(next, err)
	if err != nil {
		s.state.reloadFailed(err)
		return err
	}
	s.state.replace(next)
	s.setKeepAlives()
	if c.reread {
		s.certificates.Store(&c.certificates)
	}
	return nil
}

// logReload logs the result of a reload, each mistake on its own line.
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
		log.ErrorContext(ctx, kept, slog.Any("error", m)) // an object in JSON
	}
}
