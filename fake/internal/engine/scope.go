package engine

import (
	"slices"
	"strconv"
	"strings"

	"example.com/campaignfake/fake/internal/words"
	"example.com/campaignfake/fixtures/text"
)

// A Scope is the tokens that a call is for. The zero Scope is all tokens.
type Scope struct {
	named  []string // empty for all
	isTest bool     // each that is named stands for those that are like a user, too
}

// OfTokens returns the scope of some tokens, and that of all if none is given: also if a list that
// happens to be empty is passed.
func OfTokens(tokens ...string) Scope {
	return Scope{named: tokens}
}

// OfTest returns the scope of a test: its tokens, and those that end with a tilde and one of them,
// and so are like a user, as flaky~T for the token T.
func OfTest(token string, more ...string) Scope {
	return Scope{named: append([]string{token}, more...), isTest: true}
}

// IsAll reports whether the scope is all tokens.
func (s Scope) IsAll() bool {
	return len(s.named) == 0
}

// One returns the token of a scope that has one token, and reports whether it does.
func (s Scope) One() (token string, isOne bool) {
	if s.isTest || len(s.named) != 1 {
		return "", false
	}
	return s.named[0], true
}

// Has reports whether a token is in the scope.
func (s Scope) Has(token string) bool {
	if s.IsAll() || slices.Contains(s.named, token) {
		return true
	}
	if !s.isTest {
		return false
	}
	for _, named := range s.named {
		if text.EndsLike(token, named) {
			return true
		}
	}
	return false
}

// String says whose requests are spoken of, as `of token "alice"`, or `of test "T"`.
func (s Scope) String() string {
	token, isOne := s.One()
	if isOne {
		return words.OfToken(token)
	}
	if s.IsAll() {
		return "of all tokens"
	}
	var quoted []string
	for _, named := range s.named {
		quoted = append(quoted, strconv.Quote(named))
	}
	whose := "of tokens "
	if s.isTest {
		whose = "of test "
	}
	return whose + strings.Join(quoted, ", ")
}

// tokensIn returns the tokens of a scope, sorted, and each once. Those of a test, and all, are the
// ones that are named, have an account, or have a user at the start.
func (all *accounts) tokensIn(scope Scope) []string {
	tokens := slices.Clone(scope.named)
	if scope.isTest || scope.IsAll() {
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
