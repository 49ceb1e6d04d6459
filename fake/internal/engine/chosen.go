package engine

import (
	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fake/internal/words"
	"example.com/campaignfake/fixtures/text"
)

// IsChosen reports whether somebody has chosen a token, so that the log may show it. Any other
// token may be the secret of a login. These are chosen:
//
//   - A token that Sharing has made for a test.
//   - A token with a user at the start, or with one that isGivenByName, and its runs.
//   - A token without a user for which replies were enqueued, if it is short or of a run.
//
// A token that a test has learnt is a secret even if it has a user.
func (e *Engine) IsChosen(token string) bool {
	if e.Sharing.HasMade(token) {
		return true
	}
	isLearnt := e.Sharing.Of(token) != nil
	if isLearnt {
		return false
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.accounts.isChosen(token)
}

// isChosen is IsChosen for tokens that belong to no test.
func (all *accounts) isChosen(token string) bool {
	for userToken := range text.UserTokens(token) {
		if all.snapshot.User(userToken) != nil {
			return true
		}
		user := all.givenUser(userToken)
		if user != nil {
			return isGivenByName(userToken, user)
		}
	}
	remembered := all.byToken[token]
	isPinned := remembered != nil && remembered.pinned
	return isPinned && !mayBeOfLogin(token)
}

// isGivenByName reports whether the token that has got a user while the server runs was chosen for
// that. Go code chooses it, unless the user is a copy: that is how a login gets the user of a test.
// Over HTTP a token that is long may be that of a login, unless it is of a run.
func isGivenByName(token string, user *plan.User) bool {
	isCopy := user.Token != token
	isOfGo := user.Door == plan.DoorGo && !isCopy
	return isOfGo || !mayBeOfLogin(token)
}

// mayBeOfLogin reports whether a token that was sent may be that of a login: it is long, and not of
// a run.
func mayBeOfLogin(token string) bool {
	return words.IsLong(token) && !endsInRun(token)
}

// longestRun bounds the run of a test, in characters. Some services have tokens that are a secret
// behind a tilde, which is longer.
const longestRun = 16

// endsInRun reports whether a token is NAME~RUN, as the tokens of tests are.
func endsInRun(token string) bool {
	_, run, _ := text.CutRun(token)
	return run != "" && len(run) <= longestRun
}
