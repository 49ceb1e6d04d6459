package engine

import (
	"context"
	"fmt"
	"time"

	"example.com/campaignfake/fake/internal/wire"
	"example.com/campaignfake/fake/internal/words"
)

// An Awaited is what AwaitRequests and AwaitAnswers wait for.
type Awaited struct {
	Parameter string // of the control plane
	Verb      string
	of        func(Counts) int
}

var (
	AwaitArrival = Awaited{"await", "arrived", func(c Counts) int { return c.Arrived }}
	AwaitAnswer  = Awaited{"await_answers", "been answered", func(c Counts) int { return c.Answered }}
)

// Await waits until enough requests of a token have arrived, or have been answered.
func (e *Engine) Await(ctx context.Context, token string, n int, what Awaited) error {
	for {
		changed, closed := e.Next()
		count := what.of(e.Count(token))
		switch {
		case count >= n:
			return nil
		case closed:
			return fmt.Errorf("the server was closed after %d of %d requests %s", count, n, words.OfToken(token))
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return fmt.Errorf("%d of %d requests %s have %s: %w", count, n, words.OfToken(token), what.Verb, context.Cause(ctx))
		}
	}
}

// AwaitTimeout is how long requests are awaited if nothing else bounds it.
const AwaitTimeout = 10 * time.Second

// Bounded returns a context that ends with ctx, and after AwaitTimeout unless ctx has a deadline.
// In a testing/synctest bubble, where time costs nothing, that is a day.
func Bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	if _, has := ctx.Deadline(); has {
		return context.WithCancel(ctx)
	}
	limit := AwaitTimeout
	if wire.InBubble() {
		limit = 24 * time.Hour
	}
	cause := fmt.Errorf("%w after %s; give a context with a deadline to wait longer", context.DeadlineExceeded, limit)
	return context.WithTimeoutCause(ctx, limit, cause)
}
