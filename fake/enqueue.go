package fake

import (
	"errors"
	"fmt"
	"slices"
)

// maxQueued bounds how many replies of one token wait to be played.
const maxQueued = 10_000

// Enqueue has replies played for the next requests that carry the token, in
// their order, before the user's own replies and after those that were enqueued
// before. An enqueued reply that is played Always ends when another is enqueued.
//
// It is an error if the token has no user, if a reply breaks the rules of the
// format, or if more than 10,000 would wait; nothing is enqueued then, and the
// test that a server was made for hears of it as well. RemoveUser and Reset drop
// what has not been played.
func (s *Server) Enqueue(token string, replies ...Reply) error {
	if s.test != nil {
		s.test.Helper()
	}
	if err := (Service{}).CheckUser(token, User{Replies: replies}); err != nil {
		return s.refuse("Enqueue", err)
	}
	prepared, err := s.setup.Load().replies("enqueued reply", replies)
	if err != nil {
		return s.refuse("Enqueue", err)
	}
	if err := s.enqueueReplies(token, prepared, true); err != nil {
		return s.refuse("Enqueue", err)
	}
	return nil
}

// enqueueReplies enqueues replies, which a strict test has to play if they are
// owed.
func (s *Server) enqueueReplies(token string, replies []*reply, owed bool) error {
	for _, r := range replies {
		r.owed = owed
	}
	defer s.expectBreaks(slices.ContainsFunc(replies, (*reply).isFragile))()
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.accounts.known(token)
	waiting := 0
	if n != nil {
		waiting = len(n.script.queue)
	}
	switch {
	case n == nil && s.accounts.makeUnknown == nil:
		return noUser(token)
	case waiting+len(replies) > maxQueued:
		more, are := fmt.Sprintf("%d replies", len(replies)), "are"
		if len(replies) == 1 {
			more, are = "1 reply", "is"
		}
		return fmt.Errorf("%s beside the %d of token %q that wait already %s too many; at most %d can wait", more, waiting, token, are, maxQueued)
	case n == nil:
		// An unknown token that somebody speaks of is known from then on.
		s.accounts.set(token, s.accounts.makeUnknown(token))
		n = s.accounts.byToken[token]
		n.made = true
	}
	n.script.enqueue(replies)
	s.changed("replies", &token)
	return nil
}

var errNoUser = errors.New("no user has the token")

func noUser(token string) error {
	return fmt.Errorf("%w %q; name one that was given by WithUser, WithFixtures or SetUser", errNoUser, token)
}
