package engine_test

import (
	"slices"
	"testing"

	"example.com/campaignfake/fake/internal/engine"
	"example.com/campaignfake/fixtures"
)

// A scope has the named tokens, or all tokens that end in ~ and its run.
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
			hasNot:  []string{"T"},
			written: "without a token",
		},
		"one": {
			scope:   engine.OfTokens("T"),
			has:     []string{"T"},
			hasNot:  []string{"", "flaky~T", "T~1"},
			written: `of token "T"`,
		},
		"two": {
			scope:   engine.OfTokens("T", "U"),
			has:     []string{"T", "U"},
			hasNot:  []string{""},
			written: `of tokens "T", "U"`,
		},
		"a run": {
			scope:   engine.OfRun("R"),
			has:     []string{"T~R", "flaky~T~R"},
			hasNot:  []string{"", "R", "R~1", "flaky~SR"},
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
	}
}

// A token is counted once, though it is named twice. The caller can go on with the tokens that it
// has named, in their order.
func TestTokensAreCountedOnce(t *testing.T) {
	t.Parallel()
	e := newEngine(t, withUser("alice", fixtures.User{}))
	for _, token := range []string{"alice", "bob", "carol"} {
		arrive(e, token)
	}
	named := []string{"carol", "bob", "carol"}
	got := e.Count(engine.OfTokens(named...)).Arrived
	if got != 2 || !slices.Equal(named, []string{"carol", "bob", "carol"}) {
		t.Errorf("of 2 requests, each of another token, %d are counted; named are %q", got, named)
	}
}

// usersOf returns the tokens of the users of a scope that are listed.
func usersOf(e *engine.Engine, scope engine.Scope) (tokens []string) {
	for _, user := range e.Users(scope) {
		tokens = append(tokens, user.Token)
	}
	return tokens
}

// newShared returns an engine on which the tests of the runs T and U have done everything that
// leaves a trace.
func newShared(t *testing.T) *engine.Engine {
	t.Helper()
	e := newEngine(t, withUser("flaky", scripted(503)), withUser("start~T", described("start")))
	for _, run := range []string{"T", "U"} {
		must(t, e.SetUser("own~"+run, scripted(501)))
		must(t, e.SetUser("held~"+run, held()))
		for _, name := range []string{"flaky", "flaky", "held"} {
			arrive(e, name+"~"+run)
		}
	}
	must(t, e.SetUser("start~T", scripted(504)))
	return e
}

// A question about a test covers all tokens of this test, and no token of another test.
func TestWhatATestHas(t *testing.T) {
	t.Parallel()
	e := newShared(t)
	scope := engine.OfRun("T")
	got, want := usersOf(e, scope), []string{"start~T", "own~T", "held~T", "flaky~T"}
	if !slices.Equal(got, want) {
		t.Errorf("its users are %q, want %q", got, want)
	}
	if got := e.Count(scope); got != (engine.Counts{Arrived: 3, Matched: 3}) {
		t.Errorf("its counts are %+v", got)
	}
	var unplayed []string
	for _, reply := range e.Unplayed(scope) {
		unplayed = append(unplayed, reply.Token)
	}
	if want := []string{"start~T", "own~T"}; !slices.Equal(unplayed, want) {
		t.Errorf("the tokens of unplayed replies are %q, want %q", unplayed, want)
	}
	if got := e.Release(scope).Requests; got != 1 {
		t.Errorf("%d requests are released", got)
	}
	e.Clear(scope)
	if len(e.Requests(scope)) != 0 || len(e.Requests(engine.OfRun("U"))) != 3 {
		t.Errorf("once its requests are cleared, there are %+v", e.Requests(engine.Scope{}))
	}
}

// The scope of all tokens has every token, for every method that takes a scope.
func TestScopeOfAll(t *testing.T) {
	t.Parallel()
	e := newShared(t)
	arrive(e, "")
	all := engine.Scope{}
	if got := e.Count(all).Arrived; got != 7 {
		t.Errorf("%d requests are counted, want 7", got)
	}
	if got := e.Release(all).Requests; got != 2 {
		t.Errorf("%d requests are released, want 2", got)
	}
	must(t, e.RemoveUsers(all, engine.KeepPast))
	if got := usersOf(e, all); len(got) != 0 {
		t.Errorf("the users %q are left", got)
	}
}

// After the end of a test, no list has its users, except users of the start. Another test goes on.
func TestUsersOfATestAreForgotten(t *testing.T) {
	t.Parallel()
	remove := func(past engine.Past) func(e *engine.Engine) error {
		return func(e *engine.Engine) error { return e.RemoveUsers(engine.OfRun("T"), past) }
	}
	others := []string{"own~U", "held~U", "flaky~U"}
	for name, tt := range map[string]struct {
		end      func(e *engine.Engine) error
		left     []string
		requests int // requests that are left of the test
	}{
		"reset": {
			end: func(e *engine.Engine) error {
				e.Reset(engine.OfRun("T"))
				return nil
			},
			left: []string{"start~T"},
		},
		"removed":                         {remove(engine.ForgetPast), nil, 0},
		"removed, with its requests left": {remove(engine.KeepPast), []string{"flaky~T"}, 3},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := newShared(t)
			hold := arrive(e, "held~U").Turn.Hold
			must(t, tt.end(e))
			got := usersOf(e, engine.Scope{})
			slices.Sort(got)
			want := slices.Concat([]string{"flaky"}, tt.left, others)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("the users are %q, want %q", got, want)
			}
			if got := e.Count(engine.OfRun("T")).Arrived; got != tt.requests {
				t.Errorf("%d requests are counted, want %d", got, tt.requests)
			}
			if isReleased(hold) {
				t.Error("a request of the other test is released")
			}
			e.Reset(engine.OfRun("T"))
			expectUsers(t, "after a reset", e, map[string]string{"start~T": "start"})
		})
	}
}
