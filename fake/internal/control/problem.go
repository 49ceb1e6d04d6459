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

// A problemDocument is the JSON answer to a refused call: a problem document (RFC 9457), extended
// with mistakes. It is also an error: a handler refuses a call by returning it.
type problemDocument struct {
	Type     string             `json:"type"`
	Title    string             `json:"title"`
	Status   int                `json:"status"`
	Detail   string             `json:"detail"`
	Mistakes []fixtures.Mistake `json:"mistakes,omitempty"` // the mistakes in the body of the call
	More     int                `json:"more,omitempty"`     // how many more mistakes there are
}

// Error returns the detail, which says why the call is refused.
func (p problemDocument) Error() string {
	return p.Detail
}

// refuse returns a problem with a status, and with a detail that it formats like fmt.Sprintf.
func refuse(status int, format string, args ...any) problemDocument {
	return problemDocument{
		Type:   "about:blank",
		Title:  http.StatusText(status),
		Status: status,
		Detail: fmt.Sprintf(format, args...),
	}
}

// fail answers a call with the problem of an error. If the status is 403, for a refused origin or
// host, it also logs the problem: browsers show nobody the answer to a preflight.
func (c *call) fail(err error) {
	problem := problemOf(err)
	if problem.Status == http.StatusForbidden {
		c.engine.Config.Logger.Warn("a request to the control plane was refused",
			slog.String("reason", problem.Detail))
	}
	wire.Drain(c.w, c.r) // otherwise net/http may close the connection, and the answer is lost
	c.send(problem.Status, "application/problem+json", encoded(problem))
}

// problemOf returns the problem that tells the client about an error of a handler.
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

// noUserProblem returns the problem of a call for a token without a user. A token such as demo~1 is
// answered like demo, but has no user of its own that a call could copy. The problem then names the
// user demo.
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
		"No user has the token %q.%s GET /_fake/users lists the users, and PUT adds one.",
		token, question)
}

// problemOfBody returns the problem of a call with a wrong body. It lists the mistakes in err.
func problemOfBody(err error) problemDocument {
	problem := refuse(http.StatusBadRequest, "%v", err)
	problem.Mistakes, problem.More = mistakesOf(err)
	if len(problem.Mistakes) > 0 {
		count := words.Counted(len(problem.Mistakes)+problem.More, "mistake")
		problem.Detail = words.Sentence(count) + " The first: " + problem.Mistakes[0].String()
	}
	return problem
}

// mistakesOf returns the mistakes that an error lists, and how many more mistakes there are. If the
// error has none, the list is empty, and not nil.
func mistakesOf(err error) (listed []fixtures.Mistake, more int) {
	var mistakes *fixtures.Mistakes
	if !errors.As(err, &mistakes) {
		return []fixtures.Mistake{}, 0
	}
	return mistakes.List, mistakes.More
}
