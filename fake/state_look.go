package fake

import (
	"fmt"
	"maps"
	"slices"
)

// What others see of the state. All that is returned is a copy, or never changes.

// A position is where somebody looked at the journal.
type position struct {
	resets  int // how often everything was reset before
	version int // of the latest update
}

// requests returns what the journal holds, the oldest first.
func (s *state) requests() (records []entry, at position) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for e := range s.journal.entries {
		records = append(records, *e)
	}
	return records, position{s.resets, s.updates.version}
}

// count counts the requests that carried a token.
func (s *state) count(token string) counts {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := s.accounts.byToken[token]; n != nil {
		return *n.counts
	}
	return counts{}
}

// tokens returns the tokens of all users that were given.
func (s *state) tokens() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.accounts.users()
}

// next returns a channel that is closed by the next update, or when the state is
// closed, and whether it is.
func (s *state) next() (changed <-chan struct{}, closed bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.updates.wait(), s.closed
}

// watch takes one of the places for those who watch the updates, and returns the
// latest version. It returns false if all are taken.
func (s *state) watch() (version int, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.updates.readers >= s.limits.Followers {
		return s.updates.version, false
	}
	s.updates.readers++
	return s.updates.version, true
}

// unwatch gives a place back.
func (s *state) unwatch() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.updates.readers--
}

// since returns what was updated after a version, of a token or of all if that is
// nil: the changes, and the requests, each once and as it is now. missed reports
// that there was more, which is not kept.
func (s *state) since(version int, token *string) (changes []change, records []entry, now int, missed bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	seen := make(map[int]bool)
	kept := s.updates.since(version, func(u update) {
		if u.request == 0 {
			if token == nil || u.Token == nil || *u.Token == *token {
				changes = append(changes, u.change)
			}
			return
		}
		if seen[u.request] {
			return
		}
		seen[u.request] = true
		if e := s.journal.at(u.request); e == nil {
			missed = true
		} else if token == nil || e.token == *token {
			records = append(records, *e)
		}
	})
	return changes, records, s.updates.version, missed || !kept
}

// A userStatus is a user, and what its token has come to.
type userStatus struct {
	user     *user
	known    bool // the user was given, and is not an unknown token's
	requests int
	enqueued int
	waiting  []WaitingReply
}

// users returns all users that were given, in their order.
func (s *state) users() (all []userStatus) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, n := range s.accounts.listed() {
		all = append(all, n.status())
	}
	return all
}

// user returns what a token has, with the replies that wait. Its user is nil if the
// token is unknown and such tokens are rejected.
func (s *state) user(token string) userStatus {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.accounts.byToken[token]
	if n == nil {
		n = newAccount(token)
		n.user = s.accounts.unknownUser
	}
	status := n.status()
	if n.user != nil {
		status.waiting = make([]WaitingReply, 0, len(n.script.queue)+len(n.user.replies))
		for r, played := range n.script.waiting(n.user) {
			status.waiting = append(status.waiting, WaitingReply{r.given, played, r.given.String(), r.enqueued})
		}
	}
	return status
}

func (n *account) status() userStatus {
	return userStatus{user: n.user, known: n.known, requests: n.arrived, enqueued: len(n.script.queue)}
}

// unplayed describes the replies that should have been played, and were not, each
// on a line.
func (s *state) unplayed() (lines []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, token := range slices.Sorted(maps.Keys(s.accounts.byToken)) {
		n := s.accounts.byToken[token]
		if n.user == nil {
			continue
		}
		for _, line := range n.script.unplayed(n.user) {
			lines = append(lines, fmt.Sprintf("%s: %s", ofToken(token), line))
		}
	}
	return lines
}

// received returns what was received since the start.
func (s *state) received() Tally {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.tally
	t.Users, t.First = maps.Clone(t.Users), slices.Clone(t.First)
	return t
}

// lastReload returns what the last reload came to.
func (s *state) lastReload() reloadResult {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.reload
}

// breaks reports whether a connection may break before an answer, for some
// requests and not for others.
func (s *state) breaks() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.mayBreak
}
