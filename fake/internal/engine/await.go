package engine

import (
	"context"
	"fmt"
	"time"

	"example.com/campaignfake/fake/internal/words"
)

// Await waits until the counts of a token are at least some others: those of Matched are not looked at.
func (e *Engine) Await(ctx context.Context, token string, least Counts) error {
	for {
		changed, closed := e.Next()
		counts := e.Count(token)
		count, n, have := counts.Arrived, least.Arrived, "arrived"
		if count >= n {
			count, n, have = counts.Answered, least.Answered, "been answered"
		}
		switch {
		case count >= n:
			return nil
		case closed:
			return fmt.Errorf("the server was closed after %d of %d requests %s", count, n, words.OfToken(token))
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return fmt.Errorf("%d of %d requests %s have %s: %w", count, n, words.OfToken(token), have, context.Cause(ctx))
		}
	}
}

// AwaitTimeout is how long requests are awaited if nothing else bounds it.
const AwaitTimeout = 10 * time.Second

// Bounded returns a context that ends with ctx, and after AwaitTimeout unless ctx has a deadline.
func Bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	if _, has := ctx.Deadline(); has {
		return context.WithCancel(ctx)
	}
	cause := fmt.Errorf("%w after %s; give a context with a deadline to wait longer", context.DeadlineExceeded, AwaitTimeout)
	return context.WithTimeoutCause(ctx, AwaitTimeout, cause)
}
