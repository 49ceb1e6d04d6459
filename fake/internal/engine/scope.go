package engine

import (
	"slices"
	"strconv"
	"strings"

	"example.com/campaignfake/fake/internal/words"
	"example.com/campaignfake/fixtures/text"
)

// A Scope says to which tokens a call applies: some tokens, all tokens of a run, or all tokens. The
// zero Scope is all tokens.
type Scope struct {
	tokens []string
	run    string // the scope has each token that ends in ~ and this run; "" for no run
}

// OfTokens returns the scope of the given tokens. Without tokens, or with an empty list, it returns
// the scope of all tokens.
func OfTokens(tokens ...string) Scope {
	return Scope{tokens: tokens}
}

// OfRun returns the scope of all tokens that end in ~ and a run. For the run 4f0c, demo~4f0c is
// such a token.
func OfRun(run string) Scope {
	return Scope{run: run}
}

// IsAll reports whether the scope is all tokens.
func (s Scope) IsAll() bool {
	return len(s.tokens) == 0 && s.run == ""
}

// One returns the token of a scope that is a single token. For any other scope, isOne is false.
func (s Scope) One() (token string, isOne bool) {
	if len(s.tokens) != 1 {
		return "", false
	}
	return s.tokens[0], true
}

// Has reports whether a token is in the scope.
func (s Scope) Has(token string) bool {
	if s.IsAll() || slices.Contains(s.tokens, token) {
		return true
	}
	return s.run != "" && text.IsOfRun(token, s.run)
}

// String names the tokens of the scope in a phrase, such as `of token "alice"`, or `of run "4f0c"`.
func (s Scope) String() string {
	token, isOne := s.One()
	switch {
	case isOne:
		return words.OfToken(token)
	case s.IsAll():
		return "of all tokens"
	case s.run != "":
		return "of run " + strconv.Quote(s.run)
	}
	var quoted []string
	for _, token := range s.tokens {
		quoted = append(quoted, strconv.Quote(token))
	}
	return "of tokens " + strings.Join(quoted, ", ")
}

// tokensIn returns the tokens of a scope, sorted, each once. For the scope of a run or of all
// tokens, it returns the tokens that have an account. It adds the tokens that have a user in the
// snapshot, since a reset gives them this user again.
func (all *accounts) tokensIn(scope Scope) []string {
	tokens := slices.Clone(scope.tokens)
	if scope.run != "" || scope.IsAll() {
		for token := range all.byToken {
			if scope.Has(token) {
				tokens = append(tokens, token)
			}
		}
		for _, user := range all.snapshot.Users {
			if scope.Has(user.Token) {
				tokens = append(tokens, user.Token)
			}
		}
	}
	slices.Sort(tokens)
	return slices.Compact(tokens)
}
