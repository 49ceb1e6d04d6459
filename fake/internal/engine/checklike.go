package engine

import (
	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fixtures"
)

// checkLike returns the mistakes if a user that is to be given is like a token that no user has, or
// if a user would be like one that is like another itself.
func (all *accounts) checkLike(given *plan.User) error {
	if given.Fixture.Like == "" {
		return nil
	}
	set := fixtures.Set{Users: all.concernedBy(given)}
	return set.Check()
}

// concernedBy returns a user that is to be given, and is like another, with the users that its key
// like concerns: the one that it names, and those that are like the given one. If the one that it
// names cannot be that, the users of all other tokens are added, since the mistake suggests one.
//
// The users have their key like alone. The rest of them was checked when they were given. Those
// that are added have nothing: the one that they are like may have been removed since, which is no
// mistake of the user that is given.
func (all *accounts) concernedBy(given *plan.User) map[string]fixtures.User {
	named := all.ownUser(given.Fixture.Like)
	isMistake := named == nil || named.Fixture.Like != ""
	users := make(map[string]fixtures.User)
	for _, a := range all.pinned {
		if a.ownUser == nil {
			continue
		}
		like := a.ownUser.Fixture.Like
		isNamed := a.token == given.Fixture.Like
		isLikeGiven := like == given.Token
		switch {
		case isNamed || isLikeGiven:
			users[a.token] = fixtures.User{Like: like}
		case isMistake:
			users[a.token] = fixtures.User{}
		}
	}
	users[given.Token] = fixtures.User{Like: given.Fixture.Like}
	return users
}
