package engine

import (
	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fixtures/text"
)

// userOf returns the user that a token gets by the users that are given now. It ignores the user
// that the account of the token has kept: see userNow. userOf takes the first of three users. The
// first is the user that was given for exactly this token. The second is the user of the token
// before a tilde: for flaky~a~1, first of flaky~a, then of flaky. The third is the user of unknown
// tokens, which is nil if unknown tokens are rejected. Without a token there is no user.
//
// The result isRun is true for the second user: for example, if the token is demo~1 and the user
// was given for demo.
func (all *accounts) userOf(token string) (user *plan.User, isRun bool) {
	if token == "" {
		return nil, false
	}
	for userToken := range text.UserTokens(token) {
		given := all.givenUser(userToken)
		if given != nil {
			return given, userToken != token
		}
	}
	return all.userOfUnknown(), false
}

// userOfUnknown returns the user of unknown tokens. With the setting "unknown_tokens: like demo",
// this is the user demo. With the setting generate or upstream, this is the UnknownUser of the
// snapshot. If unknown tokens are rejected, userOfUnknown returns nil.
func (all *accounts) userOfUnknown() *plan.User {
	user := all.givenUser(all.snapshot.Like)
	if user == nil {
		return all.snapshot.UnknownUser
	}
	return user
}

// userNow returns the user that answers the next request of an account; see userOf for isRun. Once
// a user has answered a request for the campaigns, the token keeps this user. A reset, a reload, or
// a change of the token's own user ends this.
func (all *accounts) userNow(a *account) (user *plan.User, isRun bool) {
	if a.user != nil {
		return a.user, a.isRun
	}
	return all.userOf(a.token)
}

// keepUser stores in an account the user that answers its next request. From then on, the account
// keeps this user; see userNow. Without such a user, keepUser changes nothing.
func (all *accounts) keepUser(a *account) {
	if a.user != nil {
		return
	}
	user, isRun := all.userOf(a.token)
	if user == nil {
		return
	}
	a.user = user
	a.isRun = isRun
	a.userReplies = script{replies: user.Replies}
}

// forgetUser removes the user from an account. At its next request, the account chooses a user
// anew. The replies and the rate limit of the chosen user then start from the beginning.
func (a *account) forgetUser() {
	a.user = nil
	a.isRun = false
	a.userReplies = script{}
	a.limiter = nil
	holding := a.holdingReply()
	if holding != nil && !holding.Enqueued {
		a.hold.reply = nil // requests that are held already still wait for the release
	}
}

// forgetChangedUsers compares the user of each account with the user that the account would choose
// now. If the two differ, the account forgets its user, and chooses anew at its next request.
func (all *accounts) forgetChangedUsers() {
	for _, a := range all.byToken {
		user, _ := all.userOf(a.token)
		if a.user != user {
			a.forgetUser()
		}
	}
}

// repliesOf returns the replies that are left to play for an account, without the enqueued replies.
// They are the replies of the account's user. If the account has no user yet, repliesOf takes the
// user that the account would choose now.
func (all *accounts) repliesOf(a *account) script {
	if a.user != nil {
		return a.userReplies
	}
	user, _ := all.userOf(a.token)
	if user == nil {
		return script{}
	}
	return script{replies: user.Replies}
}

// isKnown reports whether the token of an account is known. A token is known if somebody has given
// it a user or replies. A token such as flaky~1 is also known if its user was given for flaky. The
// argument isRun is the result isRun of userNow.
func (a *account) isKnown(isRun bool) bool {
	return a.pinned || isRun
}

// knows reports whether a token is known; see isKnown.
func (all *accounts) knows(token string) bool {
	a := all.of(token)
	_, isRun := all.userNow(a)
	return a.isKnown(isRun)
}
