// Package words has the phrases that messages and reasons share, and the version. It
// stands below all others, and knows none.
package words

import (
	"cmp"
	"fmt"
	"net/http"
	"strings"
	"time"

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

func WithToken(token string) string {
	if token == "" {
		return "without a token"
	}
	return fmt.Sprintf("with token %q", token)
}

func OfToken(token string) string {
	if token == "" {
		return "without a token"
	}
	return fmt.Sprintf("of token %q", token)
}

// Shorten returns a short form of what a client sent, for reasons and messages.
func Shorten(s string) string { return text.Truncate(s, 200) }

// Sentence makes a phrase a sentence: with a capital letter and a full stop.
func Sentence(phrase string) string { return strings.ToUpper(phrase[:1]) + phrase[1:] + "." }

// UpperFirst returns a phrase with a capital letter.
func UpperFirst(phrase string) string { return strings.ToUpper(phrase[:1]) + phrase[1:] }

func LowerFirst(s string) string { return strings.ToLower(s[:1]) + s[1:] }

// WithoutQuery returns the path of a URL.
func WithoutQuery(url string) string {
	path, _, _ := strings.Cut(url, "?")
	return path
}

func InMilliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// details are the texts of Detail.
var details = map[int]string{
	http.StatusUnauthorized:        "The bearer token is not valid.",
	http.StatusForbidden:           "The bearer token does not allow this.",
	http.StatusNotFound:            "There is nothing here.",
	http.StatusTooManyRequests:     "Too many requests were sent. Try again later.",
	http.StatusInternalServerError: "The service has failed.",
	http.StatusBadGateway:          "A server behind the service has failed.",
	http.StatusServiceUnavailable:  "The service is not available at the moment.",
	http.StatusGatewayTimeout:      "A server behind the service has not answered in time.",
}

// Detail is what a problem document says of a status that was asked for.
func Detail(status int) string {
	return cmp.Or(details[status], fmt.Sprintf("The service answers this request with status %d.", status))
}
