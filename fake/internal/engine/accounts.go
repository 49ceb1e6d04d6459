package engine

import (
	"container/list"
	"slices"

	"example.com/campaignfake/fake/internal/plan"
	"golang.org/x/time/rate"
)

// An account is the state of one token.
type account struct {
	token string
	given *plan.User // the user given to exactly this token, or nil; see giveUser

	// These fields belong to the user that answered the token's first request for the campaigns.
	// They are zero before this request.
	user        *plan.User
	isRun       bool // true for the token flaky~1 if the user was given for flaky
	userReplies script
	limiter     *rate.Limiter // the rate limit of the user; nil until its first use

	queue script // the enqueued replies; they are played before the replies of the user

	counts *Counts
	turns  int           // the highest Number of a Turn so far
	hold   *Hold         // nil if no request of the token is held
	pinned bool          // the account is in accounts.pinned
	recent *list.Element // its place in accounts.recent; nil if it is not in that list
}

// Counts count the requests that carried a token since the counts were last cleared. To clear them,
// the engine makes new Counts. A request that arrived before the clearing, but is answered later,
// counts as answered in the old Counts only, which nobody reads.
type Counts struct {
	Arrived  int
	Matched  int // how many requests matched the route, or were preflights
	Answered int // how many requests have a complete entry in the journal
}

// accounts has the accounts of all tokens, and two lists of accounts:
//
//   - pinned has each account whose token was given a user or replies, until somebody removes them.
//   - recent has the other accounts, of tokens that have only sent requests. If there are more than
//     maxRecent, the least recent account is forgotten.
//
// Requests without a token have the account of the empty token. This account is in neither list,
// and is never forgotten.
type accounts struct {
	snapshot *plan.Snapshot // the snapshot in force
	byToken  map[string]*account
	pinned   []*account // in the order in which the accounts were pinned
	recent   list.List  // the most recent first

	// mayBreak is true once somebody has given a reply whose fault breaks the connection, and whose
	// Times is not Always. It stays true after the reply was played: see Engine.Breaks.
	mayBreak bool
}

// maxRecent bounds the list accounts.recent: the accounts of tokens that have only sent requests.
const maxRecent = 10_000

// newAccounts makes an account for each user of a snapshot.
func newAccounts(snapshot *plan.Snapshot) *accounts {
	all := &accounts{
		snapshot: snapshot,
		byToken:  make(map[string]*account, len(snapshot.Users)),
	}
	for _, user := range snapshot.Users {
		all.giveUser(all.of(user.Token), user)
	}
	return all
}

// of returns the account of a token. For a token without an account it makes a new account, which
// is in no list yet.
func (all *accounts) of(token string) *account {
	remembered := all.byToken[token]
	if remembered != nil {
		return remembered
	}
	return &account{token: token, counts: &Counts{}}
}

// givenUser returns the user that was given to exactly this token. It returns nil if there is none.
// The token of a run, such as demo~1, mostly has none.
func (all *accounts) givenUser(token string) *plan.User {
	a := all.byToken[token]
	if a == nil {
		return nil
	}
	return a.given
}

// giveUser gives a user to the token of an account. If user.Token is another token, the two tokens
// share this user, which never changes. To the outside the account then has a copy of the user of
// the other token. The account keeps its counts and its enqueued replies.
func (all *accounts) giveUser(a *account, user *plan.User) {
	a.given = user
	all.pin(a, user.Replies)
	a.forgetUser()
}

// removeUser removes the user and the replies that were given for the token of an account, and
// releases the held requests of the token. The counts stay.
func (all *accounts) removeUser(a *account) {
	a.given = nil
	a.forgetUser()
	a.releaseHeld()
	a.dropQueue()
	all.unpin(a)
}

// pin makes sure that an account is not forgotten, because somebody has given its token a user or
// replies. The argument `replies` has the replies of this user, or the enqueued replies. If a fault
// in `replies` may break a connection, pin also sets mayBreak.
func (all *accounts) pin(a *account, replies []*plan.Reply) {
	if plan.MayBreak(replies) {
		all.mayBreak = true
	}
	if a.pinned {
		return
	}
	all.forget(a)
	a.pinned = true
	all.byToken[a.token] = a
	all.pinned = append(all.pinned, a)
}

// unpin moves a pinned account to the list of recent accounts. The caller has removed the user and
// the enqueued replies of its token.
func (all *accounts) unpin(a *account) {
	all.forget(a)
	all.touch(a)
}

// touch puts an account first in the list of recent accounts. If the list is too long, touch
// forgets the last account in it. A pinned account is never in this list, so touch leaves it alone.
// The account of the empty token is not in the list either: touch only stores it.
func (all *accounts) touch(a *account) {
	switch {
	case a.pinned:
		return
	case a.token == "":
		all.byToken[""] = a
		return
	case a.recent != nil:
		all.recent.MoveToFront(a.recent)
		return
	}
	a.recent = all.recent.PushFront(a)
	all.byToken[a.token] = a
	if all.recent.Len() > maxRecent {
		oldest := all.recent.Back().Value.(*account)
		oldest.releaseHeld()
		all.forget(oldest)
	}
}

// mostRecent yields the recent accounts, the most recent first.
func (all *accounts) mostRecent(yield func(*account) bool) {
	for element := all.recent.Front(); element != nil; element = element.Next() {
		if !yield(element.Value.(*account)) {
			return
		}
	}
}

// forget takes an account out of its list: the next request of its token gets a new account.
func (all *accounts) forget(a *account) {
	if a.pinned {
		all.pinned = slices.DeleteFunc(all.pinned, func(other *account) bool { return other == a })
		a.pinned = false
	}
	if a.recent != nil {
		all.recent.Remove(a.recent)
		a.recent = nil
	}
	delete(all.byToken, a.token)
}
