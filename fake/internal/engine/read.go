package engine

import (
	"slices"

	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fake/internal/report"
	"example.com/campaignfake/fake/internal/ring"
	"example.com/campaignfake/fixtures"
)

// What others see of the state. All that is returned is a copy, or never changes.

// Requests returns the entries of the journal that carry one of the tokens, or all of them if
// none is given, the oldest first.
func (e *Engine) Requests(tokens ...string) (entries []ring.Entry) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for entry := range e.journal.Entries {
		if len(tokens) == 0 || slices.Contains(tokens, entry.Token) {
			entries = append(entries, *entry)
		}
	}
	return entries
}

// Count counts the requests that carried a token.
func (e *Engine) Count(token string) Counts {
	e.mu.Lock()
	defer e.mu.Unlock()
	return *e.accounts.of(token, e.snapshot).Counts
}

// Tokens returns the tokens of all users that were given.
func (e *Engine) Tokens() (tokens []string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, n := range e.accounts.users {
		if n.ownUser() != nil {
			tokens = append(tokens, n.token)
		}
	}
	return tokens
}

// A WaitingReply is a reply that waits to be played.
type WaitingReply struct {
	Reply    fixtures.Reply `json:"reply"`
	Played   int            `json:"played"`   // how often it has been played
	Summary  string         `json:"summary"`  // describes the reply in words
	Enqueued bool           `json:"enqueued"` // it was given by Enqueue, not with the user
}

// waiting yields the replies that wait to be played, and how often each has been: first the queue,
// then those of the user.
func (n *account) waiting(yield func(r *plan.Reply, played int) bool) {
	for _, s := range []script{n.queue, n.own} {
		for _, r := range s.replies {
			if !yield(r, s.played) {
				return
			}
			s.played = 0 // of those after the first
		}
	}
}

// Unplayed lists the replies that a test gave a finite number of times, and that have not
// been played so often. Replies of a user that repeats them are not among them, nor those of a
// token that is like a user: what that token has played, the user has played.
func (e *Engine) Unplayed() []report.Unplayed {
	e.mu.Lock()
	defer e.mu.Unlock()
	list := []report.Unplayed{}
	for _, n := range e.accounts.users {
		u := n.ownUser()
		isOwed := u != nil && !u.Exhausted && !u.Given.Repeat
		for r, played := range n.waiting {
			if r.ByTest() && r.Times != fixtures.Always && (isOwed || r.Enqueued) {
				list = append(list, report.Unplayed{
					Token: n.token, Summary: r.What(), Played: played, Times: r.Times, Required: r.Required,
				})
			}
		}
	}
	return list
}

// A UserStatus is a user, and what its token has come to.
type UserStatus struct {
	Token    string
	User     *plan.User // that of another token if it is like that one; nil if there is none
	Known    bool       // the token is not an unknown one
	Requests int
	Enqueued int
	Waiting  []WaitingReply
}

// Users returns all tokens with a user or replies that were given, in their order, and then up to
// 100, the most recent, of those that are known because they are like a user.
func (e *Engine) Users() (all []UserStatus) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, n := range e.accounts.users {
		all = append(all, n.status())
	}
	most := len(all) + 100
	for other := e.accounts.others.Front(); other != nil && len(all) < most; other = other.Next() {
		if n := other.Value.(*account); n.known() {
			all = append(all, n.status())
		}
	}
	return all
}

// User returns what a token has, with the replies that wait.
func (e *Engine) User(token string) UserStatus {
	e.mu.Lock()
	defer e.mu.Unlock()
	n := e.accounts.of(token, e.snapshot)
	status := n.status()
	status.Waiting = []WaitingReply{}
	for r, played := range n.waiting {
		status.Waiting = append(status.Waiting, WaitingReply{r.Given, played, r.Given.String(), r.Enqueued})
	}
	return status
}

// UnknownUser returns the user that unknown tokens get, nil if these are rejected.
func (e *Engine) UnknownUser() *plan.User {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.accounts.unknownUser(e.snapshot)
}

func (n *account) status() UserStatus {
	return UserStatus{Token: n.token, User: n.user, Known: n.known(), Requests: n.Arrived, Enqueued: len(n.queue.replies)}
}

// LastReload returns what the last reload came to.
func (e *Engine) LastReload() ReloadResult {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.reload
}
