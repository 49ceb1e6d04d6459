// Package words has the phrases that messages and reasons share, and the version.
package words

import (
	"fmt"
	"strings"

	"example.com/campaignfake/fixtures/text"
)

// shownByMask is how many characters of a long token a mask shows.
const shownByMask = 4

// Mask hides a token, because it may be the secret of a real login. It shows the first four
// characters of a long token.
func Mask(token string) string {
	if !IsLong(token) {
		return "…"
	}
	return token[:shownByMask] + "…"
}

// IsLong reports whether a token has 16 characters or more. Secrets of logins are that long: 64
// random bits are 16 hexadecimal digits.
func IsLong(token string) bool {
	return len(token) >= 4*shownByMask
}

// Counted returns a number with a noun in the singular or the plural: "1 request", "2 requests".
func Counted(count int, one string) string {
	if count == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %ss", count, one)
}

// WithToken says which token a request has.
func WithToken(token string) string {
	if token == "" {
		return "without a token"
	}
	return fmt.Sprintf("with token %q", token)
}

// OfToken says to which token requests or replies belong.
func OfToken(token string) string {
	if token == "" {
		return "without a token"
	}
	return fmt.Sprintf("of token %q", token)
}

// CutInput shortens a text that a client sent, for reasons and messages. It returns at most the
// first 200 bytes, with … after them if the text is longer.
func CutInput(s string) string {
	return text.CutToBytes(s, 200)
}

// Sentence turns a phrase into a sentence: it adds a capital letter and a full stop.
func Sentence(phrase string) string {
	return UpperFirst(phrase) + "."
}

// UpperFirst returns a phrase with a capital letter at its start. The phrase must not be empty, and
// must start with an ASCII character.
func UpperFirst(phrase string) string {
	return strings.ToUpper(phrase[:1]) + phrase[1:]
}
