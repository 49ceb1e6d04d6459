package engine

import (
	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fixtures/text"
)

// A source is why a token has its user.
type source int

const (
	ofNobody  source = iota // it has none
	ofItself                // the user was set for it, or is the one that its key like names
	ofToken                 // the user is that of the token before its first tilde
	ofUnknown               // the user is that of unknown tokens
)

// userOf returns the user that a token has if it chooses one now, and why. It takes the first of
// these:
//
//  1. Without a token there is no user.
//  2. The user that was set for the token. If that has the key like, it is the user of the token
//     that the key names.
//  3. The user that was set for the token before the first tilde, in the same way.
//  4. The user of unknown tokens.
//  5. None.
//
// It depends on the users that are set, and on the snapshot: not on what other accounts have
// chosen.
func (all *accounts) userOf(token string) (*plan.User, source) {
	if token == "" {
		return nil, ofNobody
	}
	user := all.setFor(token)
	if user != nil {
		return user, ofItself
	}
	base, _, _ := text.CutLike(token)
	user = all.setFor(base)
	if user != nil {
		return user, ofToken
	}
	user = all.userOfUnknown()
	if user != nil {
		return user, ofUnknown
	}
	return nil, ofNobody
}

// setFor returns the user that was set for a token. If that has the key like, it is the user of the
// token that the key names. It returns nil if there is none.
func (all *accounts) setFor(token string) *plan.User {
	user := all.ownUser(token)
	if user == nil || user.Fixture.Like == "" {
		return user
	}
	other := all.namedByLike(user.Fixture.Like)
	if other == nil || other.Fixture.Like != "" { // since it was reset, it may be like a third
		return nil
	}
	return other
}

// namedByLike returns the user of a token that the key like of another user names. If that was
// removed, it is the one of the start. It returns nil if the token had none then.
func (all *accounts) namedByLike(token string) *plan.User {
	user := all.ownUser(token)
	if user == nil {
		return all.snapshot.User(token)
	}
	return user
}

// userOfUnknown returns the user that unknown tokens have: that of a token which they are like, or
// the one that is made for them. It returns nil if they are rejected.
func (all *accounts) userOfUnknown() *plan.User {
	user := all.setFor(all.snapshot.Like)
	if user == nil {
		return all.snapshot.UnknownUser
	}
	return user
}

// chooseUser has an account choose its user anew, unless a request has taken its turn with the one
// that it has. From then on it keeps that until it is reset, until the fixtures are read again, or
// until a user is set or removed for its own token.
//
// It is called for an account that is looked at. When a user is set, the other accounts do not
// choose anew: each would look up the users of two tokens, for every user that is set.
func (all *accounts) chooseUser(a *account) {
	if !a.keepsUser {
		a.startAs(all.userOf(a.token))
	}
}

// chooseAllUsers has each account choose its user anew. One that chooses the same goes on with it.
func (all *accounts) chooseAllUsers() {
	for _, a := range all.byToken {
		user, source := all.userOf(a.token)
		if a.user != user || a.source != source {
			a.startAs(user, source)
		}
	}
}

// startAs makes an account one of a user, nil for none, whose replies and rate limit start from
// the beginning.
func (a *account) startAs(user *plan.User, source source) {
	a.user = user
	a.source = source
	a.keepsUser = false
	a.userReplies = script{}
	a.limiter = nil
	holding := a.holdingReply()
	if holding != nil && !holding.Enqueued {
		a.hold.reply = nil // requests that have arrived wait on
	}
	if user != nil {
		a.userReplies.replies = user.Replies
	}
}

// isLikeNobody reports whether a user was set for the token of an account that has none: the user
// is like one that was removed since, or like one that is like another since it was reset.
func (a *account) isLikeNobody() bool {
	return a.user == nil && a.ownUser != nil
}

// isKnown reports whether the token is not an unknown one: something was given for it, or it is
// like the user before its tilde.
func (a *account) isKnown() bool {
	return a.pinned || a.source == ofToken
}
