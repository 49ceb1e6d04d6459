package fake

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

// What others change of the state: users, replies, requests, settings.

const (
	// maxUsers bounds how many users there can be when one is put over HTTP.
	maxUsers = 10_000

	// maxQueued bounds how many replies of one token wait to be played.
	maxQueued = 10_000

	// replyBytes is what a reply that came over HTTP counts more than its JSON.
	replyBytes = 256
)

var (
	errNoUser = errors.New("no user has the token")
	errFull   = errors.New("there is no room")
	errClosed = errors.New("the server is closed")
)

func noUser(token string) error {
	return fmt.Errorf("%w %q; name one that was given by WithUser, WithFixtures or SetUser", errNoUser, token)
}

// inForce returns the snapshot that is in force.
func (s *state) inForce() *snapshot {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.snapshot
}

// setUser gives the user's token the user, and reports whether the token had none
// before. It fails with errFull if there is no room for a user that came over HTTP.
func (s *state) setUser(u *user) (created bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	created = s.accounts.known(u.token) == nil
	if u.size > 0 {
		if err := s.roomLocked(u.size, u.sent, u.token, created); err != nil {
			return false, err
		}
	}
	s.accounts.set(u.token, u)
	s.mayBreak = s.mayBreak || u.mayBreak
	token := u.token // a pointer into the user would keep all of it
	s.updates.changed("user", &token)
	return created, nil
}

// removeUser takes the user of a token away, and reports whether there was one.
func (s *state) removeUser(token string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.accounts.known(token) == nil {
		return false
	}
	s.accounts.set(token, nil)
	s.updates.changed("user", &token)
	return true
}

// enqueue has replies played for the next requests of a token. An unknown token
// becomes a known one by it, unless unknown tokens are rejected. It fails with
// errNoUser or errFull.
func (s *state) enqueue(token string, replies []*reply) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.accounts.known(token)
	if n == nil && s.accounts.unknownUser == nil {
		return noUser(token)
	}
	waiting, size := 0, 0
	if n != nil {
		waiting = len(n.script.queue)
	}
	for _, r := range replies {
		size += r.size
	}
	if waiting+len(replies) > maxQueued {
		return fmt.Errorf("%w for so many replies of token %q: %d would wait, and at most %d can", errFull, token, waiting+len(replies), maxQueued)
	}
	if size > 0 {
		if err := s.roomLocked(size, 0, "", n == nil); err != nil {
			return err
		}
	}
	if n == nil {
		n = s.accounts.set(token, s.accounts.unknownUser.withToken(token))
		n.made = true
	}
	n.script.enqueue(replies)
	s.mayBreak = s.mayBreak || slices.ContainsFunc(replies, (*reply).mayBreak)
	s.updates.changed("replies", &token)
	return nil
}

// roomLocked fails if there is no room for so many bytes that came over HTTP, or that
// are sent to a user, in place of the user of a token, or for one more user.
func (s *state) roomLocked(size int, sent int64, replaces string, oneMore bool) error {
	users := 0
	for _, n := range s.accounts.byToken {
		if !n.known {
			continue
		}
		users++
		if n.token != replaces {
			size += n.user.size
			sent += n.user.sent
		}
		for _, r := range n.script.queue {
			size += r.size
		}
	}
	switch {
	case oneMore && users >= maxUsers:
		return fmt.Errorf("%w for more than %d users; remove some, or reset the server", errFull, maxUsers)
	case size > s.limits.Kept:
		return fmt.Errorf("%w for more than %s of users and replies%s; remove some, or reset the server", errFull, inBytes(int64(s.limits.Kept)), s.limits.of())
	case s.limits.Campaigns > 0 && sent > s.limits.Campaigns:
		return fmt.Errorf("%w for more than %s of campaigns%s; generate fewer", errFull, inBytes(s.limits.Campaigns), s.limits.of())
	}
	return nil
}

// dropReplies drops the replies that were enqueued for a token, and reports
// whether it has a user.
func (s *state) dropReplies(token string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.accounts.known(token)
	if n == nil {
		return false
	}
	n.script.queue, n.script.queued = nil, 0
	s.updates.changed("replies", &token)
	return true
}

// resetAll puts everything back to how the server started.
func (s *state) resetAll() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.snapshot = s.snapshot.withoutSet()
	s.accounts = newAccounts(s.snapshot, s.limits)
	s.journal = newJournal(s.journal.limit, s.limits.Journal)
	s.mayBreak = s.snapshot.mayBreak
	s.resets++
	s.updates.changed("reset", nil)
}

// resetTokens puts tokens back to how the server started, and forgets their
// requests.
func (s *state) resetTokens(tokens []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clearJournalLocked(tokens)
	for _, token := range tokens {
		s.accounts.restart(token, s.snapshot.user(token))
		s.updates.changed("reset", &token)
	}
}

// clearAll forgets all requests.
func (s *state) clearAll() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for e := range s.journal.entries {
		s.journal.clear(e)
	}
	for token := range s.accounts.byToken {
		s.accounts.forget(token)
	}
	s.updates.changed("requests", nil)
}

// clearTokens forgets the requests of tokens.
func (s *state) clearTokens(tokens []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clearJournalLocked(tokens)
	for _, token := range tokens {
		s.accounts.forget(token)
		s.updates.changed("requests", &token)
	}
}

func (s *state) clearJournalLocked(tokens []string) {
	for e := range s.journal.entries {
		if slices.Contains(tokens, e.token) {
			s.journal.clear(e)
		}
	}
}

// A reloadResult is what the last attempt to reload came to.
type reloadResult struct {
	at  time.Time // zero if there was none
	err error
}

// replace puts another snapshot in force.
func (s *state) replace(next *snapshot) {
	unchanged := s.inForce().unchanged(next)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reload = reloadResult{at: time.Now()}
	s.accounts.replace(s.snapshot, next, unchanged)
	s.snapshot = next
	s.mayBreak = s.mayBreak || next.mayBreak
	s.updates.changed("reload", nil)
}

// setService puts a snapshot in force that has other settings and the same users. Users
// that were set while the server ran have to be prepared for it: those that are not
// among the prepared ones are returned, and then nothing changes.
func (s *state) setService(next *snapshot, prepared map[*user]*user) (missing []*user) {
	unchanged := s.inForce().unchanged(next)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, n := range s.accounts.listed() {
		if n.user != s.snapshot.user(n.token) && prepared[n.user] == nil {
			missing = append(missing, n.user)
		}
	}
	if missing != nil {
		return missing
	}
	s.accounts.replace(s.snapshot, next, unchanged)
	for _, n := range s.accounts.listed() {
		if u := prepared[n.user]; u != nil {
			n.user = u
		}
	}
	s.snapshot = next
	s.mayBreak = s.mayBreak || next.mayBreak
	s.updates.changed("service", nil)
	return nil
}

// reloadFailed notes that a reload has changed nothing.
func (s *state) reloadFailed(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reload = reloadResult{time.Now(), err}
	s.updates.changed("reload", nil)
}
