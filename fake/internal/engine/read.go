package engine

import (
	"iter"

	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fake/internal/report"
	"example.com/campaignfake/fake/internal/ring"
	"example.com/campaignfake/fixtures"
)

// The methods in this file read the state. Each result is a copy, or never changes.

// Requests returns the entries of the journal that carry a token of a scope, the oldest first.
func (e *Engine) Requests(scope Scope) []ring.Entry {
	entries := e.entriesOf(scope)
	for i := range entries {
		entries[i].Fill()
	}
	return entries
}

func (e *Engine) entriesOf(scope Scope) (entries []ring.Entry) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for entry := range e.journal.Entries {
		if scope.Has(entry.Request.Token) {
			entries = append(entries, *entry)
		}
	}
	return entries
}

// Count counts the requests that carried a token of a scope.
func (e *Engine) Count(scope Scope) (sum Counts) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, token := range e.accounts.tokensIn(scope) {
		counts := e.accounts.of(token).counts
		sum.Arrived += counts.Arrived
		sum.Matched += counts.Matched
		sum.Answered += counts.Answered
	}
	return sum
}

// Tokens returns the tokens that have a user of their own.
func (e *Engine) Tokens() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.accounts.tokens()
}

func (all *accounts) tokens() (tokens []string) {
	for _, a := range all.pinned {
		if a.given != nil {
			tokens = append(tokens, a.token)
		}
	}
	return tokens
}

// A WaitingReply is a reply that a later request of its token gets.
type WaitingReply struct {
	Reply    fixtures.Reply `json:"reply"`
	Played   int            `json:"played"`   // how often it has been played
	Summary  string         `json:"summary"`  // describes the reply in words
	Enqueued bool           `json:"enqueued"` // given by Enqueue, not with the user
}

// waiting yields the replies that are left to play, and how often each has been played so far. The
// enqueued replies come first, then the replies of the user.
func (all *accounts) waiting(a *account) iter.Seq2[*plan.Reply, int] {
	return func(yield func(reply *plan.Reply, played int) bool) {
		for _, s := range []script{a.queue, all.repliesOf(a)} {
			for i, reply := range s.replies {
				played := 0
				if i == 0 {
					played = s.played
				}
				if !yield(reply, played) {
					return
				}
			}
		}
	}
}

// Unplayed lists replies that should have been played more often. It lists the replies of all
// tokens in a scope. isOwed decides whether a reply should have been played more often.
func (e *Engine) Unplayed(scope Scope) []report.Unplayed {
	e.mu.Lock()
	defer e.mu.Unlock()
	list := []report.Unplayed{}
	for _, a := range e.accounts.pinned {
		if !scope.Has(a.token) {
			continue
		}
		for reply, played := range e.accounts.waiting(a) {
			if a.isOwed(reply) {
				list = append(list, report.Unplayed{
					Token:    a.token,
					Summary:  reply.Description(),
					Played:   played,
					Times:    reply.Times,
					Required: reply.Door == plan.DoorGo,
				})
			}
		}
	}
	return list
}

// isOwed reports whether a reply that is left to play should have been played by now. The first of
// these rules that fits decides:
//
//   - A reply from a file, or with Times Always: no.
//   - An enqueued reply: yes.
//   - A reply of a user that repeats its replies, or whose replies some token has played: no.
//   - A reply of a user: yes for the user's own token. No for a token that has a copy of the user,
//     and for a token such as flaky~1.
func (a *account) isOwed(reply *plan.Reply) bool {
	if reply.Door == plan.DoorFile || reply.Times == fixtures.Always {
		return false
	}
	if reply.Enqueued {
		return true
	}
	isOwn := a.given != nil && a.given.Token == a.token
	return isOwn && !a.given.Fixture.Repeat && !a.given.IsPlayed
}

// A UserStatus is the state of a token, with its user.
type UserStatus struct {
	Token    string
	Given    *plan.User // the user given to exactly this token; nil if there is none
	User     *plan.User // the user that answers the next request; nil if there is none
	Known    bool       // see isKnown
	Requests int
	Enqueued int
	Waiting  []WaitingReply // only in the result of Engine.User
}

// listedRuns is the largest number of tokens such as flaky~1 in a list of users.
const listedRuns = 100

// Users returns the status of the known tokens in a scope. First come the tokens that were given a
// user or replies, the earliest first. Then come other tokens, such as flaky~1 for the user flaky:
// the token with the latest request first, and not more than the constant listedRuns.
func (e *Engine) Users(scope Scope) (all []UserStatus) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, a := range e.accounts.pinned {
		status := e.accounts.statusOf(a)
		if scope.Has(a.token) && status.Known {
			all = append(all, status)
		}
	}
	listed := 0
	for a := range e.accounts.mostRecent {
		if listed == listedRuns {
			break
		}
		if !scope.Has(a.token) {
			continue
		}
		status := e.accounts.statusOf(a)
		if status.Known {
			all = append(all, status)
			listed++
		}
	}
	return all
}

// User returns the user and the state of a token, with its waiting replies.
func (e *Engine) User(token string) UserStatus {
	e.mu.Lock()
	defer e.mu.Unlock()
	a := e.accounts.of(token)
	status := e.accounts.statusOf(a)
	status.Waiting = []WaitingReply{}
	for reply, played := range e.accounts.waiting(a) {
		status.Waiting = append(status.Waiting, WaitingReply{
			Reply:    reply.Fixture,
			Played:   played,
			Summary:  reply.Fixture.String(),
			Enqueued: reply.Enqueued,
		})
	}
	return status
}

// UnknownUser returns the user that unknown tokens have. It returns nil if they are rejected.
func (e *Engine) UnknownUser() *plan.User {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.accounts.userOfUnknown()
}

// statusOf returns the state of the token of an account. A token without any user is not known,
// even if replies wait for it. This can happen to demo~1: it has got replies, and the user
// demo was removed.
func (all *accounts) statusOf(a *account) UserStatus {
	user, isRun := all.userNow(a)
	return UserStatus{
		Token:    a.token,
		Given:    a.given,
		User:     user,
		Known:    a.isKnown(isRun) && user != nil,
		Requests: a.counts.Arrived,
		Enqueued: len(a.queue.replies),
	}
}

// LastReload returns the result of the last reload.
func (e *Engine) LastReload() ReloadResult {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.reload
}
