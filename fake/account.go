package fake

import (
	"cmp"
	"container/list"
	"math"
	"slices"
	"strings"
	"time"

	"golang.org/x/time/rate"
)

// An account is what the server knows of one token.
type account struct {
	token string
	user  *user // nil for an unknown token where those are rejected
	known bool  // it has a user that was given, and is not an unknown token's
	made  bool  // the user was made of an unknown token, since replies were enqueued
	place int   // in the list of users

	arrived int // requests that carried the token
	matched int // those of them that matched the route

	*numbers // shared with the accounts of the same token that this one replaces
	script   script
	limiter  *rate.Limiter // made when there is a limit

	unknown *list.Element // in the list of unknown tokens; nil for others
}

// numbers are those of the latest requests of a token, on which draws depend. They
// outlive its user: a request that arrived before the user was replaced counts, too.
type numbers struct {
	turns     int // requests that were neither refused nor had a Prefer header
	preferred int // requests with a Prefer header
}

func newAccount(token string) *account { return &account{token: token, numbers: &numbers{}} }

// accounts are the accounts of all known tokens, and of the unknown tokens that
// were seen last.
type accounts struct {
	byToken     map[string]*account
	unknown     list.List // the last seen first
	unknownUser *user     // nil if unknown tokens are rejected
	given       int       // how many users were added to those of the snapshot
}

const (
	// maxUnknown is how many unknown tokens are remembered.
	maxUnknown = 10_000

	// afterSnapshot is greater than the place of any user of a snapshot.
	afterSnapshot = 1 << 30
)

func newAccounts(p *snapshot) accounts {
	a := accounts{byToken: make(map[string]*account, len(p.users)), unknownUser: p.unknownUser}
	for _, u := range p.users {
		n := newAccount(u.token)
		n.user, n.known, n.place = u, true, u.place
		a.byToken[u.token] = n
	}
	return a
}

// arrive counts a request, and returns the account of its token. The empty token
// stands for requests without one.
func (a *accounts) arrive(token string, matched bool) *account {
	n := a.byToken[token]
	switch {
	case n == nil && token == "":
		n = newAccount("")
		a.byToken[token] = n
	case n == nil:
		// The token is part of a header line, which need not be kept with it.
		n = a.addUnknown(newAccount(strings.Clone(token)))
	case n.unknown != nil:
		a.unknown.MoveToFront(n.unknown)
	}
	n.arrived++
	if matched {
		n.matched++
	}
	return n
}

// addUnknown adds an account of an unknown token. The one that was not seen for
// longest is forgotten if there are too many.
func (a *accounts) addUnknown(n *account) *account {
	n.user = a.unknownUser
	n.unknown = a.unknown.PushFront(n)
	a.byToken[n.token] = n
	if a.unknown.Len() > maxUnknown {
		a.remove(a.unknown.Back().Value.(*account))
	}
	return n
}

func (a *accounts) remove(n *account) {
	delete(a.byToken, n.token)
	if n.unknown != nil {
		a.unknown.Remove(n.unknown)
	}
}

// known returns the account of a token that has a user that was given, or nil.
func (a *accounts) known(token string) *account {
	if n := a.byToken[token]; n != nil && n.known {
		return n
	}
	return nil
}

// listed returns the accounts of all users that were given, in their order.
func (a *accounts) listed() (all []*account) {
	for _, n := range a.byToken {
		if n.known {
			all = append(all, n)
		}
	}
	slices.SortFunc(all, func(a, b *account) int { return cmp.Compare(a.place, b.place) })
	return all
}

// set gives a token a user; nil takes it away. The counts go on, and so do the
// replies that were enqueued for a user; what the user itself has starts afresh.
func (a *accounts) set(token string, u *user) *account {
	n := newAccount(token)
	if old := a.byToken[token]; old != nil {
		n.arrived, n.matched, n.numbers = old.arrived, old.matched, old.numbers
		n.place = old.place
		if u != nil {
			n.script.queue, n.script.queued = old.script.queue, old.script.queued
		}
		a.remove(old)
		if !old.known {
			n.place = 0
		}
	}
	if u == nil {
		n.place = 0
		return a.addUnknown(n)
	}
	n.user, n.known = u, true
	if n.place == 0 {
		n.place = a.nextPlace()
	}
	a.byToken[token] = n
	return n
}

// nextPlace is behind all users.
func (a *accounts) nextPlace() int {
	a.given++
	return afterSnapshot + a.given
}

// restart gives a token the user that it started with, or none, and forgets all
// that has happened to it.
func (a *accounts) restart(token string, u *user) {
	n := a.byToken[token]
	if u == nil && (n == nil || token == "") { // nothing is known, or nobody has the token
		a.forget(token)
		return
	}
	n = a.set(token, u)
	*n = account{token: token, user: n.user, known: n.known, place: n.place, numbers: &numbers{}, unknown: n.unknown}
	if u != nil {
		n.place = u.place
	}
}

// forget counts the requests of a token from 0 again.
func (a *accounts) forget(token string) {
	if n := a.byToken[token]; n != nil {
		n.arrived, n.matched = 0, 0
	}
}

// replace goes over from one snapshot to the next. A token whose user is the same
// goes on where it was, and so does one whose user was set or removed since.
func (a *accounts) replace(before, next *snapshot) {
	a.unknownUser = next.unknownUser
	for _, old := range before.users {
		n := a.byToken[old.token]
		switch now := next.user(old.token); {
		case n == nil || n.user != old: // it was set or removed since
		case now == nil:
			a.set(old.token, nil)
		case old.given.Equal(now.given):
			n.user, now.exhausted = now, old.exhausted
		default:
			a.set(old.token, now)
		}
	}
	for _, u := range next.users {
		if n := a.byToken[u.token]; before.user(u.token) == nil && (n == nil || !n.known || n.made) {
			a.set(u.token, u)
		}
	}
	for _, n := range a.listed() {
		if u := next.user(n.token); u != nil {
			n.place = u.place
		} else if n.place < afterSnapshot {
			n.place = a.nextPlace()
		}
	}
	for e := a.unknown.Front(); e != nil; e = e.Next() {
		e.Value.(*account).user = a.unknownUser
	}
}

// limit takes a request out of what the rate limit of a user allows. If nothing is
// left, it returns the whole seconds until there is.
func (n *account) limit(allowed *RateLimit) (wait int) {
	if allowed == nil {
		return 0
	}
	if n.limiter == nil {
		n.limiter = rate.NewLimiter(rate.Limit(float64(allowed.Requests)/allowed.Per.Seconds()), allowed.Requests)
	}
	now := time.Now()
	if n.limiter.AllowN(now, 1) {
		return 0
	}
	missing := (1 - n.limiter.TokensAt(now)) / float64(n.limiter.Limit())
	// A second that is missed by less than a tick of the clock is over.
	return max(1, int(math.Ceil(missing-1e-9)))
}
