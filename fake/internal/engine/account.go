package engine

import (
	"container/list"
	"strings"

	"example.com/campaignfake/fake/internal/plan"
)

// An account is what the state holds for one token.
type account struct {
	token  string
	known  bool    // it has a user of its own, not that of unknown tokens
	made   bool    // the user is a copy of that of unknown tokens, made by enqueue
	script *script // of the user
	queue  queue

	*Counts
	turns  int   // requests that were not refused
	latest int   // the number in the journal of the latest request
	held   *Hold // nil if no request of the token waits for its release

	element *list.Element // in the list of known or of unknown tokens; nil without a token
}

// Counts are of the requests that carried a token, since they were last cleared. Clearing
// makes new ones: a request that arrived before it does not count when it is answered.
type Counts struct {
	Arrived  int
	Matched  int // they matched the route
	Answered int // their entries in the journal are complete
}

// accounts are the accounts of all known tokens, and of the unknown tokens that
// sent requests most recently. The caller holds the mutex of State.
type accounts struct {
	snapshot  *plan.Snapshot // in force
	byToken   map[string]*account
	users     list.List // of known tokens, as they were given
	unknown   list.List // the most recent first
	ofUnknown *script   // of all unknown tokens; without a user if those are rejected
}

const (
	// maxUnknown is how many unknown tokens are remembered.
	maxUnknown = 10_000

	// longestUnknown is how many bytes an unknown token may have to be remembered. A longer
	// one is answered like any other, and leaves nothing behind.
	longestUnknown = 256
)

func newAccounts(p *plan.Snapshot) *accounts {
	a := &accounts{
		snapshot:  p,
		byToken:   make(map[string]*account, len(p.Users)),
		ofUnknown: &script{user: p.UnknownUser},
	}
	for _, u := range p.Users {
		a.setUser(u)
	}
	return a
}

// arrive counts a request, and returns the account of its token. Requests without a
// token have the empty token.
func (a *accounts) arrive(token string, matched bool) *account {
	n := a.byToken[token]
	switch {
	case n == nil:
		// The clone does not keep the whole header line in memory.
		n = a.add(strings.Clone(token))
		if token != "" {
			a.makeUnknown(n)
		}
	case !n.known && n.element != nil:
		a.unknown.MoveToFront(n.element)
	}
	n.Arrived++
	if matched {
		n.Matched++
	}
	return n
}

// add adds an account without a user.
func (a *accounts) add(token string) *account {
	n := &account{token: token, Counts: &Counts{}, script: new(script)}
	a.byToken[token] = n
	return n
}

// makeUnknown gives an account the user of unknown tokens. It removes the least recent one if
// there are too many of them, and an account whose token is too long.
func (a *accounts) makeUnknown(n *account) {
	a.unlist(n)
	n.known, n.made, n.script = false, false, a.ofUnknown
	n.element = a.unknown.PushFront(n)
	if len(n.token) > longestUnknown {
		a.remove(n)
	} else if a.unknown.Len() > maxUnknown {
		a.remove(a.unknown.Back().Value.(*account))
	}
}

// unlist takes an account off the list that it is in.
func (a *accounts) unlist(n *account) {
	switch {
	case n.element == nil:
	case n.known:
		a.users.Remove(n.element)
	default:
		a.unknown.Remove(n.element)
	}
	n.element = nil
}

// remove removes an account, and releases its requests.
func (a *accounts) remove(n *account) {
	n.release()
	delete(a.byToken, n.token)
	a.unlist(n)
}

// known returns the account of a token with a user of its own, or nil.
func (a *accounts) known(token string) *account {
	if n := a.byToken[token]; n != nil && n.known {
		return n
	}
	return nil
}

// listed returns the accounts of all tokens with a user of their own: first those of the
// snapshot, in its order, then the others, as they were given.
func (a *accounts) listed() (all []*account) {
	for _, u := range a.snapshot.Users {
		if n := a.known(u.Token); n != nil {
			all = append(all, n)
		}
	}
	for n := range a.own {
		if a.snapshot.User(n.token) == nil {
			all = append(all, n)
		}
	}
	return all
}

// own yields the accounts of all tokens with a user of their own, as they were given.
func (a *accounts) own(yield func(*account) bool) {
	for e := a.users.Front(); e != nil && yield(e.Value.(*account)); {
		e = e.Next()
	}
}

// setUser gives the user's token the user. The token keeps its counts and the replies that
// were enqueued. The user's own replies and rate limit start again.
func (a *accounts) setUser(u *plan.User) *account {
	n := a.byToken[u.Token]
	if n == nil {
		n = a.add(u.Token)
	}
	if !n.known {
		a.unlist(n)
		n.element = a.users.PushBack(n)
	}
	n.known, n.made, n.script = true, false, &script{user: u}
	return n
}

// removeUser removes the user of an account and the replies that were enqueued, and releases
// its requests. The token keeps its counts.
func (a *accounts) removeUser(n *account) {
	n.release()
	n.queue = queue{}
	a.makeUnknown(n)
}

// restart puts a token back to its state at the start.
func (a *accounts) restart(token string) {
	if n := a.byToken[token]; n != nil {
		a.remove(n)
	}
	if u := a.snapshot.User(token); u != nil {
		a.setUser(u)
	}
}

// replace changes from one snapshot to the next. A token keeps its state if its user
// is unchanged, or was set or removed since the start. It returns the tokens whose user in
// the next snapshot is new or changed, and not in force because of that.
func (a *accounts) replace(next *plan.Snapshot, unchanged map[string]bool) (kept []string) {
	before := a.snapshot
	a.snapshot, a.ofUnknown.user = next, next.UnknownUser
	for _, old := range before.Users {
		n := a.known(old.Token)
		switch now := next.User(old.Token); {
		case n == nil || n.script.user != old: // it was set or removed since
			if now != nil && !unchanged[old.Token] {
				kept = append(kept, old.Token)
			}
		case now == nil:
			a.removeUser(n)
		case unchanged[old.Token]:
			n.script.user, now.Exhausted = now, old.Exhausted
		default:
			a.setUser(now)
		}
	}
	for _, u := range next.Users {
		switch n := a.known(u.Token); {
		case before.User(u.Token) != nil:
		case n == nil || n.made:
			a.setUser(u)
		default:
			kept = append(kept, u.Token)
		}
	}
	return kept
}
