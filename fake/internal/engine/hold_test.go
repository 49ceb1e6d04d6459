package engine_test

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"example.com/campaignfake/fake/internal/engine"
	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fixtures"
)

func held() fixtures.User {
	return fixtures.User{Delay: &fixtures.Delay{UntilReleased: true}}
}

// The requests of a token are released together, and those that come later wait for the next time.
func TestRelease(t *testing.T) {
	t.Parallel()
	e := newEngine(t, withUser("alice", held()), withUser("bob", held()))
	first := arrive(e, "alice").Turn.Hold
	second := arrive(e, "alice").Turn.Hold
	other := arrive(e, "bob").Turn.Hold
	got := e.Release(engine.OfTokens("alice")).Requests
	if got != 2 || !isReleased(first) || !isReleased(second) {
		t.Errorf("%d requests are released, want 2", got)
	}
	if isReleased(other) {
		t.Error("the request of another token is released")
	}
	third := arrive(e, "alice").Turn.Hold
	if isReleased(third) {
		t.Error("a request that came later is released")
	}
	third.Waiting.Add(-1) // its client has gone away
	if got := e.Release(engine.OfTokens("alice")).Requests; got != 0 || !isReleased(third) {
		t.Errorf("%d requests are released, want none", got)
	}
	if got := e.Release(engine.OfTokens("alice")).Requests; got != 0 {
		t.Errorf("%d requests are released when none is held", got)
	}
}

// A request is held in the journal as soon as it has arrived, so that a test that has awaited it
// can see that.
func TestRequestIsHeldFromItsArrival(t *testing.T) {
	t.Parallel()
	e := newEngine(t, withUser("alice", held()), withUser("bob", fixtures.User{}))
	arrive(e, "alice")
	arrive(e, "bob")
	for _, entry := range e.Requests(engine.Scope{}) {
		want := entry.Request.Token == "alice"
		if entry.Request.Held != want {
			t.Errorf("of %s, held is %t, want %t", entry.Request.Token, entry.Request.Held, want)
		}
	}
	if got := len(e.Requests(engine.Scope{})); got != 2 {
		t.Errorf("%d requests are in the journal, want 2", got)
	}
}

// A reply that is held until released counts once, and holds every request that comes before the
// release. What was enqueued meanwhile comes then, and the user's own delay holds again.
func TestReplyHoldsUntilReleased(t *testing.T) {
	t.Parallel()
	until := &fixtures.Delay{UntilReleased: true}
	hold := fixtures.Reply{Status: 201, Delay: until}
	always := fixtures.Reply{Status: 201, Delay: until, Times: fixtures.Always}
	delayed := held()
	delayed.Replies = []fixtures.Reply{hold, {Status: 503}, {Status: 504, Delay: &fixtures.Delay{}}}
	repeated := fixtures.User{Replies: []fixtures.Reply{hold}, Repeat: true}
	const release, enqueue, set, drop = -1, -2, -3, -4
	for name, tt := range map[string]struct {
		user    fixtures.User
		enqueue []fixtures.Reply
		steps   []int // the status of a request's reply, negative for other steps
		holds   []bool
	}{
		"of the user": {
			user:  fixtures.User{Replies: []fixtures.Reply{hold, {Status: 503}}},
			steps: []int{201, 201, 201, release, 503, 0},
			holds: []bool{true, true, true, false, false},
		},
		"enqueued": {
			user:    scripted(503),
			enqueue: []fixtures.Reply{hold, {Status: 502}},
			steps:   []int{enqueue, 201, 201, release, 502, 503},
			holds:   []bool{true, true, false, false},
		},
		"beside the delay of the user": {
			user:  delayed,
			steps: []int{201, 201, release, 503, 504, 0, release, 0},
			holds: []bool{true, true, true, false, true, true},
		},
		"always": {
			user:  fixtures.User{Replies: []fixtures.Reply{always}},
			steps: []int{201, 201, release, 201},
			holds: []bool{true, true, true},
		},
		"repeated": {
			user:  repeated,
			steps: []int{201, 201, release, 201, 201},
			holds: []bool{true, true, true, true},
		},
		"others are enqueued meanwhile": {
			user:    fixtures.User{Replies: []fixtures.Reply{hold, {Status: 503}}},
			enqueue: replies(502),
			steps:   []int{201, enqueue, 201, release, 502, 503},
			holds:   []bool{true, true, false, false},
		},
		"another user is set meanwhile": {
			user:  fixtures.User{Replies: []fixtures.Reply{hold}},
			steps: []int{201, set, 418, 0},
			holds: []bool{true, false, false},
		},
		"another user is set beside an enqueued one": {
			enqueue: []fixtures.Reply{hold},
			steps:   []int{enqueue, 201, set, 418, release, 0},
			holds:   []bool{true, false, false},
		},
		"dropped meanwhile": {
			enqueue: []fixtures.Reply{hold, {Status: 503}},
			steps:   []int{enqueue, 201, drop, 0, release, 0},
			holds:   []bool{true, false, false},
		},
		"always, and dropped meanwhile": {
			enqueue: []fixtures.Reply{always},
			steps:   []int{enqueue, 201, drop, 0, release, 0},
			holds:   []bool{true, false, false},
		},
		"others are dropped meanwhile": {
			user:    fixtures.User{Replies: []fixtures.Reply{hold}},
			enqueue: replies(502),
			steps:   []int{201, enqueue, drop, 201, release, 0},
			holds:   []bool{true, true, false},
		},
		"released before": {
			user:  fixtures.User{Replies: []fixtures.Reply{hold}},
			steps: []int{release, 201, release, 0},
			holds: []bool{true, false},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := newEngine(t, withUser("alice", tt.user))
			var got []int
			var holds []bool
			for _, step := range tt.steps {
				switch step {
				case release:
					e.Release(engine.OfTokens("alice"))
				case enqueue:
					e.Enqueue("alice", tt.enqueue)
				case set:
					e.SetUser("alice", scripted(418))
				case drop:
					e.DropReplies("alice")
				default:
					arrival := arrive(e, "alice")
					status := 0
					if arrival.Turn.Reply != nil {
						status = arrival.Turn.Reply.Fixture.Status
					}
					got = append(got, status)
					holds = append(holds, arrival.Turn.Hold != nil)
				}
			}
			isStep := func(step int) bool { return step < 0 }
			want := slices.DeleteFunc(slices.Clone(tt.steps), isStep)
			if !slices.Equal(got, want) || !slices.Equal(holds, tt.holds) {
				t.Errorf("the replies are %v, held %v; want %v, %v", got, holds, want, tt.holds)
			}
		})
	}
}

// A reply that holds counts as played once its first request has arrived, and not again.
func TestHoldIsPlayedOnce(t *testing.T) {
	t.Parallel()
	user := fixtures.User{Replies: []fixtures.Reply{{Delay: &fixtures.Delay{UntilReleased: true}}}}
	e := newEngine(t, withUser("alice", user))
	if got := len(owed(e)); got != 1 {
		t.Errorf("at first %d replies are unplayed", got)
	}
	first := arrive(e, "alice")
	second := arrive(e, "alice")
	if first.Turn.Played != 1 || second.Turn.Played != 1 || len(owed(e)) != 0 ||
		len(e.User("alice").Waiting) != 0 {
		t.Errorf("it was played %d and %d times, and is owed: %q",
			first.Turn.Played, second.Turn.Played, owed(e))
	}
	e.Reset(engine.OfTokens("alice"))
	if got := arrive(e, "alice"); got.Turn.Hold == nil || got.Turn.Hold == first.Turn.Hold {
		t.Error("after a reset, the reply holds nothing")
	}
}

// A release is early if nothing is held, though the next request will be.
func TestEarlyRelease(t *testing.T) {
	t.Parallel()
	until := &fixtures.Delay{UntilReleased: true}
	hold := fixtures.Reply{Delay: until}
	shortThenHold := []fixtures.Reply{{Delay: &fixtures.Delay{Fixed: 1}}, hold}
	giveUp := func(e *engine.Engine) { arrive(e, "alice").Turn.Hold.Waiting.Add(-1) }
	for name, tt := range map[string]struct {
		user   fixtures.User
		before func(e *engine.Engine)
		token  string // alice, unless it is given
		want   bool
	}{
		"the delay of the user": {user: held(), want: true},
		"of a run":              {user: held(), token: "alice~1", want: true},
		"a reply of the user":   {user: fixtures.User{Replies: []fixtures.Reply{hold}}, want: true},
		"one that was enqueued": {
			before: func(e *engine.Engine) { e.Enqueue("alice", []fixtures.Reply{hold}) },
			want:   true,
		},
		"the one after the next": {user: fixtures.User{Delay: until, Replies: shortThenHold}},
		"no delay":               {},
		"nobody":                 {user: held(), token: "bob"},
		"no token":               {user: held(), token: "-"},
		"one is held": {
			user:   held(),
			before: func(e *engine.Engine) { arrive(e, "alice") },
		},
		"one was held that its client gave up": {
			user:   held(),
			before: giveUp,
			want:   true,
		},
		"a reply held one that its client gave up": {
			user:   fixtures.User{Replies: []fixtures.Reply{hold}},
			before: giveUp,
		},
		"a reply held one that its client gave up, and another holds the next": {
			user:   fixtures.User{Replies: []fixtures.Reply{hold, hold}},
			before: giveUp,
		},
		"a reply was released": {
			user: fixtures.User{Replies: []fixtures.Reply{hold}},
			before: func(e *engine.Engine) {
				arrive(e, "alice")
				e.Release(engine.OfTokens("alice"))
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := newEngine(t, withUser("alice", tt.user))
			if tt.before != nil {
				tt.before(e)
			}
			token := strings.TrimPrefix(cmp.Or(tt.token, "alice"), "-")
			if got := e.Release(engine.OfTokens(token)); got.IsEarly != tt.want {
				t.Errorf("the release comes to %+v, want that it is early: %t", got, tt.want)
			}
		})
	}
	e := newEngine(t, withUser("alice", held()))
	arrive(e, "alice~T")
	if got := e.Release(engine.OfRun("T")); got != (engine.Release{Requests: 1}) {
		t.Errorf("the release of a test comes to %+v", got)
	}
	if got := e.Release(engine.OfRun("T")); !got.IsEarly {
		t.Errorf("another one comes to %+v", got)
	}
}

// A token of a test that starts anew, or loses its user, holds nothing any more.
func TestChangesThatRelease(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		change func(e *engine.Engine)
		want   bool
	}{
		"reset":     {func(e *engine.Engine) { e.Reset(engine.OfTokens("alice")) }, true},
		"all reset": {func(e *engine.Engine) { e.Reset(engine.Scope{}) }, true},
		"removed": {
			change: func(e *engine.Engine) {
				e.RemoveUsers(engine.OfTokens("alice"), engine.KeepPast)
			},
			want: true,
		},
		"removed with its past": {
			change: func(e *engine.Engine) {
				e.RemoveUsers(engine.OfTokens("alice"), engine.ForgetPast)
			},
			want: true,
		},
		"put anew": {
			change: func(e *engine.Engine) {
				user := e.InForce().NewUser("alice", fixtures.User{}, plan.DoorFile)
				e.PutUser(user, engine.ForgetPast)
			},
			want: true,
		},
		"dropped":       {func(e *engine.Engine) { e.DropReplies("alice") }, false},
		"set":           {func(e *engine.Engine) { e.SetUser("alice", fixtures.User{}) }, false},
		"cleared":       {func(e *engine.Engine) { e.Clear(engine.OfTokens("alice")) }, false},
		"another reset": {func(e *engine.Engine) { e.Reset(engine.OfTokens("bob")) }, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := newEngine(t, withUser("alice", held()))
			hold := arrive(e, "alice").Turn.Hold
			tt.change(e)
			if got := isReleased(hold); got != tt.want {
				t.Errorf("that the request is released is %t, want %t", got, tt.want)
			}
		})
	}
}
