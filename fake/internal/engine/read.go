package engine

import (
	"slices"

	"example.com/campaignfake/fake/internal/journal"
	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fixtures"
)

// What others see of the state. All that is returned is a copy, or never changes.

// Requests returns the entries of the journal that carry one of the tokens, without those
// from before a token started anew, or all of them if none is given, the oldest first; and
// how often everything was reset.
func (s *State) Requests(tokens ...string) (entries []journal.Entry, resets int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for e := range s.journal.Entries {
		if len(tokens) == 0 || slices.Contains(tokens, e.Token) && !e.Former {
			entries = append(entries, *e)
		}
	}
	return entries, s.resets
}

// UnmatchedDropped reports whether the journal has dropped a request that matched nothing, to
// make room for others, since it was last cleared.
func (s *State) UnmatchedDropped() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.journal.UnmatchedDropped
}

// Count counts the requests that carried a token.
func (s *State) Count(token string) Counts {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := s.accounts.byToken[token]; n != nil {
		return *n.Counts
	}
	return Counts{}
}

// Tokens returns the tokens of all users that were given.
func (s *State) Tokens() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	tokens := []string{}
	for _, n := range s.accounts.listed() {
		if !n.made {
			tokens = append(tokens, n.token)
		}
	}
	return tokens
}

// Next returns a channel that is closed by the next change, or when the state is
// closed, and whether it is.
func (s *State) Next() (changed <-chan struct{}, closed bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.next == nil {
		s.next = make(chan struct{})
	}
	return s.next, s.closed
}

// A WaitingReply is a reply that waits to be played.
type WaitingReply struct {
	Reply    fixtures.Reply `json:"reply"`
	Played   int            `json:"played"`   // how often it has been played
	Summary  string         `json:"summary"`  // describes the reply in words
	Enqueued bool           `json:"enqueued"` // it was given by Enqueue, not with the user
}

// A UserStatus is a user, and what its token has come to.
type UserStatus struct {
	User     *plan.User
	Known    bool // the user was given, and is not an unknown token's
	Requests int
	Enqueued int
	Waiting  []WaitingReply
}

// Users returns all users that were given, in their order.
func (s *State) Users() (all []UserStatus) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, n := range s.accounts.listed() {
		all = append(all, n.status())
	}
	return all
}

// User returns what a token has, with the replies that wait. Its user is nil if the
// token is unknown and such tokens are rejected.
func (s *State) User(token string) UserStatus {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.accounts.byToken[token]
	if n == nil {
		n = &account{token: token, Counts: &Counts{}, script: s.accounts.ofUnknown}
	}
	status := n.status()
	if status.User != nil {
		status.Waiting = make([]WaitingReply, 0, len(n.queue.replies)+len(status.User.Replies))
		n.waiting(func(r *plan.Reply, played int) {
			status.Waiting = append(status.Waiting, WaitingReply{Reply: r.Given, Played: played, Summary: r.Given.String(), Enqueued: r.Enqueued})
		})
	}
	return status
}

func (n *account) status() UserStatus {
	return UserStatus{User: n.script.user, Known: n.known, Requests: n.Arrived, Enqueued: len(n.queue.replies)}
}

// Received returns what was received since the start.
func (s *State) Received() Tally {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.tally
	t.First = slices.Clone(t.First)
	return t
}

// LastReload returns what the last reload came to.
func (s *State) LastReload() ReloadResult {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.reload
}

// Breaks reports whether a connection may break before an answer, for some
// requests and not for others.
func (s *State) Breaks() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.mayBreak
}
