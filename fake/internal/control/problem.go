package control

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"

	"example.com/campaignfake/fake/internal/engine"
	"example.com/campaignfake/fake/internal/wire"
	"example.com/campaignfake/fake/internal/words"
	"example.com/campaignfake/fixtures"
)

// A Problem is a problem document by RFC 9457, extended with mistakes.
type Problem struct {
	Type     string             `json:"type"`
	Title    string             `json:"title"`
	Status   int                `json:"status"`
	Detail   string             `json:"detail"`
	Mistakes []fixtures.Mistake `json:"mistakes,omitempty"` // in the body of the request
	More     int                `json:"more,omitempty"`     // how many more there are
}

// Error returns the detail: a problem document is an error that has its answer.
func (p Problem) Error() string { return p.Detail }

// refuse returns the error of a call that is answered with a status.
func refuse(status int, format string, args ...any) Problem {
	return Problem{Type: "about:blank", Title: http.StatusText(status), Status: status, Detail: fmt.Sprintf(format, args...)}
}

// fail answers a call that is refused.
func (c *call) fail(err error) {
	document := problemOf(err)
	c.logRefusal(document)
	if document.Status == http.StatusServiceUnavailable {
		c.Header().Set("Retry-After", "1")
	}
	wire.Drain(c.ResponseWriter, c.r) // or net/http may close the connection with the body unread, and the answer is lost
	c.send(document.Status, "application/problem+json", encoded(document))
}

// problemOf returns the answer to a call that failed.
func problemOf(err error) (p Problem) {
	switch {
	case errors.As(err, &p):
		return p
	case errors.Is(err, engine.ErrClosed):
		return refuse(http.StatusServiceUnavailable, "The server is closed.")
	case errors.Is(err, engine.ErrFull), errors.Is(err, fixtures.ErrTooManyReplies):
		return refuse(http.StatusInsufficientStorage, "%s", words.Sentence(err.Error()))
	}
	return mistaken(err)
}

// mistaken returns the answer to a body that cannot be used, with every mistake in it.
func mistaken(err error) Problem {
	document := refuse(http.StatusBadRequest, "%v", err)
	var mistakes *fixtures.Mistakes
	if errors.As(err, &mistakes) {
		document.Detail = words.Sentence(words.Counted(len(mistakes.List)+mistakes.More, "mistake")) + " The first: " + mistakes.List[0].String()
		document.Mistakes, document.More = listedMistakes(mistakes.List), mistakes.More
	}
	return document
}

// logRefusal logs a refused change, since a suite may not look at the answer, and a
// refused origin or host, since browsers show nobody the answer to a preflight. Tokens
// without a user are masked.
func (c *call) logRefusal(document Problem) {
	if (c.r.Method == http.MethodGet || c.r.Method == http.MethodHead) && document.Status != http.StatusForbidden {
		return
	}
	reason := document.Detail
	if token := c.r.URL.Query().Get("token"); token != "" && !c.plane.User(token).Known {
		reason = strings.ReplaceAll(reason, token, words.Mask(token))
	}
	text := func(name, value string) slog.Attr { return slog.String(name, words.Shorten(value)) }
	c.plane.Config.Logger.LogAttrs(c.r.Context(), slog.LevelWarn, "a request to the control plane was refused",
		text("method", c.r.Method), text("path", c.r.URL.Path), slog.Int("status", document.Status),
		text("host", c.r.Host), text("origin", c.r.Header.Get("Origin")), slog.String("reason", reason))
}

// sourceLimit is how many bytes the line of a mistake may have that an answer repeats.
const sourceLimit = 1000

// listedMistakes returns mistakes for an answer: without the lines that are long, because a body
// of one line would be repeated for each of its mistakes.
func listedMistakes(mistakes []fixtures.Mistake) []fixtures.Mistake {
	listed := slices.Clone(mistakes)
	for i := range listed {
		if len(listed[i].Source) > sourceLimit {
			listed[i].Source = ""
		}
	}
	return listed
}
