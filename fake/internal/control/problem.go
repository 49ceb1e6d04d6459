package control

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"

	"example.com/campaignfake/fake/internal/advice"
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

// Error returns the reason in words: a problem document is an error that has its answer.
func (p Problem) Error() string { return strings.TrimSuffix(p.Detail, ".") }

// refuse returns the error of a call that is answered with a status.
func refuse(status int, format string, args ...any) Problem {
	return Problem{Type: "about:blank", Title: http.StatusText(status), Status: status, Detail: fmt.Sprintf(format, args...)}
}

// fail answers a call that is refused. It logs a refused origin or host, since browsers show nobody
// the answer to a preflight.
func (c *call) fail(err error) {
	document := c.problemOf(err)
	if document.Status == http.StatusForbidden {
		c.plane.Config.Logger.Warn("a request to the control plane was refused", slog.String("reason", document.Detail))
	}
	wire.Drain(c.ResponseWriter, c.r) // or net/http may close the connection with the body unread, and the answer is lost
	c.send(document.Status, "application/problem+json", encoded(document))
}

// problemOf returns the answer to a call that failed: for a body that cannot be used, with every
// mistake in it.
func (c *call) problemOf(err error) (p Problem) {
	switch {
	case errors.As(err, &p):
		return p
	case errors.Is(err, engine.ErrNoUser):
		return c.noUser()
	case errors.Is(err, engine.ErrClosed):
		return refuse(http.StatusServiceUnavailable, "The server is closed.")
	case errors.Is(err, engine.ErrFull):
		return refuse(http.StatusInsufficientStorage, "%s", words.Sentence(err.Error()))
	}
	p = refuse(http.StatusBadRequest, "%v", err)
	if p.Mistakes, p.More = mistakesOf(err); len(p.Mistakes) > 0 {
		count := words.Counted(len(p.Mistakes)+p.More, "mistake")
		p.Detail = words.Sentence(count) + " The first: " + p.Mistakes[0].String()
	}
	return p
}

// noUser refuses a token that no user has.
func (c *call) noUser() Problem {
	token := c.query["token"]
	near := advice.NearToken(token, c.plane.Tokens())
	if near != "" {
		near = " Did you mean " + words.Shorten(near) + "?"
	}
	return refuse(http.StatusNotFound, "No user has the token %q.%s GET /_fake/users lists the users.", words.Shorten(token), near)
}

// sourceLimit is how many bytes the line of a mistake may have that an answer repeats.
const sourceLimit = 1000

// mistakesOf returns the mistakes in an error for an answer, and how many more there are: without the
// lines that are long, because a body of one line would be repeated for each of its mistakes.
func mistakesOf(err error) (listed []fixtures.Mistake, more int) {
	var mistakes *fixtures.Mistakes
	if !errors.As(err, &mistakes) {
		return []fixtures.Mistake{}, 0
	}
	listed = slices.Clone(mistakes.List)
	for i := range listed {
		if len(listed[i].Source) > sourceLimit {
			listed[i].Source = ""
		}
	}
	return listed, mistakes.More
}
