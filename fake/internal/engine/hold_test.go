package engine_test

import (
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
	first := arrive(e, "alice").Hold
	second := arrive(e, "alice").Hold
	other := arrive(e, "bob").Hold
	if got := e.Release(engine.OfTokens("alice")); got != 2 || !isReleased(first) || !isReleased(second) {
		t.Errorf("%d requests are released, want 2", got)
	}
	if isReleased(other) {
		t.Error("the request of another token is released")
	}
	third := arrive(e, "alice").Hold
	if isReleased(third) {
		t.Error("a request that came later is released")
	}
	third.Requests.Add(-1) // its client has gone away
	if got := e.Release(engine.OfTokens("alice")); got != 0 || !isReleased(third) {
		t.Errorf("%d requests are released, want none", got)
	}
	if got := e.Release(engine.OfTokens("alice")); got != 0 {
		t.Errorf("%d requests are released when none is held", got)
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
		"removed":   {func(e *engine.Engine) { e.RemoveUsers(engine.OfTokens("alice"), false) }, true},
		"put anew": {func(e *engine.Engine) {
			e.PutUser(e.InForce(), "alice", fixtures.User{}, plan.Origin{}, true)
		}, true},
		"set":           {func(e *engine.Engine) { e.SetUser("alice", fixtures.User{}) }, false},
		"cleared":       {func(e *engine.Engine) { e.Clear(engine.OfTokens("alice")) }, false},
		"another reset": {func(e *engine.Engine) { e.Reset(engine.OfTokens("bob")) }, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := newEngine(t, withUser("alice", held()))
			hold := arrive(e, "alice").Hold
			tt.change(e)
			if got := isReleased(hold); got != tt.want {
				t.Errorf("that the request is released is %t, want %t", got, tt.want)
			}
		})
	}
}

// A request is not held if nobody could release it, since its token is not remembered.
func TestNothingIsHeldForEver(t *testing.T) {
	t.Parallel()
	e := newEngine(t, withUnknown(fixtures.UnknownTokensLike+"alice"), withUser("alice", held()))
	for length, want := range map[int]bool{2048: true, 2049: false} {
		arrival := arrive(e, strings.Repeat("x", length))
		if got := arrival.Hold != nil; got != want {
			t.Errorf("that a token of %d bytes is held is %t, want %t", length, got, want)
		}
	}
}
