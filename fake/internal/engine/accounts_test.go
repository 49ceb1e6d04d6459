package engine_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.com/campaignfake/fake/internal/engine"
	"example.com/campaignfake/fixtures"
)

// The engine remembers the most recent ten thousand tokens that have only sent requests. When it
// forgets a token, it releases the held requests of the token, since nobody else can do that any
// more. It never forgets tokens for which a user or replies were given, nor requests without a
// token.
func TestOldestTokenIsForgotten(t *testing.T) {
	t.Parallel()
	e := newEngine(t,
		withService(fixtures.Service{
			UnknownTokens: fixtures.UnknownTokensGenerate,
			Delay:         &fixtures.Delay{UntilReleased: true},
		}),
		withUser("alice", fixtures.User{}),
	)
	must(t, e.Enqueue("enqueued", replies(503)))
	for _, token := range []string{"alice", "enqueued", ""} {
		arrive(e, token)
	}
	oldest := arrive(e, "oldest")
	second := arrive(e, "second")
	for i := range 9_998 {
		arrive(e, fmt.Sprint("token-", i))
	}
	if isReleased(oldest.Turn.Hold) {
		t.Error("the request of the oldest token is released while there is room")
	}
	arrive(e, "second") // this makes it the most recent token
	arrive(e, "one-more")
	arrive(e, "and-another")
	if !isReleased(oldest.Turn.Hold) || isReleased(second.Turn.Hold) {
		t.Error("a request of a forgotten token is held, or one that was used again is not")
	}
	for token, want := range map[string]int{
		"oldest":   0,
		"token-0":  0,
		"token-1":  1,
		"second":   2,
		"alice":    1,
		"enqueued": 1,
		"":         1,
	} {
		if got := e.Count(engine.OfTokens(token)).Arrived; got != want {
			t.Errorf("%d requests of %q are counted, want %d", got, token, want)
		}
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

// A token without a user of its own becomes an unknown token again when its replies are dropped.
// Its counts and turns go on.
func TestDroppedReplies(t *testing.T) {
	t.Parallel()
	e := newEngine(t,
		withUnknown(fixtures.UnknownTokensGenerate),
		withUser("alice", fixtures.User{}),
	)
	for _, token := range []string{"alice", "bob"} {
		arrive(e, token)
		must(t, e.Enqueue(token, replies(503)))
		must(t, e.DropReplies(token))
	}
	if got := usersOf(e, engine.Scope{}); !slices.Equal(got, []string{"alice"}) {
		t.Errorf("the users are %q, want alice", got)
	}
	if got := arrive(e, "bob"); got.IsKnown || got.Turn.Number != 2 || got.Turn.Reply != nil {
		t.Errorf("the next request of bob has %+v, want the second one of an unknown token", got)
	}
}

// A token has the user that was given for the token itself, or for the part before one of its
// tildes, the last tilde first, or else the user of unknown tokens.
func TestUserOfAToken(t *testing.T) {
	t.Parallel()
	const none = "none"
	type user struct {
		token   string // "" for the user of unknown tokens
		isKnown bool
	}
	for setting, want := range map[string]map[string]user{
		fixtures.UnknownTokensReject: {
			"alice":                                {"alice", true},
			"alice~1":                              {"alice", true},
			"alice~":                               {"alice", true},
			"alice~own":                            {"alice~own", true},
			"alice~own~1":                          {"alice~own", true},
			"alice~owner~1":                        {"alice", true},
			"alice" + strings.Repeat("~", 500_000): {"alice", true}, // takes milliseconds
			"put~1":                                {"put", true},
			"nobody~alice":                         {none, false},
			"~alice":                               {none, false},
			"":                                     {none, false},
		},
		fixtures.UnknownTokensGenerate: {
			"alice~1":  {"alice", true},
			"nobody~1": {"", false},
			"":         {none, false},
		},
		fixtures.UnknownTokensLike + "bob": {
			"alice~1":  {"alice", true},
			"bob~1":    {"bob", true},
			"nobody~1": {"bob", false},
			"":         {none, false},
		},
	} {
		e := newEngine(t,
			withUnknown(setting),
			withUser("alice", fixtures.User{}),
			withUser("alice~own", fixtures.User{}),
			withUser("bob", fixtures.User{}),
		)
		must(t, e.SetUser("put", fixtures.User{}))
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

// A token keeps the user that answered its first request for the campaigns, until something is
// changed for the token itself. A token that had no user keeps nothing, and reading the state
// changes nothing.
func TestTokensKeepTheirUser(t *testing.T) {
	t.Parallel()
	ask := func(e *engine.Engine) { arrive(e, "alice~1") }
	for name, tt := range map[string]struct {
		before func(e *engine.Engine) // at this time alice has the old user
		after  func(e *engine.Engine) // at this time alice has the new user
		token  string
		want   string
	}{
		"asked before": {ask, nil, "alice~1", "old"},
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
				e.Enqueue("alice~1", replies(503))
			},
			token: "alice~1",
			want:  "new",
		},
		"had none": {
			before: func(e *engine.Engine) { arrive(e, "later~1") },
			after:  func(e *engine.Engine) { e.SetUser("later", described("later")) },
			token:  "later~1",
			want:   "later",
		},
		"a user of its own came and went": {
			before: ask,
			after: func(e *engine.Engine) {
				e.SetUser("alice~1", described("own"))
				e.RemoveUsers(engine.OfTokens("alice~1"), engine.KeepPast)
			},
			token: "alice~1",
			want:  "new",
		},
		"the user is removed": {
			before: ask,
			after: func(e *engine.Engine) {
				e.RemoveUsers(engine.OfTokens("alice"), engine.KeepPast)
			},
			token: "alice~1",
			want:  "old",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := newEngine(t, withUser("alice", described("old")))
			tt.before(e)
			must(t, e.SetUser("alice", described("new")))
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

// A copy keeps the user that the other token had, even if the other token gets another user. Nobody
// owes its replies. It has its own replies, limits and counts.
func TestCopies(t *testing.T) {
	t.Parallel()
	e := newEngine(t, withUser("flaky", scripted(503, 504)))
	arrive(e, "login")
	created, err := e.PutUserLike("login", "flaky", engine.KeepPast)
	if err != nil || !created {
		t.Errorf("created %t, %v", created, err)
	}
	must(t, e.SetUser("flaky", scripted(501)))
	if got, want := statuses(e, "login", 3), []int{503, 504, 0}; !slices.Equal(got, want) {
		t.Errorf("the copy is answered %v, want %v", got, want)
	}
	if got, want := statuses(e, "login~1", 1), []int{503}; !slices.Equal(got, want) {
		t.Errorf("a run of the copy is answered %v, want %v", got, want)
	}
	if got, want := owed(e), []string{"flaky: reply 1 of 1 (501): never played"}; !slices.Equal(
		got, want) {
		t.Errorf("unplayed are %q, want %q", got, want)
	}
	var noUser engine.NoUserError
	_, err = e.PutUserLike("other", "login~1", engine.KeepPast)
	want := engine.NoUserError{Token: "login~1", SeenUser: "login"}
	if !errors.As(err, &noUser) || noUser != want {
		t.Errorf("a run is copied: %v", err)
	}
	e.Reset(engine.OfTokens("login"))
	if got := descriptionOf(e, "login"); got != "none" {
		t.Errorf("after a reset, the user is %q", got)
	}
}
