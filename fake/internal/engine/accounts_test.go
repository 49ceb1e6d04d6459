package engine_test

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"weak"

	"example.com/campaignfake/fake/internal/engine"
	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fixtures"
	"example.com/campaignfake/fixtures/text"
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
			e.RemoveUsers(engine.OfRun("never-sent"), engine.KeepPast)
		},
		"remove and start anew": func(e *engine.Engine) {
			e.RemoveUsers(engine.OfRun("never-sent"), engine.ForgetPast)
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

// A token has the user that was given for it, or for what stands before one of its tildes, the last
// one first, or else that of unknown tokens.
func TestUserOfAToken(t *testing.T) {
	t.Parallel()
	const none = "none"
	type user struct {
		token   string // "" for that of unknown tokens
		isKnown bool
	}
	for setting, want := range map[string]map[string]user{
		fixtures.UnknownTokensReject: {
			"alice":                                  {"alice", true},
			"alice~1":                                {"alice", true},
			"alice~1~2":                              {"alice", true},
			"alice~":                                 {"alice", true},
			"alice~own":                              {"alice~own", true},
			"alice~own~1":                            {"alice~own", true},
			"alice~owner~1":                          {"alice", true},
			"put~1":                                  {"put", true},
			"nobody":                                 {none, false},
			"nobody~1":                               {none, false},
			"nobody~alice":                           {none, false},
			"alice@1":                                {none, false},
			"~alice":                                 {none, false},
			"~":                                      {none, false},
			"":                                       {none, false},
			strings.Repeat("~", 500_000):             {none, false},
			"alice" + strings.Repeat("~", 500_000):   {"alice", true},
			longest:                                  {longest, true},
			longest + strings.Repeat("~run", 10_000): {longest, true},
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
			withUser("alice~own", fixtures.User{}),
			withUser("bob", fixtures.User{}),
			withUser(longest, fixtures.User{}),
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
				t.Errorf("if unknown tokens are %q, %.20q has %+v, want %+v",
					setting, token, got, want)
			}
		}
	}
}

// longest is the longest token that a user can have.
var longest = strings.Repeat("x", text.MaxToken)

// A token keeps the user that answered its first request for the campaigns, until something is
// changed for the token itself. One that had no user keeps nothing, and looking changes nothing.
func TestTokensKeepTheirUser(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		before func(e *engine.Engine) // the user of alice is another one
		after  func(e *engine.Engine)
		token  string
		want   string
	}{
		"asked before": {
			before: func(e *engine.Engine) { arrive(e, "alice~1") },
			token:  "alice~1",
			want:   "old",
		},
		"not asked": {token: "alice~1", want: "new"},
		"asked for something else": {
			before: func(e *engine.Engine) { arriveAs(e, "alice~1", "GET", "/wrong") },
			token:  "alice~1",
			want:   "new",
		},
		"only looked at": {
			before: func(e *engine.Engine) {
				e.User("alice~1")
				e.Users(engine.Scope{})
				e.Unplayed(engine.Scope{})
				e.Release(engine.OfTokens("alice~1"))
				e.Enqueue("alice~1", nil)
			},
			token: "alice~1",
			want:  "new",
		},
		"only given replies": {
			before: func(e *engine.Engine) { e.Enqueue("alice~1", replies(503)) },
			token:  "alice~1",
			want:   "new",
		},
		"had none": {
			before: func(e *engine.Engine) { arrive(e, "later~1") },
			after:  func(e *engine.Engine) { e.SetUser("later", described("later")) },
			token:  "later~1",
			want:   "later",
		},
		"reset": {
			before: func(e *engine.Engine) { arrive(e, "alice~1") },
			after:  func(e *engine.Engine) { e.Reset(engine.OfTokens("alice~1")) },
			token:  "alice~1",
			want:   "new",
		},
		"a user of its own came and went": {
			before: func(e *engine.Engine) { arrive(e, "alice~1") },
			after: func(e *engine.Engine) {
				e.SetUser("alice~1", described("own"))
				e.RemoveUsers(engine.OfTokens("alice~1"), engine.KeepPast)
			},
			token: "alice~1",
			want:  "new",
		},
		"removed": {
			before: func(e *engine.Engine) { arrive(e, "alice~1") },
			after: func(e *engine.Engine) {
				e.RemoveUsers(engine.OfTokens("alice"), engine.KeepPast)
			},
			token: "alice~1",
			want:  "old",
		},
		"a nearer user": {
			after: func(e *engine.Engine) { e.SetUser("alice~1", described("nearer")) },
			token: "alice~1~2",
			want:  "nearer",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := newEngine(t, withUser("alice", described("old")))
			if tt.before != nil {
				tt.before(e)
			}
			err := e.SetUser("alice", described("new"))
			if err != nil {
				t.Fatal(err)
			}
			if tt.after != nil {
				tt.after(e)
			}
			if got := descriptionOf(e, tt.token); got != tt.want {
				t.Errorf("the next request gets the user %q, want %q", got, tt.want)
			}
			if got := arrive(e, tt.token).User.Fixture.Description; got != tt.want {
				t.Errorf("the user is %q, want %q", got, tt.want)
			}
		})
	}
}

// A copy has the user that the other token had, whatever becomes of that, and nobody owes its
// replies. It has a life of its own.
func TestCopies(t *testing.T) {
	t.Parallel()
	e := newEngine(t, withUser("flaky", scripted(503, 504)))
	arrive(e, "login")
	created, err := e.PutUserLike("login", "flaky", engine.KeepPast)
	if err != nil || !created {
		t.Errorf("created %t, %v", created, err)
	}
	if got, want := arrive(e, "login").User, e.InForce().User("flaky"); got != want {
		t.Errorf("the copy is %+v, want the user itself", got)
	}
	err = e.SetUser("flaky", scripted(501))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := statuses(e, "login", 2), []int{504, 0}; !slices.Equal(got, want) {
		t.Errorf("the copy is answered %v, want %v", got, want)
	}
	if got, want := statuses(e, "login~1", 1), []int{503}; !slices.Equal(got, want) {
		t.Errorf("a run of the copy is answered %v, want %v", got, want)
	}
	created, err = e.PutUserLike("login", "flaky", engine.ForgetPast)
	if err != nil || created {
		t.Errorf("once more, created %t, %v", created, err)
	}
	if got := e.User("login"); got.Requests != 0 || got.Given.Token != "flaky" {
		t.Errorf("after a copy anew, the token has %+v", got)
	}
	if got, want := owed(e), []string{"flaky: reply 1 of 1 (501): never played"}; !slices.Equal(
		got, want) {
		t.Errorf("unplayed are %q, want %q", got, want)
	}
	e.Reset(engine.OfTokens("login"))
	if got := descriptionOf(e, "login"); got != "none" {
		t.Errorf("after a reset, the user is %q", got)
	}
	var noUser engine.NoUserError
	_, err = e.PutUserLike("login", "flaky~1", engine.KeepPast)
	if !errors.As(err, &noUser) || noUser.Token != "flaky~1" {
		t.Errorf("a run is copied: %v", err)
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
	e := newEngine(t, func(s *plan.Setup) { s.SetUser("alice", scripted(503), plan.DoorFile) })
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
