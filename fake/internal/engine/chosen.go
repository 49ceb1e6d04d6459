package engine

import (
	"strings"

	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fake/internal/words"
	"example.com/campaignfake/fixtures/text"
)

// IsChosen reports whether somebody has chosen a token, so that the log may show it. Any other
// token may be the secret of a login. These are chosen:
//
//   - A token that Sharing has made for a test.
//   - A token with a user at the start, and one with a user that isGivenByName. The user may also
//     be that of the token before the tilde.
//   - A token for which replies were enqueued, if it has an @ or is short. The tokens of tests are
//     NAME@RUN, and no bearer token of RFC 6750 has an @.
//
// A token that a test has learnt is a secret even if it has a user.
func (e *Engine) IsChosen(token string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.isChosenLocked(token)
}

// isChosenLocked does the work of IsChosen. Sharing has a lock of its own, and calls nobody while
// it holds that.
func (e *Engine) isChosenLocked(token string) bool {
	if e.Sharing.HasMade(token) {
		return true
	}
	isLearnt := e.Sharing.Of(token) != nil
	if isLearnt {
		return false
	}
	return e.accounts.isChosen(token)
}

// isChosen does the work of IsChosen for a token that is of no test which shares the server.
func (all *accounts) isChosen(token string) bool {
	base, _, _ := text.CutLike(token)
	for _, given := range []string{token, base} {
		isOfStart := all.snapshot.User(given) != nil
		if isOfStart || all.isGivenByName(given) {
			return true
		}
	}
	remembered := all.byToken[token]
	isPinned := remembered != nil && remembered.pinned
	return isPinned && !mayBeOfLogin(token)
}

// isGivenByName reports whether a token has got a user while the server runs, and was chosen for
// that. Go code chooses it, unless the user is like another: that is how a login gets the user of a
// test. Over HTTP a token that is long may be that of a login, unless it has an @.
func (all *accounts) isGivenByName(token string) bool {
	user := all.ownUser(token)
	if user == nil {
		return false
	}
	isOfGo := user.Origin == plan.OfGo && user.Fixture.Like == ""
	return isOfGo || !mayBeOfLogin(token)
}

// mayBeOfLogin reports whether a token that was sent may be that of a login: it is long, and not of
// a test.
func mayBeOfLogin(token string) bool {
	return words.IsLong(token) && !isOfTest(token)
}

// isOfTest reports whether a token is NAME@RUN, as the tokens of tests are.
func isOfTest(token string) bool {
	return strings.Contains(token, "@")
}
