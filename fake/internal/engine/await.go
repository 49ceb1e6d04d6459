package engine

import (
	"context"
	"fmt"
	"time"
)

// A goal is a number of requests that Await waits for.
type goal struct {
	have, want int
	what       string // "arrived" or "been answered": what the error says of the requests
}

func (g goal) isReached() bool {
	return g.have >= g.want
}

// goalOf returns the goal that Await waits for next. The first goal is that least.Arrived requests
// have arrived. When this goal is reached, the next goal is that least.Answered requests are
// answered. The argument counts has the present numbers.
func goalOf(counts, least Counts) goal {
	arrived := goal{have: counts.Arrived, want: least.Arrived, what: "arrived"}
	if !arrived.isReached() {
		return arrived
	}
	return goal{have: counts.Answered, want: least.Answered, what: "been answered"}
}

// Await waits until the counts of a scope are at least as large as the counts in the argument
// least. It compares Arrived, the number of requests that have arrived, and Answered, the number of
// requests that have been answered. It ignores Matched. Await fails if ctx ends first, or if the
// server is closed first.
func (e *Engine) Await(ctx context.Context, scope Scope, least Counts) error {
	for {
		changed, ended := e.Next() // before Count, so that a change after Count is not missed
		next := goalOf(e.Count(scope), least)
		if next.isReached() {
			return nil
		}
		if ended {
			return fmt.Errorf("the server was closed after %d of %d requests %s",
				next.have, next.want, scope)
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return fmt.Errorf("%d of %d requests %s have %s: %w",
				next.have, next.want, scope, next.what, context.Cause(ctx))
		}
	}
}

// AwaitTimeout bounds a wait for requests if the caller's context has no deadline.
const AwaitTimeout = 10 * time.Second

// Bounded returns a context that ends when ctx ends. If ctx has no deadline, the context ends after
// AwaitTimeout at the latest.
func Bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	_, hasDeadline := ctx.Deadline()
	if hasDeadline {
		return context.WithCancel(ctx)
	}
	cause := fmt.Errorf("%w after %s; give a context with a deadline to wait longer",
		context.DeadlineExceeded, AwaitTimeout)
	return context.WithTimeoutCause(ctx, AwaitTimeout, cause)
}
