package engine

import (
	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fixtures/text"
)

// A source is why a token has its user.
type source int

const (
	ofNobody  source = iota // it has none
	ofItself                // the user was given for it
	ofRun                   // the token is a run of the user
	ofUnknown               // the user is that of unknown tokens
)

// userOf returns the user that a token without a past has, and why. It takes the first of these:
//
//  1. Without a token there is no user.
//  2. The user that was given for the token.
//  3. The user that was given for what stands before a tilde of the token, the last tilde first.
//  4. The user of unknown tokens.
//  5. None.
func (all *accounts) userOf(token string) (*plan.User, source) {
	if token == "" {
		return nil, ofNobody
	}
	for userToken := range text.UserTokens(token) {
		user := all.givenUser(userToken)
		if user == nil {
			continue
		}
		if userToken == token {
			return user, ofItself
		}
		return user, ofRun
	}
	user := all.userOfUnknown()
	if user == nil {
		return nil, ofNobody
	}
	return user, ofUnknown
}

// userOfUnknown returns the user that unknown tokens have: the one that they are like, or the one
// that is made for them. It returns nil if they are rejected.
func (all *accounts) userOfUnknown() *plan.User {
	user := all.givenUser(all.snapshot.Like)
	if user == nil {
		return all.snapshot.UnknownUser
	}
	return user
}

// userNow returns the user that answers the next request of an account, and why. A token keeps the
// user that answered its first request for the campaigns until it is reset, until the fixtures are
// read again, or until a user is given to it or removed.
func (all *accounts) userNow(a *account) (*plan.User, source) {
	if a.user != nil {
		return a.user, a.source
	}
	return all.userOf(a.token)
}

// keepUser has an account keep the user that answers its next request, if there is one.
func (all *accounts) keepUser(a *account) {
	if a.user != nil {
		return
	}
	user, source := all.userOf(a.token)
	if user == nil {
		return
	}
	a.user = user
	a.source = source
	a.userReplies = script{replies: user.Replies}
}

// forgetUser has an account choose its user anew at its next request. The user's replies and rate
// limit start from the beginning then.
func (a *account) forgetUser() {
	a.user = nil
	a.source = ofNobody
	a.userReplies = script{}
	a.limiter = nil
	holding := a.holdingReply()
	if holding != nil && !holding.Enqueued {
		a.hold.reply = nil // requests that have arrived wait on
	}
}

// forgetChangedUsers has each account choose its user anew if that would be another one now.
func (all *accounts) forgetChangedUsers() {
	for _, a := range all.byToken {
		user, source := all.userOf(a.token)
		if a.user != user || a.source != source {
			a.forgetUser()
		}
	}
}

// repliesOf returns the replies of its user that an account has left to play.
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

// isKnown reports whether an account that has its user for a reason is not that of an unknown
// token: something was given for it, or it is a run of a user.
func (a *account) isKnown(why source) bool {
	return a.pinned || why == ofRun
}

// knows reports whether a token is not an unknown one.
func (all *accounts) knows(token string) bool {
	a := all.of(token)
	_, source := all.userNow(a)
	return a.isKnown(source)
}
