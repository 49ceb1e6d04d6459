// Package words has the phrases that messages and reasons share, and the version. It stands below
// the other internal packages.
package words

import (
	"fmt"
	"strings"

	"example.com/campaignfake/fixtures/text"
)

// Mask hides a token that may be somebody's real one.
func Mask(token string) string {
	const shown = 4
	if len(token) < 4*shown {
		return "…"
	}
	return token[:shown] + "…"
}

// Counted returns a number with a noun, as "1 request" or "2 requests".
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

// OfToken says whose requests or replies are spoken of.
func OfToken(token string) string {
	if token == "" {
		return "without a token"
	}
	return fmt.Sprintf("of token %q", token)
}

// CutInput returns the start of what a client sent, short enough for reasons and messages.
func CutInput(s string) string {
	return text.CutToBytes(s, 200)
}

// Sentence makes a phrase a sentence: with a capital letter and a full stop.
func Sentence(phrase string) string {
	return UpperFirst(phrase) + "."
}

// UpperFirst returns a phrase with a capital letter.
func UpperFirst(phrase string) string {
	return strings.ToUpper(phrase[:1]) + phrase[1:]
}
