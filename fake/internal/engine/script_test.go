package engine_test

import (
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"example.com/campaignfake/fake/internal/engine"
	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fixtures"
)

// Enqueued replies are played before the replies of the user, in their order. A reply that is
// played always stays behind later replies, and another reply that is played always replaces it.
func TestEnqueue(t *testing.T) {
	t.Parallel()
	always := func(status int) fixtures.Reply {
		return fixtures.Reply{Status: status, Times: fixtures.Always}
	}
	twice := fixtures.Reply{Status: 501, Times: 2}
	for name, tt := range map[string]struct {
		first  []fixtures.Reply
		sends  int // the number of requests before the second call
		second []fixtures.Reply
		before int // the number of replies that are played before the new ones
		want   []int
	}{
		"one after the other": {
			replies(501, 502), 0, replies(503), 2, []int{501, 502, 503, 418, 0},
		},
		"none": {
			[]fixtures.Reply{twice}, 1, nil, 1, []int{501, 418},
		},
		"before one that is played always": {
			[]fixtures.Reply{always(500)}, 3, []fixtures.Reply{twice}, 0, []int{501, 501, 500, 500},
		},
		"before the last of two": {
			[]fixtures.Reply{twice, always(500)}, 1, replies(502), 1, []int{501, 502, 500, 500},
		},
		"another that is played always": {
			[]fixtures.Reply{always(500)}, 0, []fixtures.Reply{twice, always(503)}, 0,
			[]int{501, 501, 503, 503},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := newEngine(t, withUser("alice", scripted(418)))
			must(t, e.Enqueue("alice", tt.first))
			statuses(e, "alice", tt.sends)
			queue := e.InForce().NewQueue("alice", tt.second, plan.DoorGo)
			before, err := e.PutReplies("alice", queue)
			must(t, err)
			got := statuses(e, "alice", len(tt.want))
			if before != tt.before || !slices.Equal(got, tt.want) {
				t.Errorf("behind %d others, the replies are %v; want %d, %v",
					before, got, tt.before, tt.want)
			}
		})
	}
}

// Requests within the rate limit take their turns. A request beyond it uses no reply up, and gets
// the number of whole seconds to wait.
func TestRateLimit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		user := scripted(501, 502, 503)
		user.RateLimit = &fixtures.RateLimit{Requests: 2, Per: 10 * time.Second}
		e := newEngine(t, withUser("alice", user))
		for i, step := range []struct {
			after  time.Duration
			wait   int
			status int
		}{
			{0, 0, 501},
			{0, 0, 502},
			{1500 * time.Millisecond, 4, 0},
			{3500 * time.Millisecond, 0, 503},
		} {
			time.Sleep(step.after)
			turn := arrive(e, "alice").Turn
			if turn.Wait != step.wait || statusOf(turn) != step.status {
				t.Errorf("request %d has to wait %d s and has status %d, want %d s and %d",
					i, turn.Wait, statusOf(turn), step.wait, step.status)
			}
		}
	})
}

// The time to wait is in whole seconds, at least one. A rounding error does not add a second.
func TestWholeSeconds(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		per, after time.Duration
		want       int
	}{
		{49 * time.Second, 0, 49},
		{49 * time.Second, time.Nanosecond, 49},
		{2 * time.Second, 2*time.Second - 2*time.Nanosecond, 1},
	} {
		synctest.Test(t, func(t *testing.T) {
			limit := fixtures.RateLimit{Requests: 1, Per: tt.per}
			e := newEngine(t, withUser("alice", fixtures.User{RateLimit: &limit}))
			arrive(e, "alice")
			time.Sleep(tt.after)
			if got := arrive(e, "alice").Turn.Wait; got != tt.want {
				t.Errorf("%s after one of one in %s, a request waits %d s, want %d",
					tt.after, tt.per, got, tt.want)
			}
		})
	}
}

// A user that is set starts from the beginning, with its replies and its rate limit.
func TestSetUserStartsFromTheBeginning(t *testing.T) {
	t.Parallel()
	e := newEngine(t)
	for range 2 {
		must(t, e.SetUser("alice", fixtures.User{
			Replies:   []fixtures.Reply{{Status: 503, Times: 2}},
			RateLimit: &fixtures.RateLimit{Requests: 1, Per: time.Hour},
		}))
		turn := arrive(e, "alice").Turn
		if turn.Wait != 0 || turn.Played != 1 {
			t.Errorf("the first request waits %d s, and its reply was played %d times",
				turn.Wait, turn.Played)
		}
	}
}

// At most a thousand replies of a token wait.
func TestQueueIsBounded(t *testing.T) {
	t.Parallel()
	e := newEngine(t, withUser("alice", fixtures.User{}))
	must(t, e.Enqueue("alice", make([]fixtures.Reply, 999)))
	err := e.Enqueue("alice", replies(501, 502))
	const want = `there is no room for so many replies of token "alice": 1001 would wait, ` +
		`and at most 1000 can`
	if !errors.Is(err, engine.ErrFull) || err.Error() != want {
		t.Errorf("the error is %v, want %s", err, want)
	}
	must(t, e.Enqueue("alice", replies(501)))
}
