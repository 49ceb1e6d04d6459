package engine_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"weak"

	"example.com/campaignfake/fake/internal/engine"
	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fixtures"
)

// Of tokens that have only sent requests, ten thousand are remembered, the most recent. One that is
// forgotten releases its requests, since nobody can do that any more.
func TestOldestTokenIsForgotten(t *testing.T) {
	t.Parallel()
	e := newEngine(t, withService(fixtures.Service{
		UnknownTokens: fixtures.UnknownTokensGenerate,
		Delay:         &fixtures.Delay{UntilReleased: true},
	}))
	oldest := arrive(e, "oldest")
	second := arrive(e, "second")
	arrive(e, "") // whose account is not one of them
	arriveFromMany(e, 9_998)
	if isReleased(oldest.Turn.Hold) {
		t.Error("the request of the oldest token is released while there is room")
	}
	arrive(e, "second") // which makes it the most recent
	arrive(e, "one-more")
	arrive(e, "and-another")
	if !isReleased(oldest.Turn.Hold) {
		t.Error("the request of a token that was forgotten is still held")
	}
	if isReleased(second.Turn.Hold) {
		t.Error("the request of a token that was used again is released")
	}
	for token, want := range map[string]int{
		"oldest":  0,
		"token-0": 0,
		"token-1": 1,
		"second":  2,
		"":        1,
	} {
		if got := e.Count(engine.OfTokens(token)).Arrived; got != want {
			t.Errorf("%d requests of %q are counted, want %d", got, token, want)
		}
	}
}

// A call for a token that nobody knows leaves alone all that is remembered of others.
func TestCallsForUnknownTokensForgetNobody(t *testing.T) {
	t.Parallel()
	for name, call := range map[string]func(e *engine.Engine){
		"reset":   func(e *engine.Engine) { e.Reset(engine.OfTokens("never-sent")) },
		"release": func(e *engine.Engine) { e.Release(engine.OfTokens("never-sent")) },
		"look":    func(e *engine.Engine) { e.User("never-sent") },
		"count":   func(e *engine.Engine) { e.Count(engine.OfTokens("never-sent")) },
		"remove": func(e *engine.Engine) {
			e.RemoveUsers(engine.OfTest("never-sent"), engine.KeepPast)
		},
		"remove and start anew": func(e *engine.Engine) {
			e.RemoveUsers(engine.OfTest("never-sent"), engine.ForgetPast)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := newEngine(t)
			arriveFromMany(e, 10_000)
			call(e)
			if got := e.Count(engine.OfTokens("token-0")).Arrived; got != 1 {
				t.Errorf("%d requests of the oldest token are counted, want 1", got)
			}
		})
	}
}

// arriveFromMany has a request arrive from each of many tokens, token-0 and those that follow.
func arriveFromMany(e *engine.Engine, tokens int) {
	for i := range tokens {
		arrive(e, fmt.Sprint("token-", i))
	}
}

func isReleased(hold *engine.Hold) bool {
	select {
	case <-hold.Released:
		return true
	default:
		return false
	}
}

// A token whose replies were dropped, and that has no user of its own, is like one that has only
// sent requests: it is in no list of users, its counts stay, and it is forgotten in time.
func TestDroppedRepliesRememberNobody(t *testing.T) {
	t.Parallel()
	e := newEngine(t,
		withUnknown(fixtures.UnknownTokensGenerate),
		withUser("alice", fixtures.User{}),
	)
	for _, token := range []string{"alice", "bob"} {
		arrive(e, token)
		err := e.Enqueue(token, replies(503))
		if err == nil {
			err = e.DropReplies(token)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	users := e.Users(engine.Scope{})
	if len(users) != 1 || users[0].Token != "alice" {
		t.Errorf("the users are %+v, want alice", users)
	}
	if arrival := arrive(e, "bob"); arrival.IsKnown || arrival.Turn.Number != 2 {
		t.Errorf("the next request of bob has %+v, want the second one of an unknown token",
			arrival)
	}
	arriveFromMany(e, 10_000)
	for token, want := range map[string]int{"alice": 1, "bob": 0} {
		if got := e.Count(engine.OfTokens(token)).Arrived; got != want {
			t.Errorf("%d requests of %s are counted, want %d", got, token, want)
		}
	}
}

// A request that is held is released when its token is forgotten, because its replies were dropped
// and it is too long to be remembered for its requests alone.
func TestDroppedRepliesReleaseALongToken(t *testing.T) {
	t.Parallel()
	e := newEngine(t, withService(fixtures.Service{
		UnknownTokens: fixtures.UnknownTokensGenerate,
		Delay:         &fixtures.Delay{UntilReleased: true},
	}))
	for _, tt := range []struct {
		name, token  string
		wantReleased bool
	}{
		{"short", "bob", false},
		{"too long", strings.Repeat("x", engine.LongestRecent+1), true},
	} {
		err := e.Enqueue(tt.token, []fixtures.Reply{{Times: 2}})
		if err != nil {
			t.Fatal(err)
		}
		arrival := arrive(e, tt.token)
		err = e.DropReplies(tt.token)
		if err != nil {
			t.Fatal(err)
		}
		if got := isReleased(arrival.Turn.Hold); got != tt.wantReleased {
			t.Errorf("%s: the request is released: %t", tt.name, got)
		}
	}
}

// A token for which something was given is never forgotten, nor one without a token.
func TestGivenTokensAreRemembered(t *testing.T) {
	t.Parallel()
	e := newEngine(t,
		withUnknown(fixtures.UnknownTokensGenerate),
		withUser("alice", fixtures.User{}),
	)
	err := e.Enqueue("enqueued", replies(503))
	if err != nil {
		t.Fatal(err)
	}
	tokens := []string{"alice", "enqueued", ""}
	for _, token := range tokens {
		arrive(e, token)
	}
	arriveFromMany(e, 10_001)
	for _, token := range tokens {
		if got := e.Count(engine.OfTokens(token)).Arrived; got != 1 {
			t.Errorf("%d requests of %q are counted, want 1", got, token)
		}
	}
}

// A token that is longer than those of logins is answered, and leaves nothing behind.
func TestLongTokensAreNotRemembered(t *testing.T) {
	t.Parallel()
	e := newEngine(t, withUnknown(fixtures.UnknownTokensGenerate))
	for length, want := range map[int]int{2048: 1, 2049: 0} {
		token := strings.Repeat("x", length)
		if arrive(e, token).User == nil {
			t.Errorf("a token of %d bytes has no user", length)
		}
		if got := e.Count(engine.OfTokens(token)).Arrived; got != want {
			t.Errorf("%d requests of a token of %d bytes are counted, want %d", got, length, want)
		}
	}
}

// A token without a user of its own is like the one before its first tilde, or like that of
// unknown tokens.
func TestLikeness(t *testing.T) {
	t.Parallel()
	const none = "none"
	type user struct {
		token   string // "" for that of unknown tokens
		isKnown bool
	}
	for setting, want := range map[string]map[string]user{
		fixtures.UnknownTokensReject: {
			"alice":     {"alice", true},
			"alice~1":   {"alice", true},
			"alice~1~2": {"alice", true},
			"alice~":    {"alice", true},
			"put~1":     {"put", true},
			"nobody":    {none, false},
			"nobody~1":  {none, false},
			"~alice":    {none, false},
			"":          {none, false},
		},
		fixtures.UnknownTokensGenerate: {
			"alice":    {"alice", true},
			"alice~1":  {"alice", true},
			"nobody":   {"", false},
			"nobody~1": {"", false},
			"~":        {"", false},
			"":         {none, false},
		},
		fixtures.UnknownTokensLike + "bob": {
			"alice~1":  {"alice", true},
			"nobody":   {"bob", false},
			"nobody~1": {"bob", false},
			"bob~1":    {"bob", true},
			"":         {none, false},
		},
	} {
		e := newEngine(t,
			withUnknown(setting),
			withUser("alice", fixtures.User{}),
			withUser("bob", fixtures.User{}),
		)
		err := e.SetUser("put", fixtures.User{})
		if err != nil {
			t.Fatal(err)
		}
		for token, want := range want {
			arrival := arrive(e, token)
			got := user{none, arrival.IsKnown}
			if arrival.User != nil {
				got.token = arrival.User.Token
			}
			if got != want {
				t.Errorf("if unknown tokens are %q, %q has %+v, want %+v",
					setting, token, got, want)
			}
		}
	}
}

// A user that was removed, with replies that were played, is not kept in memory.
func TestFormerUsersAreForgotten(t *testing.T) {
	t.Parallel()
	changes := map[string]func(e *engine.Engine) error{
		"replaced": func(e *engine.Engine) error { return e.SetUser("alice", fixtures.User{}) },
		"removed": func(e *engine.Engine) error {
			return e.RemoveUsers(engine.OfTokens("alice"), engine.KeepPast)
		},
		"reset": func(e *engine.Engine) error {
			e.Reset(engine.OfTokens("alice"))
			return nil
		},
		"all reset": func(e *engine.Engine) error {
			e.Reset(engine.Scope{})
			return nil
		},
	}
	for name, change := range changes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := newEngine(t)
			former := played(t, e)
			err := change(e)
			if err != nil {
				t.Fatal(err)
			}
			runtime.GC()
			if former.Value() != nil {
				t.Error("the former user is still in memory")
			}
			runtime.KeepAlive(e)
		})
	}
}

// Replies that were all played are owed by nobody any more, as long as a token has their user, or
// gets it by a reset.
func TestPlayedRepliesAreNotOwedAgain(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		start  map[string]fixtures.User
		change func(e *engine.Engine) error
	}{
		"another user is set": {
			change: func(e *engine.Engine) error {
				err := e.SetUser("alice", scripted(503))
				if err != nil {
					return err
				}
				arrive(e, "alice~1")
				return e.SetUser("bob", fixtures.User{})
			},
		},
		"the user is replaced, and comes back": {
			start: map[string]fixtures.User{"alice": scripted(503)},
			change: func(e *engine.Engine) error {
				arrive(e, "alice")
				err := e.SetUser("alice", fixtures.User{})
				e.Reset(engine.OfTokens("alice"))
				return err
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var options []func(*plan.Setup)
			for token, user := range tt.start {
				options = append(options, withUser(token, user))
			}
			e := newEngine(t, options...)
			err := tt.change(e)
			if err != nil {
				t.Fatal(err)
			}
			owed := e.Unplayed(engine.Scope{})
			if len(owed) > 0 {
				t.Errorf("replies are owed that were played: %v", owed)
			}
		})
	}
}

// A user of the fixtures is not kept in memory either once others were read.
func TestFormerUsersOfFixturesAreForgotten(t *testing.T) {
	t.Parallel()
	e := newEngine(t, func(s *plan.Setup) { s.SetUser("alice", scripted(503), plan.OfFile) })
	former := weak.Make(arrive(e, "alice").User)
	err := e.Reload()
	if err != nil {
		t.Fatal(err)
	}
	runtime.GC()
	if former.Value() != nil {
		t.Error("the former user is still in memory")
	}
	runtime.KeepAlive(e)
}

// A token whose user is removed keeps its counts, as one that has only sent requests.
func TestCountsOfRemovedUsers(t *testing.T) {
	t.Parallel()
	e := newEngine(t, withUser("alice", fixtures.User{}))
	arrive(e, "alice")
	err := e.RemoveUsers(engine.OfTokens("alice"), engine.KeepPast)
	if err != nil {
		t.Fatal(err)
	}
	if status := e.User("alice"); status.Requests != 1 || status.Known || status.User != nil {
		t.Errorf("alice has %+v", status)
	}
}

// played gives alice a user whose replies are played.
func played(t *testing.T, e *engine.Engine) weak.Pointer[plan.User] {
	t.Helper()
	err := e.SetUser("alice", scripted(503))
	if err != nil {
		t.Fatal(err)
	}
	return weak.Make(arrive(e, "alice").User)
}
