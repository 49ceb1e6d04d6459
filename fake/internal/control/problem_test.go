package control

import (
	"errors"
	"fmt"
	"testing"

	"example.com/campaignfake/fake/internal/engine"
	"example.com/campaignfake/fixtures"
)

// The status of a refusal follows from the error, wherever that was wrapped.
func TestStatusOfProblems(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		err    error
		status int
		detail string
	}{
		"a refusal": {refuse(405, "Send %s.", "GET"), 405, "Send GET."},
		"a closed server": {
			err:    fmt.Errorf("too late: %w", engine.ErrClosed),
			status: 503,
			detail: "The server is closed.",
		},
		"a full server": {
			err:    fmt.Errorf("%w for more", engine.ErrFull),
			status: 507,
			detail: "There is no room for more.",
		},
		"another error": {errors.New("replies: is empty"), 400, "replies: is empty"},
	} {
		problem := problemOf(tt.err)
		if problem.Status != tt.status || problem.Detail != tt.detail {
			t.Errorf("%s is answered %d %s, want %d %s",
				name, problem.Status, problem.Detail, tt.status, tt.detail)
		}
	}
}

// The mistakes in a body are counted.
func TestProblemOfMistakes(t *testing.T) {
	t.Parallel()
	list := []fixtures.Mistake{{Path: "a", Problem: "is wrong"}, {Path: "b", Problem: "is wrong"}}
	problem := problemOfBody(&fixtures.Mistakes{List: list, More: 3})
	if want := "5 mistakes. The first: " + list[0].String(); problem.Detail != want {
		t.Errorf("the detail is %s, want %s", problem.Detail, want)
	}
	if problem.Status != 400 || len(problem.Mistakes) != 2 || problem.More != 3 {
		t.Errorf("the problem is %+v", problem)
	}
}
