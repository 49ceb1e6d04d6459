package engine

import (
	"container/list"
	"strings"

	"example.com/campaignfake/fake/internal/plan"
	"golang.org/x/time/rate"
)

// An account is what has become of one token.
type account struct {
	token   string
	user    *plan.User    // that of the token, or of another which it is like; nil if there is none
	known   bool          // the token is not an unknown one
	own     script        // of the user's replies
	limiter *rate.Limiter // nil until the rate limit of the user is used
	queue   script        // of the replies that were enqueued, which are played first

	*Counts
	turns   int        // requests that were not refused
	latest  int        // the number in the journal of the latest request
	held    *Hold      // nil if no request of the token waits for its release
	in      *list.List // of accounts, nil if it is in none
	element *list.Element
}

// Counts are of the requests that carried a token, since they were last cleared. Clearing
// makes new ones: a request that arrived before it does not count when it is answered.
type Counts struct {
	Arrived  int
	Matched  int // they matched the route
	Answered int // their entries in the journal are complete
}

// accounts are the accounts of all tokens. Each is in one of two lists, save that of requests
// without a token, which is the empty one, and never forgotten.
type accounts struct {
	byToken map[string]*account
	users   list.List // those with a user or replies that were given for them, the latest first
	others  list.List // those that have only sent requests, the most recent first
}

const (
	// maxOthers is how many tokens are remembered that have only sent requests.
	maxOthers = 10_000

	// longestOther is how many bytes such a token may have to be remembered. A longer one is
	// answered like any other, and leaves nothing behind.
	longestOther = 256
)

// newAccounts makes the accounts of the users of a snapshot.
func newAccounts(p *plan.Snapshot) *accounts {
	a := &accounts{byToken: make(map[string]*account, len(p.Users))}
	for _, u := range p.Users {
		a.give(a.of(u.Token, p), u)
	}
	return a
}

// of returns the account of a token. One that is new is in no list yet. A token without a user
// of its own gets that which it is like, of those that are there now.
func (a *accounts) of(token string, p *plan.Snapshot) *account {
	n := a.byToken[token]
	if n == nil {
		n = &account{token: strings.Clone(token), Counts: &Counts{}} // the clone does not keep a whole header in memory
	}
	if n.user == nil && token != "" {
		a.like(n, p)
	}
	return n
}

// like gives an account without a user of its own that which its token is like, from the
// beginning, unless it has that already.
func (a *accounts) like(n *account, p *plan.Snapshot) {
	if u, known := a.likeness(n.token, p); u != n.user {
		n.use(u, known || n.in == &a.users)
	}
}

// likeness returns the user that a token is like which has none of its own: that of the token
// before its first tilde, which makes it a known one, or else that of unknown tokens. It
// returns nil if these are rejected.
func (a *accounts) likeness(token string, p *plan.Snapshot) (u *plan.User, known bool) {
	base, _, hasTilde := strings.Cut(token, "~")
	if n := a.byToken[base]; hasTilde && n.isOwn() {
		return n.user, true
	}
	if n := a.byToken[p.Like]; n.isOwn() {
		return n.user, false
	}
	return p.UnknownUser, false
}

// isOwn reports whether there is an account whose user was given for its token.
func (n *account) isOwn() bool { return n != nil && n.user != nil && n.user.Token == n.token }

// size returns the bytes of the body in which the user of an account came.
func (n *account) size() int64 {
	if n.isOwn() {
		return n.user.Size
	}
	return 0
}

// use gives an account a user, whose replies and rate limit start from the beginning, or none.
func (n *account) use(u *plan.User, known bool) {
	n.user, n.known, n.own, n.limiter = u, known, script{}, nil
	if u != nil {
		n.own.replies = u.Replies
	}
}

// remember makes an account the most recent of those that have only sent requests, unless it
// has a user or replies. It removes the least recent one if there are too many, and an account
// whose token is too long.
func (a *accounts) remember(n *account) {
	switch {
	case n.in == &a.users:
	case n.token == "":
		a.byToken[""] = n
	case len(n.token) > longestOther:
		a.remove(n)
	case n.in == &a.others:
		a.others.MoveToFront(n.element)
	default:
		a.move(n, &a.others)
		if a.others.Len() > maxOthers {
			a.remove(a.others.Back().Value.(*account))
		}
	}
}

// move puts an account at the front of another list, or into none.
func (a *accounts) move(n *account, to *list.List) {
	if n.in != nil {
		n.in.Remove(n.element)
	}
	if n.in = to; to != nil {
		n.element, a.byToken[n.token] = to.PushFront(n), n
	}
}

// remove removes an account, and releases its requests.
func (a *accounts) remove(n *account) {
	n.release()
	a.move(n, nil)
	delete(a.byToken, n.token)
}

// listed returns the accounts of all tokens with a user or replies that were given for them, in
// the order in which they were.
func (a *accounts) listed() (all []*account) {
	for element := a.users.Back(); element != nil; element = element.Prev() {
		all = append(all, element.Value.(*account))
	}
	return all
}

// give gives an account a user of its own. It keeps its counts, and the replies that were enqueued.
func (a *accounts) give(n *account, u *plan.User) {
	n.use(u, true)
	a.keep(n)
}

// keep makes an account one that is not forgotten.
func (a *accounts) keep(n *account) {
	n.known = true
	if n.in != &a.users {
		a.move(n, &a.users)
	}
}

// removeUser removes the user of an account and the replies that were enqueued, and releases
// its requests. The token keeps its counts.
func (a *accounts) removeUser(n *account) {
	n.release()
	n.use(nil, false)
	n.queue = script{}
	a.move(n, nil)
	a.remember(n)
}
