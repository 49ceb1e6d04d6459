package engine

import (
	"context"
	"fmt"
	"time"

	"example.com/campaignfake/fake/internal/report"
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

// Bounded returns a context that ends with ctx, after AwaitTimeout unless ctx has a
// deadline, and one second before the test would time out. In a bubble, time costs
// nothing, and a test cannot be asked for its deadline.
func Bounded(ctx context.Context, tb report.TB) (context.Context, context.CancelFunc) {
	limit, bubble := time.Now().Add(AwaitTimeout), wire.InBubble()
	longer := "give a context with a deadline to wait longer"
	if bubble {
		limit = time.Now().Add(24 * time.Hour)
	}
	if _, has := ctx.Deadline(); has {
		limit = time.Time{}
	}
	if timed, ok := tb.(interface{ Deadline() (time.Time, bool) }); ok && !bubble {
		if end, has := timed.Deadline(); has && (limit.IsZero() || end.Add(-time.Second).Before(limit)) {
			limit, longer = end.Add(-time.Second), "the test is about to time out; go test -timeout gives it more time"
		}
	}
	if limit.IsZero() {
		return context.WithCancel(ctx)
	}
	cause := fmt.Errorf("%w after %s; %s", context.DeadlineExceeded, max(time.Until(limit), 0).Round(time.Millisecond), longer)
	return context.WithDeadlineCause(ctx, limit, cause)
}
