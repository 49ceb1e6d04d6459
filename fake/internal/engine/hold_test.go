package engine_test

import (
	"fmt"
	"strings"
	"testing"

	"example.com/campaignfake/fake/internal/engine"
	"example.com/campaignfake/fixtures"
)

func held() fixtures.User {
	return fixtures.User{Delay: &fixtures.Delay{UntilReleased: true}}
}

// The held requests of a token are released together, and later requests wait for the next release.
// The journal says that a request is held as soon as it arrives, for tests that await it.
func TestRelease(t *testing.T) {
	t.Parallel()
	e := newEngine(t, withUser("alice", held()), withUser("bob", held()))
	first := arrive(e, "alice").Turn.Hold
	second := arrive(e, "alice").Turn.Hold
	other := arrive(e, "bob").Turn.Hold
	if !e.Requests(engine.OfTokens("alice"))[1].Request.Held {
		t.Error("the journal does not say that a request is held")
	}
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
	third.Waiting.Add(-1) // the client has gone away
	if got := e.Release(engine.OfTokens("alice")).Requests; got != 0 || !isReleased(third) {
		t.Errorf("%d requests are released, want none", got)
	}
}

// A reply that is held until released counts once, and holds every request that comes before the
// release. After the release come the replies that were enqueued meanwhile, and the user's own
// delay holds requests again.
func TestReplyHoldsUntilReleased(t *testing.T) {
	t.Parallel()
	until := &fixtures.Delay{UntilReleased: true}
	hold := fixtures.Reply{Status: 201, Delay: until}
	always := fixtures.Reply{Status: 201, Delay: until, Times: fixtures.Always}
	notHeld := fixtures.Reply{Status: 504, Delay: &fixtures.Delay{}}
	alice := engine.OfTokens("alice")
	calls := map[string]func(e *engine.Engine){
		"release":      func(e *engine.Engine) { e.Release(alice) },
		"enqueue":      func(e *engine.Engine) { e.Enqueue("alice", replies(502)) },
		"enqueue-held": func(e *engine.Engine) { e.Enqueue("alice", []fixtures.Reply{hold}) },
		"set":          func(e *engine.Engine) { e.SetUser("alice", scripted(418)) },
		"drop":         func(e *engine.Engine) { e.DropReplies("alice") },
	}
	for _, tt := range []struct {
		delay   *fixtures.Delay
		replies []fixtures.Reply
		want    string // calls, and the statuses of the replies to requests; + for a held request
	}{
		{nil, []fixtures.Reply{hold, {Status: 503}}, "201+ 201+ 201+ release 503 0"},
		{until, []fixtures.Reply{hold, {Status: 503}, notHeld},
			"201+ 201+ release 503+ 504 0+ release 0+"},
		{nil, []fixtures.Reply{always}, "201+ 201+ release 201+"},
		{nil, []fixtures.Reply{hold, {Status: 503}}, "201+ enqueue 201+ release 502 503"},
		{nil, []fixtures.Reply{hold}, "201+ set 418 0"},
		{nil, []fixtures.Reply{hold}, "201+ enqueue drop 201+ release 0"},
		{nil, nil, "enqueue-held 201+ set 418 release 0"},
		{nil, nil, "enqueue-held enqueue 201+ drop 0 release 0"},
	} {
		e := newEngine(t, withUser("alice", fixtures.User{Delay: tt.delay, Replies: tt.replies}))
		var got []string
		for step := range strings.FieldsSeq(tt.want) {
			call, isCall := calls[step]
			if isCall {
				call(e)
				got = append(got, step)
				continue
			}
			turn := arrive(e, "alice").Turn
			answer := fmt.Sprint(statusOf(turn))
			if turn.Hold != nil {
				answer += "+"
			}
			got = append(got, answer)
		}
		if got := strings.Join(got, " "); got != tt.want {
			t.Errorf("the replies are\n%s\nwant\n%s", got, tt.want)
		}
	}
}

// A release is early if no request is held, but the next request will be held.
func TestEarlyRelease(t *testing.T) {
	t.Parallel()
	hold := []fixtures.Reply{{Delay: &fixtures.Delay{UntilReleased: true}}}
	delayed := held()
	delayed.Replies = []fixtures.Reply{{Delay: &fixtures.Delay{Fixed: 1}}}
	ask := func(e *engine.Engine) { arrive(e, "alice") }
	giveUp := func(e *engine.Engine) { arrive(e, "alice").Turn.Hold.Waiting.Add(-1) }
	enqueue := func(e *engine.Engine) { e.Enqueue("alice", hold) }
	nothing := func(*engine.Engine) {}
	for name, tt := range map[string]struct {
		user   fixtures.User
		before func(e *engine.Engine)
		want   bool
	}{
		"no delay":                                 {fixtures.User{}, nothing, false},
		"the delay of the user":                    {held(), nothing, true},
		"a reply of the user":                      {fixtures.User{Replies: hold}, nothing, true},
		"one that was enqueued":                    {fixtures.User{}, enqueue, true},
		"the next has another delay":               {delayed, nothing, false},
		"one is held":                              {held(), ask, false},
		"one was held that its client gave up":     {held(), giveUp, true},
		"a reply held one that its client gave up": {fixtures.User{Replies: hold}, giveUp, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := newEngine(t, withUser("alice", tt.user))
			tt.before(e)
			if got := e.Release(engine.OfTokens("alice")); got.IsEarly != tt.want {
				t.Errorf("the release comes to %+v, want that it is early: %t", got, tt.want)
			}
		})
	}
}

// A token of a test that starts anew, or loses its user, holds nothing any more.
func TestChangesThatRelease(t *testing.T) {
	t.Parallel()
	alice := engine.OfTokens("alice")
	for name, tt := range map[string]struct {
		change func(e *engine.Engine)
		want   bool
	}{
		"reset":     {func(e *engine.Engine) { e.Reset(alice) }, true},
		"all reset": {func(e *engine.Engine) { e.Reset(engine.Scope{}) }, true},
		"removed":   {func(e *engine.Engine) { e.RemoveUsers(alice, engine.KeepPast) }, true},
		"forgotten": {func(e *engine.Engine) { e.RemoveUsers(alice, engine.ForgetPast) }, true},
		"put anew": {
			func(e *engine.Engine) { e.PutUserLike("alice", "alice", engine.ForgetPast) }, true,
		},
		"dropped": {func(e *engine.Engine) { e.DropReplies("alice") }, false},
		"set":     {func(e *engine.Engine) { e.SetUser("alice", fixtures.User{}) }, false},
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
