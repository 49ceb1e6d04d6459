package engine_test

import (
	"errors"
	"fmt"
	"testing"

	"example.com/campaignfake/fake/internal/engine"
	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fixtures"
)

// givenLike gives a token a user that is like that of another.
func givenLike(t *testing.T, e *engine.Engine, token, like string, origin plan.Origin) {
	t.Helper()
	user := e.InForce().NewUser(token, fixtures.User{Like: like}, origin)
	_, err := e.PutUser(user, engine.KeepPast)
	if err != nil {
		t.Fatal(err)
	}
}

// mistakesOf returns the mistakes that an error has.
func mistakesOf(t *testing.T, err error) *fixtures.Mistakes {
	t.Helper()
	var mistakes *fixtures.Mistakes
	if !errors.As(err, &mistakes) {
		t.Fatalf("the error is %v, want mistakes", err)
	}
	return mistakes
}

// Fixtures cannot be put in force if a user that was given since the start would be like nobody, or
// if it would be part of a chain. The conflict says which user to drop, and how.
func TestConflictsOfReload(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		token  string // is given a user since the start
		like   string
		origin plan.Origin
		next   map[string]fixtures.User
		want   string
	}{
		"like nobody": {
			token:  "login",
			like:   "alice",
			origin: plan.OfGo,
			next:   map[string]fixtures.User{"bob": {}},
			want: `the fixtures have no user of token "alice" any more, and the user of token ` +
				`"login", which was given by SetUser, is like it; ` +
				"add it again, or drop the user of login with RemoveUser or Reset",
		},
		"like one that is like another": {
			token:  "login",
			like:   "alice",
			origin: plan.OfHTTP,
			next:   map[string]fixtures.User{"alice": {Like: "bob"}, "bob": {}},
			want: `the user of token "login" is like "alice", which is like "bob" itself, ` +
				`and that of token "login" was given over HTTP; ` +
				"have one of them like no other, or drop the user of login " +
				"with DELETE /_fake/users?token=… or POST /_fake/reset",
		},
		"whom one of the fixtures is like": {
			token:  "alice",
			like:   "bob",
			origin: plan.OfGo,
			next:   map[string]fixtures.User{"alice": {}, "bob": {}, "carl": {Like: "alice"}},
			want: `the user of token "carl" is like "alice", which is like "bob" itself, ` +
				`and that of token "alice" was given by SetUser; ` +
				"have one of them like no other, or drop the user of alice with " +
				"RemoveUser or Reset",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := &file{users: map[string]fixtures.User{"alice": {}, "bob": {}, "carl": {}}}
			e := newEngine(t, f.read)
			givenLike(t, e, tt.token, tt.like, tt.origin)
			f.users = tt.next
			mistakes := mistakesOf(t, e.Reload())
			if len(mistakes.List) != 1 || mistakes.List[0].String() != tt.want {
				t.Errorf("the conflicts are\n%v\nwant\n%s", mistakes, tt.want)
			}
			e.Reset(engine.OfTokens(tt.token))
			if last := e.LastReload(); last.Err != nil {
				t.Errorf("once the user is dropped, the reload has the error %v", last.Err)
			}
		})
	}
}

// A user that was given since the start, and is right beside the next fixtures, does not stand in
// their way.
func TestReloadWithoutConflict(t *testing.T) {
	t.Parallel()
	f := &file{users: map[string]fixtures.User{"alice": {}, "bob": {Like: "alice"}}}
	e := newEngine(t, f.read)
	givenLike(t, e, "login", "alice", plan.OfGo)
	f.users = map[string]fixtures.User{"alice": described("new"), "bob": {}}
	err := e.Reload()
	if err != nil {
		t.Error(err)
	}
	expectUsers(t, "after a reload", e, map[string]string{"login": "new"})
}

// A reload lists a thousand conflicts, in the order of their tokens, and counts the others.
func TestManyConflicts(t *testing.T) {
	t.Parallel()
	f := &file{users: map[string]fixtures.User{"alice": {}}}
	e := newEngine(t, f.read)
	for i := range 1002 {
		givenLike(t, e, fmt.Sprintf("login-%04d", 1001-i), "alice", plan.OfGo)
	}
	f.users = nil
	mistakes := mistakesOf(t, e.Reload())
	if len(mistakes.List) != 1000 || mistakes.More != 2 {
		t.Fatalf("%d conflicts are listed, and %d more are counted, want 1000 and 2",
			len(mistakes.List), mistakes.More)
	}
	const want = "add it again, or drop the user of login-0999 with RemoveUser or Reset"
	if got := mistakes.List[999].Instead; got != want {
		t.Errorf("the advice of the last one is %q, want %q", got, want)
	}
}
