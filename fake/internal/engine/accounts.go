package engine

import (
	"cmp"
	"container/list"
	"slices"
	"strings"

	"example.com/campaignfake/fake/internal/plan"
	"golang.org/x/time/rate"
)

// An account is what has become of one token.
type account struct {
	token   string
	user    *plan.User    // that of the token, or of another which it is like; nil if there is none
	own     script        // of the user's replies
	limiter *rate.Limiter // nil until the rate limit of the user is used
	queue   script        // of the replies that were enqueued, which are played first

	*Counts
	turns  int           // requests that were not refused
	latest int           // the number in the journal of the latest request
	held   *Hold         // nil if no request of the token waits for its release
	kept   bool          // it is one of the users of accounts
	recent *list.Element // of their others; nil if it is none of them
}

// Counts are of the requests that carried a token, since they were last cleared. Clearing
// makes new ones: a request that arrived before it does not count when it is answered.
type Counts struct {
	Arrived  int
	Matched  int // they matched the route, or were preflights
	Answered int // their entries in the journal are complete
}

// accounts are the accounts of all tokens. Each is in one of two lists, save that of requests
// without a token, which is the empty one, and never forgotten.
type accounts struct {
	byToken map[string]*account
	users   []*account // those with a user or replies that were given for them, in that order
	others  list.List  // those for which nothing is given, the most recent first

	mayBreak bool // one of the replies given so far may end its connection before an answer
}

const (
	// maxOthers is how many tokens are remembered that have only sent requests.
	maxOthers = 10_000

	// longestOther is how many bytes such a token may have to be remembered, as those of
	// logins (JWT) do. A longer one is answered like any other, and leaves nothing behind.
	longestOther = 2048
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
		n = &account{token: token, Counts: &Counts{}}
	}
	if n.user == nil {
		n.use(a.likeness(token, p))
	}
	return n
}

// likeness returns the user that a token is like which has none of its own: that of the token
// before its first tilde, or else that of unknown tokens. It returns nil if these are rejected.
func (a *accounts) likeness(token string, p *plan.Snapshot) *plan.User {
	base, _, hasTilde := strings.Cut(token, "~")
	switch u := a.byToken[base].ownUser(); {
	case token == "":
		return nil
	case hasTilde && u != nil:
		return u
	}
	return a.unknownUser(p)
}

// unknownUser returns the user that unknown tokens get. It returns nil if these are rejected.
func (a *accounts) unknownUser(p *plan.Snapshot) *plan.User {
	return cmp.Or(a.byToken[p.Like].ownUser(), p.UnknownUser)
}

// ownUser returns the user that was given for the token of an account, nil if there is none.
func (n *account) ownUser() *plan.User {
	if n == nil || n.user == nil || n.user.Token != n.token {
		return nil
	}
	return n.user
}

// known reports whether the token is not an unknown one: something was given for it, or it is
// like the user before its tilde.
func (n *account) known() bool {
	base, _, _ := strings.Cut(n.token, "~")
	return n.kept || base != "" && n.user != nil && n.user.Token == base
}

// use gives an account a user, whose replies and rate limit start from the beginning, or none.
func (n *account) use(u *plan.User) {
	n.user, n.own, n.limiter = u, script{}, nil
	if u != nil {
		n.own.replies = u.Replies
	}
}

// give gives an account a user of its own. If that is nil, it takes away all that was given for the
// token, and releases its requests. The counts stay, and beside a user the replies that were
// enqueued.
func (a *accounts) give(n *account, u *plan.User) {
	n.use(u)
	if u != nil {
		a.keep(n, u.Replies)
		return
	}
	n.release()
	n.queue = script{}
	a.remove(n)
	a.remember(n)
}

// keep makes an account one that is not forgotten, since some replies are given for its token.
func (a *accounts) keep(n *account, given []*plan.Reply) {
	a.mayBreak = a.mayBreak || plan.MayBreak(given)
	if !n.kept {
		a.remove(n)
		n.kept, a.byToken[n.token], a.users = true, n, append(a.users, n)
	}
}

// remember makes an account that is not kept the most recent of those that have only sent
// requests, and removes the least recent one if there are too many.
func (a *accounts) remember(n *account) {
	switch {
	case n.kept, len(n.token) > longestOther: // it is not forgotten, or not to be remembered
	case n.token == "":
		a.byToken[""] = n
	case n.recent != nil:
		a.others.MoveToFront(n.recent)
	default:
		n.recent, a.byToken[n.token] = a.others.PushFront(n), n
		if a.others.Len() > maxOthers {
			oldest := a.others.Back().Value.(*account)
			oldest.release()
			a.remove(oldest)
		}
	}
}

// remove removes an account from its list.
func (a *accounts) remove(n *account) {
	switch {
	case n.kept:
		a.users = slices.DeleteFunc(a.users, func(other *account) bool { return other == n })
	case n.recent != nil:
		a.others.Remove(n.recent)
	}
	n.kept, n.recent = false, nil
	delete(a.byToken, n.token)
}
