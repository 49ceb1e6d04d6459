package control

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"

	"example.com/campaignfake/fake/internal/engine"
	"example.com/campaignfake/fake/internal/wire"
	"example.com/campaignfake/fake/internal/words"
	"example.com/campaignfake/fixtures"
)

// A problemDocument is a problem document (RFC 9457), extended with mistakes. It is also the error
// that a handler returns to send it.
type problemDocument struct {
	Type     string             `json:"type"`
	Title    string             `json:"title"`
	Status   int                `json:"status"`
	Detail   string             `json:"detail"`
	Mistakes []fixtures.Mistake `json:"mistakes,omitempty"` // the mistakes in the body of the call
	More     int                `json:"more,omitempty"`     // how many mistakes are left out
}

// Error returns the reason in a sentence.
func (p problemDocument) Error() string {
	return p.Detail
}

// refuse returns the problem of a call that is refused with a status.
func refuse(status int, format string, args ...any) problemDocument {
	return problemDocument{
		Type:   "about:blank",
		Title:  http.StatusText(status),
		Status: status,
		Detail: fmt.Sprintf(format, args...),
	}
}

// fail answers a call that is refused. It logs a refused origin or host, since browsers show nobody
// the answer to a preflight.
func (c *call) fail(err error) {
	problem := problemOf(err)
	if problem.Status == http.StatusForbidden {
		c.engine.Config.Logger.Warn("a request to the control plane was refused",
			slog.String("reason", problem.Detail))
	}
	wire.Drain(c.w, c.r) // otherwise net/http may close the connection, and the answer is lost
	c.send(problem.Status, "application/problem+json", encoded(problem))
}

// problemOf returns the answer to a call that failed.
func problemOf(err error) problemDocument {
	var refused problemDocument
	var noUser engine.NoUserError
	switch {
	case errors.As(err, &refused):
		return refused
	case errors.As(err, &noUser):
		return noUserProblem(noUser)
	case errors.Is(err, engine.ErrClosed):
		return refuse(http.StatusServiceUnavailable, "The server is closed.")
	case errors.Is(err, engine.ErrFull):
		return refuse(http.StatusInsufficientStorage, "%s", words.Sentence(err.Error()))
	}
	return problemOfBody(err)
}

// noUserProblem returns the answer to a call about a token that no user has. A run has a user for
// most calls, but none to copy.
func noUserProblem(err engine.NoUserError) problemDocument {
	token := words.CutInput(err.Token)
	if err.SeenUser != "" {
		return refuse(http.StatusNotFound,
			"%q is a run, which has no user of its own to copy; write like=%s.",
			token, words.CutInput(err.SeenUser))
	}
	question := ""
	if err.Near != "" {
		question = " Did you mean " + words.CutInput(err.Near) + "?"
	}
	return refuse(http.StatusNotFound,
		"No user has the token %q.%s GET /_fake/users lists the users.", token, question)
}

// problemOfBody returns the answer to a call whose body cannot be used, with the mistakes in it.
func problemOfBody(err error) problemDocument {
	problem := refuse(http.StatusBadRequest, "%v", err)
	problem.Mistakes, problem.More = mistakesOf(err)
	if len(problem.Mistakes) > 0 {
		count := words.Counted(len(problem.Mistakes)+problem.More, "mistake")
		problem.Detail = words.Sentence(count) + " The first: " + problem.Mistakes[0].String()
	}
	return problem
}

// mistakesOf returns the mistakes in an error, and how many more there are.
func mistakesOf(err error) (listed []fixtures.Mistake, more int) {
	var mistakes *fixtures.Mistakes
	if !errors.As(err, &mistakes) {
		return []fixtures.Mistake{}, 0
	}
	return mistakes.List, mistakes.More
}
