package reason

import (
	"fmt"
	"strconv"
	"strings"

	"example.com/campaignfake/fake/internal/words"
	"example.com/campaignfake/fixtures/text"
)

// NoUser is the phrase about a token that no user has.
const NoUser = "no user has this token"

// DetailOfNoUser says that no user has the token. For a token such as nobody~1, it also says that
// no user has the part before the tilde. For the token of a test, it says what the test has to
// call.
func DetailOfNoUser(token string, found Finding) string {
	if found == (TestWithoutUser{}) {
		return words.Sentence(found.String())
	}
	name := text.WithoutRuns(token)
	if name == token {
		return "No user has this bearer token."
	}
	return fmt.Sprintf("No user has this bearer token, nor %q, which stands before its tilde.",
		words.CutInput(name))
}

// OfUnknownToken returns what may be wrong with a token that no user has, and nil if nothing is
// found. The argument users has the tokens of users that a message may show. The argument isOfTest
// is true for a token that was made for a test in Go.
func OfUnknownToken(token string, users []string, isOfTest bool) Finding {
	placeholder, isPlaceholder := PlaceholderOf(token)
	if isPlaceholder {
		return placeholder
	}
	near := Nearest(token, users)
	if near != "" {
		return NearToken{Near: near}
	}
	if isOfTest {
		return TestWithoutUser{}
	}
	name := text.WithoutRuns(token)
	if name != token {
		return RunOfNobody{Name: strconv.Quote(words.CutInput(name))}
	}
	return nil
}

// A NearToken is an unknown token that is probably a misspelling.
type NearToken struct {
	Near string // the token that was probably meant, such as flaky or flaky~1
}

func (n NearToken) String() string {
	return "did you mean " + words.CutInput(n.Near) + "?"
}

// A TestWithoutUser is a token that was made for a test in Go, and that has no user.
type TestWithoutUser struct{}

func (TestWithoutUser) String() string {
	return "no user was set for this test: call SetUser on the client that For returned, " +
		`or send the token of its Like("flaky")`
}

// A RunOfNobody is an unknown token with a tilde. The part before the tilde is no user's token.
type RunOfNobody struct {
	Name string // the part before the first tilde, in quotation marks, shortened
}

func (RunOfNobody) String() string {
	return "no user has what stands before the tilde of this token"
}

// Nearest returns the token of a user that a client has probably meant, and "" if no token is near.
// If the part before the first tilde is misspelt, Nearest corrects it and keeps the rest: flakey~1
// becomes flaky~1.
func Nearest(token string, users []string) string {
	near := nearUser(token, users)
	if near != "" && near != token {
		return near
	}
	name := text.WithoutRuns(token)
	near = nearUser(name, users)
	isUser := near == name // a user has got this token, so nothing is misspelt
	if name == token || near == "" || isUser {
		return ""
	}
	return near + strings.TrimPrefix(token, name)
}

// nearUser returns the first of the users' tokens that is near a token, and "" if no token is near.
// It ignores quotation marks around the token.
func nearUser(token string, users []string) string {
	token = strings.Trim(token, `"'`)
	for _, user := range users {
		if isNear(token, user) {
			return user
		}
	}
	return ""
}

// isNear reports whether a token differs from a user's token only in the case of its letters, or in
// one character, which is missing, extra, wrong, or swapped with its neighbour. A token in which a
// digit differs is not near, because tokens are often numbered.
func isNear(token, user string) bool {
	const shortest = 4 // shorter tokens are often near each other by chance
	shorter := min(len(user), len(token))
	longer := max(len(user), len(token))
	if longer > shorter+1 || shorter < shortest-1 {
		return false
	}
	left, right := text.Difference(strings.ToLower(token), strings.ToLower(user))
	if left == "" && right == "" {
		return true
	}
	if len(user) < shortest || strings.ContainsAny(left+right, "0123456789") {
		return false
	}
	isOneCharacter := len(left) <= 1 && len(right) <= 1
	isOfTwo := len(left) == 2 && len(right) == 2
	isSwapped := isOfTwo && left[0] == right[1] && left[1] == right[0]
	return isOneCharacter || isSwapped
}
