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

// An account is what the state holds for one token.
type account struct {
	token string
	user  *user // nil for an unknown token where those are rejected
	known bool  // it has a user of its own, not that of unknown tokens
	made  bool  // the user is a copy of that of unknown tokens, made by enqueue
	place int   // in the list of users

	*counts // both are shared with the accounts of the same token that this one replaces
	*numbers
	script  script
	limiter *rate.Limiter // nil until the rate limit is used

	unknown *list.Element // in the list of unknown tokens; nil for others
}

// counts are of the requests that carried a token, since they were last cleared. Clearing
// makes new ones: a request that arrived before it does not count when it is answered.
type counts struct {
	arrived  int
	matched  int // they matched the route
	answered int // their entries in the journal are complete
}

// numbers count the requests of a token, on which draws depend, and remember its latest
// entries in the journal. They outlive its user: a request that arrived before the user
// was replaced counts, too.
type numbers struct {
	turns     int // requests that were not refused and had no Prefer header
	preferred int // requests with a Prefer header
	received  int // the number in the journal of the latest request
	answered  int // and of the latest request that has its answer
}

func newAccount(token string) *account {
	return &account{token: token, counts: &counts{}, numbers: &numbers{}}
}

// accounts are the accounts of all known tokens, and of the unknown tokens that
// sent requests most recently. state.mu must be held.
type accounts struct {
	byToken     map[string]*account
	unknown     list.List // the most recent first
	unknownUser *user     // nil if unknown tokens are rejected
	bytes, most int       // of the unknown tokens
	given       int       // users that were added to those of the snapshot
	tokens      []string  // of all users; nil if that has changed since users was called
}

const (
	// maxUnknown is how many unknown tokens are remembered.
	maxUnknown = 10_000

	// unknownBytes is what one of them takes besides its bytes.
	unknownBytes = 400

	// afterSnapshot is greater than the place of any user of a snapshot.
	afterSnapshot = 1 << 30
)

func newAccounts(p *snapshot, limits Limits) accounts {
	a := accounts{most: limits.Unknown, byToken: make(map[string]*account, len(p.users)), unknownUser: p.unknownUser}
	for _, u := range p.users {
		n := newAccount(u.token)
		n.user, n.known, n.place = u, true, u.place
		a.byToken[u.token] = n
	}
	return a
}

// arrive counts a request, and returns the account of its token. Requests without a
// token have the empty token.
func (a *accounts) arrive(token string, matched bool) *account {
	n := a.byToken[token]
	switch {
	case n == nil && token == "":
		n = newAccount("")
		a.byToken[token] = n
	case n == nil:
		// The clone does not keep the whole header line in memory.
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

// addUnknown adds an account of an unknown token. If there are too many, it removes
// the least recent one.
func (a *accounts) addUnknown(n *account) *account {
	n.user = a.unknownUser
	n.unknown = a.unknown.PushFront(n)
	a.byToken[n.token] = n
	a.bytes += len(n.token) + unknownBytes
	for a.unknown.Len() > maxUnknown || a.bytes > a.most && a.unknown.Len() > 1 {
		a.remove(a.unknown.Back().Value.(*account))
	}
	return n
}

func (a *accounts) remove(n *account) {
	delete(a.byToken, n.token)
	if n.unknown != nil {
		a.unknown.Remove(n.unknown)
		a.bytes -= len(n.token) + unknownBytes
	}
}

// known returns the account of a token with a user of its own, or nil.
func (a *accounts) known(token string) *account {
	if n := a.byToken[token]; n != nil && n.known {
		return n
	}
	return nil
}

// listed returns the accounts of all tokens with a user of their own, in order.
func (a *accounts) listed() (all []*account) {
	for _, n := range a.byToken {
		if n.known {
			all = append(all, n)
		}
	}
	slices.SortFunc(all, func(a, b *account) int { return cmp.Compare(a.place, b.place) })
	return all
}

// users returns the tokens of all users that were given. The slice is never changed.
func (a *accounts) users() []string {
	if a.tokens == nil {
		a.tokens = []string{}
		for _, n := range a.listed() {
			if !n.made {
				a.tokens = append(a.tokens, n.token)
			}
		}
	}
	return a.tokens
}

// set gives a token a user; nil removes it. The token keeps its counts and, with a
// user, the replies that were enqueued. The user's own replies and rate limit start
// again.
func (a *accounts) set(token string, u *user) *account {
	a.tokens = nil
	n := newAccount(token)
	if old := a.byToken[token]; old != nil {
		n.counts, n.numbers = old.counts, old.numbers
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

// nextPlace returns a place after all users.
func (a *accounts) nextPlace() int {
	a.given++
	return afterSnapshot + a.given
}

// restart puts a token back to its state at the start, with the given user or none.
func (a *accounts) restart(token string, u *user) {
	n := a.byToken[token]
	if u == nil && (n == nil || token == "") {
		a.forget(token)
		return
	}
	n = a.set(token, u)
	*n = account{
		token: token, user: n.user, known: n.known, place: n.place, unknown: n.unknown,
		counts: &counts{}, numbers: &numbers{},
	}
	if u != nil {
		n.place = u.place
	}
}

// forget sets the counts of a token to 0.
func (a *accounts) forget(token string) {
	if n := a.byToken[token]; n != nil {
		n.counts = &counts{}
	}
}

// replace changes from one snapshot to the next. A token keeps its state if its user
// is unchanged, or was set or removed since the start.
func (a *accounts) replace(before, next *snapshot, unchanged map[string]bool) {
	a.unknownUser = next.unknownUser
	for _, old := range before.users {
		n := a.byToken[old.token]
		switch now := next.user(old.token); {
		case n == nil || n.user != old: // it was set or removed since
		case now == nil:
			a.set(old.token, nil)
		case unchanged[old.token]:
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

// limit counts a request against the rate limit. If the limit is reached, it returns
// the whole seconds until the next request is allowed.
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
	// Rounding errors must not add a second.
	return max(1, int(math.Ceil(missing-1e-9)))
}
