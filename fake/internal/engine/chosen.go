package engine

import (
	"slices"

	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fake/internal/words"
	"example.com/campaignfake/fixtures/text"
)

// IsChosen reports whether the log may show a token, because somebody has made up the token for
// the fake. Any other token may be the secret of a login. IsChosen is true for these tokens:
//
//   - A token that ends in the run of a test.
//   - A token with a user at the start, such as demo, and tokens such as demo~1.
//   - A token that got a user later, if isGivenByName accepts the token. Runs of it are chosen,
//     too, as demo~1 is.
//   - A token with enqueued replies but without a user, if it is short or ends in a run.
func (e *Engine) IsChosen(token string) bool {
	if e.Sharing.Of(token) != nil {
		return true
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.accounts.isChosen(token)
}

// ChosenTokens returns the tokens that have a user of their own, without tokens that may be the
// secret of a login; see IsChosen.
func (e *Engine) ChosenTokens() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.DeleteFunc(e.accounts.tokens(), func(token string) bool {
		return !e.accounts.isChosen(token)
	})
}

// isChosen applies all rules of IsChosen except the first. IsChosen itself applies the first rule:
// a token that ends in the run of a test is chosen.
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

// isGivenByName reports whether somebody has made up a token that got a user while the server runs.
// It returns true for a token that is short or ends in a run, such as demo~1. Any other token may
// be the secret of a login: tests copy a user to such a token. So for any other token,
// isGivenByName returns true only if Go code gave the token a user that is not a copy.
func isGivenByName(token string, user *plan.User) bool {
	isCopy := user.Token != token
	isOfGo := user.Door == plan.DoorGo && !isCopy
	return isOfGo || !mayBeOfLogin(token)
}

// mayBeOfLogin reports whether a token may be the secret of a login: it is long, and does not end
// in a run.
func mayBeOfLogin(token string) bool {
	return words.IsLong(token) && !endsInRun(token)
}

// longestRun bounds the length of a run in endsInRun, in characters. A run is the text behind the
// last tilde of a token: 1 in demo~1. A longer text may be a secret, since some services have
// tokens that end in a tilde and a secret.
const longestRun = 16

// endsInRun reports whether a token is NAME~RUN with a RUN of at most longestRun characters. Tests
// use such tokens.
func endsInRun(token string) bool {
	_, run, _ := text.CutRun(token)
	return run != "" && len(run) <= longestRun
}
