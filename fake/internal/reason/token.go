package reason

import (
	"fmt"
	"net/http"
	"strings"

	"example.com/campaignfake/fake/internal/words"
	"example.com/campaignfake/fixtures/text"
)

// A NoUser refuses a request whose token no user has.
type NoUser struct {
	Token string
}

func (n NoUser) String() string {
	return "no user has this token"
}

func (n NoUser) Detail() string {
	base, _, hasTilde := strings.Cut(n.Token, "~")
	if !hasTilde {
		return "No user has this bearer token."
	}
	return "No user has this bearer token, " +
		"and there is no user " + words.CutInput(base) + " to be like."
}

// OfUnknownToken returns what may be wrong with a token that no user has, nil if nothing is known.
// users are the tokens of all users.
func OfUnknownToken(header http.Header, token string, users []string) Part {
	placeholder, is := PlaceholderOf(header)
	if is {
		return placeholder
	}
	near := Nearest(token, users)
	if near != "" {
		return NearToken{Near: near}
	}
	base, _, hasTilde := strings.Cut(token, "~")
	if hasTilde {
		return NoBase{Base: words.CutInput(base)}
	}
	return nil
}

// A NearToken is an unknown token that is probably a misspelling.
type NearToken struct {
	Near string // the token of a user, or one that is like it
}

func (n NearToken) String() string {
	return "did you mean " + words.CutInput(n.Near) + "?"
}

// A NoBase is an unknown token with a tilde, before which no user's token stands.
type NoBase struct {
	Base string // what stands there, shortened
}

func (n NoBase) String() string {
	return "no user has the token before its tilde, to be like"
}

// A LongToken is too long to be remembered.
type LongToken struct {
	Bytes int
	Most  int // how many bytes one may have to be remembered
}

func (l LongToken) String() string {
	return fmt.Sprintf("the token has %d bytes, and of one with more than %d nothing is remembered: "+
		"its replies, rate limit and counts start over with each request", l.Bytes, l.Most)
}

// Nearest returns the token among those of users that a client probably meant, or "". Of a token
// with a tilde, what stands before it may be the misspelling.
func Nearest(token string, users []string) string {
	near := nearest(token, users)
	if near != "" && near != token {
		return near
	}
	base, own, hasTilde := strings.Cut(token, "~")
	if !hasTilde {
		return ""
	}
	near = nearest(base, users)
	isMeant := near != base // the token is like a user by now, if it was not when it was sent
	if near == "" || !isMeant {
		return ""
	}
	return near + "~" + own
}

func nearest(token string, users []string) string {
	token = strings.Trim(token, `"'`)
	for _, user := range users {
		if isNear(token, user) {
			return user
		}
	}
	return ""
}

// isNear reports whether a token differs from that of a user by the case of its letters, or by one
// character that is missing, extra, wrong, or swapped with its neighbour. A digit is never taken
// for another, because tokens are often numbered.
func isNear(token, user string) bool {
	const shortest = 4 // shorter tokens are too easily like each other
	shorter := min(len(user), len(token))
	longer := max(len(user), len(token))
	if longer > shorter+1 || shorter < shortest-1 {
		return false
	}
	left, right := text.Difference(strings.ToLower(token), strings.ToLower(user))
	if left == "" && right == "" {
		return true
	}
	isSwapped := len(left) == 2 && len(right) == 2 && left[0] == right[1] && left[1] == right[0]
	isOne := len(left) <= 1 && len(right) <= 1
	hasDigit := strings.ContainsAny(left+right, "0123456789")
	return (isOne || isSwapped) && !hasDigit && len(user) >= shortest
}
