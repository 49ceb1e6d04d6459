package engine

import (
	"container/list"
	"errors"
	"fmt"
	"slices"
	"time"

	"example.com/campaignfake/fake/internal/journal"
	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fake/internal/report"
)

// What others change of the state: users, replies, requests.

const (
	// maxUsers bounds how many users there can be when one is put over HTTP.
	maxUsers = 10_000

	// maxPut bounds the bytes of the bodies in which users and replies came over HTTP that
	// are there.
	maxPut = 32 << 20

	// maxQueued bounds how many replies of one token wait to be played.
	maxQueued = 10_000
)

var (
	ErrNoUser = errors.New("no user has the token")
	ErrClosed = errors.New("the server is closed")
	ErrFull   = errors.New("there is no room")
)

func NoUser(token string) error {
	return fmt.Errorf("%w %q; name one that was given by WithUser, WithFixtures or SetUser", ErrNoUser, token)
}

// InForce returns the snapshot that is in force.
func (s *State) InForce() *plan.Snapshot {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.accounts.snapshot
}

// SetUser gives the user's token the user, and reports whether the token had none
// before. anew makes the token start anew; otherwise it keeps its counts, its requests and
// the replies that were enqueued. SetUser fails with ErrFull if there is no room for a
// user that came over HTTP.
func (s *State) SetUser(u *plan.User, anew bool) (created bool, dropped Dropped, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	dropped.Unplayed = []report.Unplayed{}
	users, added := 1, u.Size
	old := s.accounts.known(u.Token)
	var next *list.Element // in the order of the users, which the token keeps its place in
	if old != nil {
		next = old.element.Next()
		users, added = 0, u.Size-old.script.user.Size
	}
	if u.Size > 0 {
		if err := s.roomFor(users, added); err != nil {
			return false, dropped, err
		}
	}
	token := u.Token // a pointer into the user would keep all of it
	switch {
	case anew:
		dropped = s.startAnew(token)
	case old != nil:
		dropped.Unplayed = append(dropped.Unplayed, old.unplayed(false)...)
	}
	n := s.accounts.setUser(u)
	if next != nil {
		s.accounts.users.MoveBefore(n.element, next)
	}
	s.mayBreak = s.mayBreak || u.MayBreak
	s.changedLocked()
	return users > 0, dropped, nil
}

// RemoveUser takes the user of a token away, and reports whether there was one. anew makes
// the token start anew; otherwise it keeps its counts and its requests.
func (s *State) RemoveUser(token string, anew bool) (dropped Dropped, known bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.accounts.known(token)
	switch {
	case n == nil:
		return dropped, false
	case anew:
		dropped = s.startAnew(token)
	default:
		dropped.Unplayed = append([]report.Unplayed{}, n.unplayed(true)...)
		s.accounts.removeUser(n)
	}
	s.changedLocked()
	return dropped, true
}

// Enqueue has replies played for the next requests of a token. An unknown token
// becomes a known one by it, unless unknown tokens are rejected. It fails with ErrNoUser or
// ErrFull.
func (s *State) Enqueue(token string, replies []*plan.Reply) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.accounts.known(token)
	unknown := s.accounts.snapshot.UnknownUser
	if n == nil && unknown == nil {
		return NoUser(token)
	}
	waiting, users, added := len(replies), 1, int64(0)
	if n != nil {
		waiting, users = waiting+len(n.queue.replies), 0
	}
	for _, r := range replies {
		added += r.Size
	}
	if waiting > maxQueued {
		return fmt.Errorf("%w for so many replies of token %q: %d would wait, and at most %d can", ErrFull, token, waiting, maxQueued)
	}
	if added > 0 {
		if err := s.roomFor(users, added); err != nil {
			return err
		}
	}
	if n == nil {
		n = s.accounts.setUser(unknown.WithToken(token))
		n.made = true
	}
	n.queue.enqueue(replies)
	s.mayBreak = s.mayBreak || slices.ContainsFunc(replies, (*plan.Reply).MayBreak)
	s.changedLocked()
	return nil
}

// roomFor returns an error if a call over HTTP would add too many users, or too many bytes
// of users and replies.
func (s *State) roomFor(users int, added int64) error {
	there := 0
	for n := range s.accounts.own {
		there++
		added += n.script.user.Size
		for _, r := range n.queue.replies {
			added += r.Size
		}
	}
	switch {
	case users > 0 && there >= maxUsers:
		return fmt.Errorf("%w for more than %d users; remove some, or reset the server", ErrFull, maxUsers)
	case added > maxPut:
		return fmt.Errorf("%w for more users and replies, whose bodies may have %d MiB together; remove some, or reset the server", ErrFull, maxPut>>20)
	}
	return nil
}

// DropReplies drops the replies that were enqueued for a token, and reports
// whether it has a user.
func (s *State) DropReplies(token string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.accounts.known(token)
	if n == nil {
		return false
	}
	n.queue = queue{}
	s.changedLocked()
	return true
}

// ResetAll puts everything back to how the server started.
func (s *State) ResetAll() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, n := range s.accounts.byToken {
		n.release()
	}
	s.accounts = newAccounts(s.accounts.snapshot)
	s.journal = journal.New()
	s.mayBreak = s.accounts.snapshot.MayBreak
	s.resets++
	s.changedLocked()
}

// ResetTokens puts tokens back to how the server started, and forgets their
// requests.
func (s *State) ResetTokens(tokens []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clearLocked(tokens)
	for _, token := range tokens {
		s.accounts.restart(token)
	}
	s.changedLocked()
}

// Clear forgets the requests of tokens, or all of them if none is given.
func (s *State) Clear(tokens ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clearLocked(tokens)
	s.changedLocked()
}

// clearLocked forgets the requests of tokens, or all of them if none is given.
func (s *State) clearLocked(tokens []string) {
	cleared := func(token string) bool { return len(tokens) == 0 || slices.Contains(tokens, token) }
	for e := range s.journal.Entries {
		if cleared(e.Token) {
			s.journal.Clear(e)
		}
	}
	s.journal.UnmatchedDropped = s.journal.UnmatchedDropped && len(tokens) > 0
	for token, n := range s.accounts.byToken {
		if cleared(token) {
			n.Counts = &Counts{}
		}
	}
}

// A ReloadResult is what an attempt to reload came to.
type ReloadResult struct {
	At  time.Time // zero if there was none
	Err error     // in the fixtures
}

// Replace notes a reload, and puts its snapshot in force unless that is nil. It returns the
// tokens whose user in it is new or changed, and not in force because it was set or removed
// since the start.
func (s *State) Replace(next *plan.Snapshot, result ReloadResult) (kept []string) {
	var unchanged map[string]bool
	if next != nil {
		unchanged = s.InForce().Unchanged(next)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reload = result
	if next != nil {
		kept = s.accounts.replace(next, unchanged)
		s.mayBreak = s.mayBreak || next.MayBreak
	}
	s.changedLocked()
	return kept
}
