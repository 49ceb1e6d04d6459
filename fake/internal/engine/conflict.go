package engine

import (
	"fmt"
	"maps"
	"slices"

	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fake/internal/words"
	"example.com/campaignfake/fixtures"
)

// maxConflicts is how many conflicts a reload lists.
const maxConflicts = 1000

// conflictsLocked returns *fixtures.Mistakes if a snapshot cannot be put in force beside the users
// that were set since the start: one of them would be like a token that no user has, or a user
// would be like one that is like another itself. It returns nil if it can.
func (e *Engine) conflictsLocked(next *plan.Snapshot) error {
	users := e.accounts.usersAfter(next)
	var mistakes fixtures.Mistakes
	for _, token := range slices.Sorted(maps.Keys(users)) {
		conflict := e.conflictOfLocked(users[token], users)
		switch {
		case conflict == nil:
		case len(mistakes.List) < maxConflicts:
			mistakes.List = append(mistakes.List, *conflict)
		default:
			mistakes.More++
		}
	}
	if len(mistakes.List) == 0 {
		return nil
	}
	return &mistakes
}

// usersAfter returns the users that tokens will have when a snapshot is in force. A user that is
// like one which was removed before is not among them: it has no campaigns, and stays so.
func (all *accounts) usersAfter(next *plan.Snapshot) map[string]*plan.User {
	users := make(map[string]*plan.User)
	for _, user := range next.Users {
		users[user.Token] = user
	}
	for _, a := range all.pinned {
		if a.ownUser == nil {
			continue
		}
		isOfStart := a.ownUser == all.snapshot.User(a.token)
		if isOfStart {
			continue // the snapshot replaces it
		}
		like := a.ownUser.Fixture.Like
		isLikeNobody := like != "" && all.namedByLike(like) == nil
		if !isLikeNobody {
			users[a.token] = a.ownUser
		}
	}
	return users
}

// conflictOfLocked returns what is wrong with the user that a user is like, or nil if nothing is.
// The fixtures alone are right, since they have been checked. If something is wrong, the user was
// given while the server ran, or the one that it is like was.
func (e *Engine) conflictOfLocked(user *plan.User, users map[string]*plan.User) *fixtures.Mistake {
	if user.Fixture.Like == "" {
		return nil
	}
	other := users[user.Fixture.Like]
	switch {
	case other == nil:
		return e.likeNobodyLocked(user)
	case other.Fixture.Like != "":
		return e.likeOneLikeAnotherLocked(user, other)
	}
	return nil
}

// likeNobodyLocked returns the conflict of a user that is like one which the fixtures had before.
func (e *Engine) likeNobodyLocked(user *plan.User) *fixtures.Mistake {
	token := e.shownLocked(user.Token)
	return &fixtures.Mistake{
		Problem: fmt.Sprintf("the fixtures have no user of token %q any more, "+
			"and the user of token %q, which was given %s, is like it",
			e.shownLocked(user.Fixture.Like), token, way(user)),
		Instead: "add it again, or " + removal(user, token),
	}
}

// likeOneLikeAnotherLocked returns the conflict of a user that is like one which is like another.
func (e *Engine) likeOneLikeAnotherLocked(user, other *plan.User) *fixtures.Mistake {
	later := user
	if !user.Origin.IsTest() {
		later = other
	}
	laterToken := e.shownLocked(later.Token)
	return &fixtures.Mistake{
		Problem: fmt.Sprintf("the user of token %q is like %q, which is like %q itself, "+
			"and that of token %q was given %s",
			e.shownLocked(user.Token), e.shownLocked(other.Token),
			e.shownLocked(other.Fixture.Like), laterToken, way(later)),
		Instead: "have one of them like no other, or " + removal(later, laterToken),
	}
}

// shownLocked returns a token as the log may have it.
func (e *Engine) shownLocked(token string) string {
	if e.isChosenLocked(token) {
		return token
	}
	return words.Mask(token)
}

// way returns in which way a user was given while the server ran.
func way(user *plan.User) string {
	if user.Origin == plan.OfHTTP {
		return "over HTTP"
	}
	return "by SetUser"
}

// removal says how to remove a user that was given while the server ran.
func removal(user *plan.User, shown string) string {
	if user.Origin == plan.OfHTTP {
		return "drop the user of " + shown +
			" with DELETE /_fake/users?token=… or POST /_fake/reset"
	}
	return "drop the user of " + shown + " with RemoveUser or Reset"
}
