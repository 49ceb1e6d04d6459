package engine_test

import (
	"fmt"
	"slices"
	"testing"

	"example.com/campaignfake/fake/internal/engine"
	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fixtures"
)

// A scope has the tokens that are named, and all that end in ~ and its run.
func TestScope(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		scope   engine.Scope
		has     []string
		hasNot  []string
		written string
	}{
		"all": {
			scope:   engine.OfTokens(),
			has:     []string{"", "T", "flaky~T"},
			written: "of all tokens",
		},
		"no token": {
			scope:   engine.OfTokens(""),
			has:     []string{""},
			hasNot:  []string{"T", "T~"},
			written: "without a token",
		},
		"one": {
			scope:   engine.OfTokens("T"),
			has:     []string{"T"},
			hasNot:  []string{"", "t", "flaky~T", "T~1"},
			written: `of token "T"`,
		},
		"two": {
			scope:   engine.OfTokens("T", "U"),
			has:     []string{"T", "U"},
			hasNot:  []string{"", "flaky~T"},
			written: `of tokens "T", "U"`,
		},
		"a run": {
			scope:   engine.OfRun("R"),
			has:     []string{"T~R", "flaky~T~R", "~R"},
			hasNot:  []string{"", "R", "flakyR", "R~1", "flaky~R~1", "flaky~R2", "flaky~SR"},
			written: `of run "R"`,
		},
		"a run and a token": {
			scope:   engine.OfRun("R", "login"),
			has:     []string{"T~R", "flaky~T~R", "login"},
			hasNot:  []string{"", "flaky", "flaky~login"},
			written: `of run "R"`,
		},
	} {
		for _, token := range tt.has {
			if !tt.scope.Has(token) {
				t.Errorf("%s does not have %q", name, token)
			}
		}
		for _, token := range tt.hasNot {
			if tt.scope.Has(token) {
				t.Errorf("%s has %q", name, token)
			}
		}
		if got := tt.scope.String(); got != tt.written {
			t.Errorf("%s is written %s, want %s", name, got, tt.written)
		}
		token, isOne := tt.scope.One()
		want := name == "one" || name == "no token"
		if isOne != want || isOne && !slices.Equal(tt.has, []string{token}) {
			t.Errorf("that %s is one token is %t, %q", name, isOne, token)
		}
		if got, want := tt.scope.IsAll(), name == "all"; got != want {
			t.Errorf("that %s is all tokens is %t", name, got)
		}
	}
}

// A call leaves the scope as it is, for the caller to go on with.
func TestScopeIsNotChanged(t *testing.T) {
	t.Parallel()
	e := newEngine(t)
	for _, scope := range []engine.Scope{
		engine.OfTokens("T", "T", "U"),
		engine.OfRun("T", "T", "U"),
		engine.OfRun("U", "T"),
	} {
		before := scope.String()
		e.Release(scope)
		if got := scope.String(); got != before {
			t.Errorf("once its requests are released, the scope is %s, and was %s", got, before)
		}
	}
}

// usersOf returns the tokens of the users of a scope that are listed.
func usersOf(e *engine.Engine, scope engine.Scope) (tokens []string) {
	for _, user := range e.Users(scope) {
		tokens = append(tokens, user.Token)
	}
	return tokens
}

// newShared returns an engine on which two tests have done all that leaves something behind: those of
// the runs T and U.
func newShared(t *testing.T) *engine.Engine {
	t.Helper()
	e := newEngine(t, withUnknown(fixtures.UnknownTokensGenerate),
		withUser("flaky", scripted(503)), withUser("start~T", described("start")))
	for _, token := range []string{"T", "U"} {
		if err := e.SetUser("own~"+token, scripted(501)); err != nil {
			t.Fatal(err)
		}
		if err := e.SetUser("set~"+token, held()); err != nil {
			t.Fatal(err)
		}
		if err := e.Enqueue("queue~"+token, replies(502)); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"flaky", "flaky", "set", "unknown"} {
			arrive(e, name+"~"+token)
		}
	}
	if err := e.SetUser("start~T", scripted(504)); err != nil {
		t.Fatal(err)
	}
	return e
}

// What is asked about a test is about all of its tokens, and not about another test.
func TestWhatATestHas(t *testing.T) {
	t.Parallel()
	e := newShared(t)
	scope := engine.OfRun("T")
	got, want := usersOf(e, scope), []string{"start~T", "own~T", "set~T", "queue~T", "flaky~T"}
	if !slices.Equal(got, want) {
		t.Errorf("its users are %q, want %q", got, want)
	}
	if got := e.Count(scope); got != (engine.Counts{Arrived: 4, Matched: 4}) {
		t.Errorf("its counts are %+v", got)
	}
	if got := len(e.Requests(scope)); got != 4 {
		t.Errorf("it has %d requests", got)
	}
	var unplayed []string
	for _, reply := range e.Unplayed(scope) {
		unplayed = append(unplayed, reply.Token)
	}
	if want := []string{"start~T", "own~T", "queue~T"}; !slices.Equal(unplayed, want) {
		t.Errorf("the tokens of unplayed replies are %q, want %q", unplayed, want)
	}
	if got := e.Release(scope).Requests; got != 1 {
		t.Errorf("%d requests are released", got)
	}
	e.Clear(scope)
	if got := e.Count(scope); got != (engine.Counts{}) || len(e.Requests(scope)) != 0 {
		t.Errorf("once its requests are cleared, its counts are %+v", got)
	}
	if got := len(e.Requests(engine.OfRun("U"))); got != 4 {
		t.Errorf("the other test has %d requests", got)
	}
}

// A token of a test is counted once, though it may have an account, have a user at the start, and
// be named.
func TestTokensOfATestAreCountedOnce(t *testing.T) {
	t.Parallel()
	tokens := []string{"name~T", "login"}
	var options []func(*plan.Setup)
	for i := range 20 {
		token := fmt.Sprintf("user-%d~T", i)
		tokens = append(tokens, token)
		options = append(options, withUser(token, fixtures.User{}))
	}
	e := newEngine(t, options...)
	for _, token := range tokens {
		arrive(e, token)
	}
	got := e.Count(engine.OfRun("T", "login", "user-7~T")).Arrived
	if got != len(tokens) {
		t.Errorf("of %d requests, each of another token, %d are counted", len(tokens), got)
	}
}

// A token that is named twice is counted once.
func TestTokensNamedTwiceAreCountedOnce(t *testing.T) {
	t.Parallel()
	e := newEngine(t, withUser("T", fixtures.User{}), withUser("U", fixtures.User{}))
	arrive(e, "T")
	arrive(e, "U")
	got := e.Count(engine.OfTokens("T", "U", "T")).Arrived
	if got != 2 {
		t.Errorf("%d requests are counted, want 2", got)
	}
}

// The scope of all has every token, whatever is done with it.
func TestScopeOfAll(t *testing.T) {
	t.Parallel()
	e := newShared(t)
	arrive(e, "")
	all := engine.Scope{}
	if got := e.Count(all).Arrived; got != 9 {
		t.Errorf("%d requests are counted, want 9", got)
	}
	if got := e.Release(all).Requests; got != 2 {
		t.Errorf("%d requests are released, want 2", got)
	}
	err := e.RemoveUsers(all, engine.KeepPast)
	if err != nil {
		t.Fatal(err)
	}
	if got := usersOf(e, all); len(got) != 0 {
		t.Errorf("the users %q are left", got)
	}
}

// The users of a test that is over are in no list, but for those of the start.
func TestUsersOfATestAreForgotten(t *testing.T) {
	t.Parallel()
	start := []string{"flaky", "start~T"}
	others := []string{"own~U", "set~U", "queue~U", "flaky~U"}
	for name, tt := range map[string]struct {
		end      func(e *engine.Engine) error
		want     []string
		requests int // that are left of the test
	}{
		"reset": {
			end: func(e *engine.Engine) error {
				e.Reset(engine.OfRun("T"))
				return nil
			},
			want: append(start, others...),
		},
		"removed": {
			end: func(e *engine.Engine) error {
				return e.RemoveUsers(engine.OfRun("T"), engine.ForgetPast)
			},
			want: append(start[:1:1], others...),
		},
		"removed, with its requests left": {
			end: func(e *engine.Engine) error {
				return e.RemoveUsers(engine.OfRun("T"), engine.KeepPast)
			},
			want:     append(start[:1:1], append(others, "flaky~T")...),
			requests: 4,
		},
		"another one removed that has nothing": {
			end: func(e *engine.Engine) error {
				return e.RemoveUsers(engine.OfRun("V"), engine.ForgetPast)
			},
			want: append(
				[]string{"flaky", "start~T", "own~T", "set~T", "queue~T"},
				append(others, "flaky~T")...,
			),
			requests: 4,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := newShared(t)
			hold := arrive(e, "set~U").Turn.Hold
			if err := tt.end(e); err != nil {
				t.Fatal(err)
			}
			if tt.requests == 0 { // or the requests have to be kept
				if err := e.Reload(); err != nil { // which looks at all tokens that are remembered
					t.Fatal(err)
				}
			}
			got := usersOf(e, engine.Scope{})
			slices.Sort(got)
			slices.Sort(tt.want)
			if !slices.Equal(got, tt.want) {
				t.Errorf("the users are %q, want %q", got, tt.want)
			}
			if got := e.Count(engine.OfRun("T")).Arrived; got != tt.requests {
				t.Errorf("%d requests are counted, want %d", got, tt.requests)
			}
			if isReleased(hold) {
				t.Error("a request of the other test is released")
			}
		})
	}
}

// A test that is reset finds what the server started with.
func TestResetOfATest(t *testing.T) {
	t.Parallel()
	e := newShared(t)
	if err := e.RemoveUsers(engine.OfRun("T"), engine.ForgetPast); err != nil {
		t.Fatal(err)
	}
	expectUsers(t, "once they are removed", e, map[string]string{"start~T": ""})
	e.Reset(engine.OfRun("T"))
	expectUsers(t, "after the reset", e, map[string]string{"start~T": "start"})
	if got, want := statuses(e, "flaky~T", 2), []int{503, 0}; !slices.Equal(got, want) {
		t.Errorf("a run of a user is answered %v, want %v", got, want)
	}
}
