package fake

import (
	"fmt"
	"strings"
	"time"
)

// counted returns a number with a noun, as "1 request" or "2 requests".
func counted(count int, one string) string {
	if count == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %ss", count, one)
}

func withToken(token string) string {
	if token == "" {
		return "without a token"
	}
	return fmt.Sprintf("with token %q", token)
}

func ofToken(token string) string {
	if token == "" {
		return "without a token"
	}
	return fmt.Sprintf("of token %q", token)
}

// shorten returns a short form of what a client sent, for reasons and messages.
func shorten(s string) string {
	const most = 200
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

// sentence makes a phrase a sentence: with a capital letter and a full stop.
func sentence(phrase string) string { return strings.ToUpper(phrase[:1]) + phrase[1:] + "." }

func lowerFirst(s string) string { return strings.ToLower(s[:1]) + s[1:] }

// withoutQuery returns the path of a URL.
func withoutQuery(url string) string {
	path, _, _ := strings.Cut(url, "?")
	return path
}

func inMilliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
