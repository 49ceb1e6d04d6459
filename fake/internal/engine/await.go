package engine

import (
	"context"
	"fmt"
	"time"

	"example.com/campaignfake/fake/internal/words"
)

// A goal is how many requests of a token are awaited, and how many of them there are.
type goal struct {
	have, want int
	what       string // they have done
}

func (g goal) isReached() bool {
	return g.have >= g.want
}

// goalOf returns what has to come next so that counts are at least some others.
func goalOf(counts, least Counts) goal {
	arrived := goal{have: counts.Arrived, want: least.Arrived, what: "arrived"}
	if !arrived.isReached() {
		return arrived
	}
	return goal{have: counts.Answered, want: least.Answered, what: "been answered"}
}

// Await waits until the counts of a token are at least some others. It does not look at those of
// Matched.
func (e *Engine) Await(ctx context.Context, token string, least Counts) error {
	for {
		changed, isClosed := e.Next()
		next := goalOf(e.Count(token), least)
		if next.isReached() {
			return nil
		}
		if isClosed {
			return fmt.Errorf("the server was closed after %d of %d requests %s",
				next.have, next.want, words.OfToken(token))
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return fmt.Errorf("%d of %d requests %s have %s: %w",
				next.have, next.want, words.OfToken(token), next.what, context.Cause(ctx))
		}
	}
}

// AwaitTimeout is how long requests are awaited if nothing else bounds it.
const AwaitTimeout = 10 * time.Second

// Bounded returns a context that ends with ctx, and after AwaitTimeout unless ctx has a deadline.
func Bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	_, hasDeadline := ctx.Deadline()
	if hasDeadline {
		return context.WithCancel(ctx)
	}
	cause := fmt.Errorf("%w after %s; give a context with a deadline to wait longer",
		context.DeadlineExceeded, AwaitTimeout)
	return context.WithTimeoutCause(ctx, AwaitTimeout, cause)
}
