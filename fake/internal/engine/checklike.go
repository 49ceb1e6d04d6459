package engine

import (
	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fixtures"
)

// checkLike returns the mistakes if a user that is to be given is like a token that no user has, or
// if a user would be like one that is like another itself.
func (all *accounts) checkLike(given *plan.User) error {
	if given.Fixture.Like == "" || all.canBeLike(given) {
		return nil
	}
	set := fixtures.Set{Users: all.likesBeside(given)}
	return set.Check()
}

// canBeLike reports whether nothing is wrong with the token that a user is like. It goes through
// the users once and keeps nothing. A set of all of them is only made, to find the mistakes, if
// something is wrong.
func (all *accounts) canBeLike(given *plan.User) bool {
	other := all.ownUser(given.Fixture.Like)
	if other == nil || other.Fixture.Like != "" || other.Token == given.Token {
		return false
	}
	for _, a := range all.pinned {
		if a.ownUser != nil && a.ownUser.Fixture.Like == given.Token {
			return false
		}
	}
	return true
}

// likesBeside returns the users of all tokens that have one of their own, and a user that is to be
// given. They have nothing but the key like, and only those have that which are a mistake because
// of the one that is given. The user that another one is like may have been removed before.
func (all *accounts) likesBeside(given *plan.User) map[string]fixtures.User {
	likes := make(map[string]fixtures.User)
	for _, a := range all.pinned {
		if a.ownUser == nil {
			continue
		}
		like := a.ownUser.Fixture.Like
		isOther := a.token == given.Fixture.Like
		isLikeGiven := like == given.Token
		if isOther || isLikeGiven {
			likes[a.token] = fixtures.User{Like: like}
		} else {
			likes[a.token] = fixtures.User{}
		}
	}
	likes[given.Token] = fixtures.User{Like: given.Fixture.Like}
	return likes
}
