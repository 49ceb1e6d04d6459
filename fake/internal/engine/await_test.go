package engine_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"example.com/campaignfake/fake/internal/engine"
	"example.com/campaignfake/fixtures"
)

// A call that waits goes on when the last request has arrived, or has been answered.
func TestAwait(t *testing.T) {
	t.Parallel()
	for name, least := range map[string]engine.Counts{
		"arrived":  {Arrived: 2},
		"answered": {Answered: 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				e := newEngine(t, withUser("alice", fixtures.User{}))
				done := make(chan error, 1)
				go func() { done <- e.Await(t.Context(), engine.OfTokens("alice"), least) }()
				arrive(e, "bob")
				for range 2 {
					synctest.Wait()
					if len(done) > 0 {
						t.Fatalf("Await returns too early: %v", <-done)
					}
					arrival, request := arriveAs(e, "alice", "GET", listPath)
					if least.Answered > 0 {
						complete(e, &arrival, request)
					}
				}
				must(t, <-done)
			})
		})
	}
}

// An error says how many requests of which token are missing, and why the wait has ended.
func TestAwaitFails(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		least engine.Counts
		end   func(e *engine.Engine) // nil to wait until the time is over
		want  string
	}{
		"arrived": {
			engine.Counts{Arrived: 3}, nil,
			`1 of 3 requests of token "alice" have arrived: time is over`,
		},
		"answered": {
			engine.Counts{Arrived: 1, Answered: 1}, nil,
			`0 of 1 requests of token "alice" have been answered: time is over`,
		},
		"ended": {
			engine.Counts{Arrived: 2}, func(e *engine.Engine) { e.Close() },
			`the server was closed after 1 of 2 requests of token "alice"`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				e := newEngine(t, withUser("alice", fixtures.User{}))
				arrive(e, "alice")
				cause := errors.New("time is over")
				ctx, cancel := context.WithTimeoutCause(t.Context(), time.Minute, cause)
				defer cancel()
				if tt.end != nil {
					time.AfterFunc(time.Second, func() { tt.end(e) })
				}
				err := e.Await(ctx, engine.OfTokens("alice"), tt.least)
				if err == nil || err.Error() != tt.want {
					t.Errorf("the error is %v, want %s", err, tt.want)
				}
			})
		})
	}
}

// A wait ends after ten seconds, unless its context has a deadline.
func TestBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		ctx, cancel := engine.Bounded(t.Context())
		defer cancel()
		<-ctx.Done()
		const want = "context deadline exceeded after 10s; " +
			"give a context with a deadline to wait longer"
		err := context.Cause(ctx)
		if time.Since(start) != 10*time.Second || !errors.Is(err, context.DeadlineExceeded) ||
			err.Error() != want {
			t.Errorf("after %s it ends with %v, want %s", time.Since(start), err, want)
		}

		start = time.Now()
		longer, cancelLonger := context.WithTimeout(t.Context(), time.Minute)
		defer cancelLonger()
		ctx, cancel = engine.Bounded(longer)
		defer cancel()
		<-ctx.Done()
		if time.Since(start) != time.Minute {
			t.Errorf("with a deadline of a minute, it ends after %s", time.Since(start))
		}
	})
}
