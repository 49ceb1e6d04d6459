package engine

import (
	"container/list"
	"slices"
	"strings"

	"example.com/campaignfake/fake/internal/plan"
	"golang.org/x/time/rate"
)

// An account is what has become of one token.
type account struct {
	token   string
	user    *plan.User    // nil unless the token has a user of its own
	own     script        // of the user's replies
	limiter *rate.Limiter // nil until the rate limit of the user is used
	queue   script        // of the replies that were enqueued, which are played first

	*Counts
	turns   int           // requests that were not refused
	latest  int           // the number in the journal of the latest request
	held    *Hold         // nil if no request of the token waits for its release
	element *list.Element // in the list of unknown tokens; nil for others
}

// Counts are of the requests that carried a token, since they were last cleared. Clearing
// makes new ones: a request that arrived before it does not count when it is answered.
type Counts struct {
	Arrived  int
	Matched  int // they matched the route
	Answered int // their entries in the journal are complete
}

// accounts are the accounts of all tokens with a user, of requests without a token, which is
// the empty one, and of the unknown tokens that sent requests most recently.
type accounts struct {
	byToken map[string]*account
	users   []*account // of tokens with a user, as they were given
	unknown list.List  // the most recent first; the empty token is not in it, and never forgotten
}

const (
	// maxUnknown is how many unknown tokens are remembered.
	maxUnknown = 10_000

	// longestUnknown is how many bytes an unknown token may have to be remembered. A longer
	// one is answered like any other, and leaves nothing behind.
	longestUnknown = 256
)

// newAccounts makes the accounts of the users of a snapshot.
func newAccounts(p *plan.Snapshot) *accounts {
	a := &accounts{byToken: make(map[string]*account, len(p.Users))}
	for _, u := range p.Users {
		a.setUser(u.Token, u)
	}
	return a
}

// arrive counts a request, and returns the account of its token.
func (a *accounts) arrive(token string, matched bool) *account {
	n := a.byToken[token]
	switch {
	case n == nil:
		n = a.add(strings.Clone(token)) // the clone does not keep the whole header line in memory
		a.makeUnknown(n)
	case n.element != nil:
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
	n := &account{token: token, Counts: &Counts{}}
	a.byToken[token] = n
	return n
}

// makeUnknown lists an account without a user among those of unknown tokens. It removes the
// least recent one if there are too many, and an account whose token is too long.
func (a *accounts) makeUnknown(n *account) {
	if n.token == "" {
		return
	}
	n.element = a.unknown.PushFront(n)
	if len(n.token) > longestUnknown {
		a.remove(n)
	} else if a.unknown.Len() > maxUnknown {
		a.remove(a.unknown.Back().Value.(*account))
	}
}

// remove removes an account, and releases its requests.
func (a *accounts) remove(n *account) {
	n.release()
	delete(a.byToken, n.token)
	a.unlist(n)
}

// unlist takes an account off the list that it is in.
func (a *accounts) unlist(n *account) {
	if n.user != nil {
		a.users = slices.DeleteFunc(a.users, func(other *account) bool { return other == n })
	} else if n.element != nil {
		a.unknown.Remove(n.element)
		n.element = nil
	}
}

// known returns the account of a token with a user of its own, or nil.
func (a *accounts) known(token string) *account {
	if n := a.byToken[token]; n != nil && n.user != nil {
		return n
	}
	return nil
}

// listed returns the accounts of all tokens with a user of their own: first those of a
// snapshot, in its order, then the others, as they were given.
func (a *accounts) listed(p *plan.Snapshot) (all []*account) {
	for _, u := range p.Users {
		if n := a.known(u.Token); n != nil {
			all = append(all, n)
		}
	}
	for _, n := range a.users {
		if p.User(n.token) == nil {
			all = append(all, n)
		}
	}
	return all
}

// setUser gives a token a user, whose replies and rate limit start from the beginning. The
// token keeps its counts, and the replies that were enqueued.
func (a *accounts) setUser(token string, u *plan.User) *account {
	n := a.byToken[token]
	if n == nil {
		n = a.add(token)
	}
	if n.user == nil {
		a.unlist(n)
		a.users = append(a.users, n)
	}
	n.user, n.own, n.limiter = u, script{replies: u.Replies}, nil
	return n
}

// removeUser removes the user of an account and the replies that were enqueued, and releases
// its requests. The token keeps its counts.
func (a *accounts) removeUser(n *account) {
	n.release()
	a.unlist(n)
	n.user, n.own, n.limiter, n.queue = nil, script{}, nil, script{}
	a.makeUnknown(n)
}

// clear makes an account one whose token has sent nothing, and releases its requests. It keeps
// its place among the users, or among unknown tokens.
func (n *account) clear() {
	n.release()
	*n = account{token: n.token, user: n.user, element: n.element, Counts: &Counts{}}
}

// isMade reports whether the user of an account is that of unknown tokens, which Enqueue gave
// to the token.
func (n *account) isMade() bool { return n.user != nil && n.user.Token == "" }
