package engine_test

import (
	"errors"
	"testing"

	"example.com/campaignfake/fake/internal/engine"
	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fixtures"
)

// described returns a user whose description identifies it.
func described(text string) fixtures.User { return fixtures.User{Description: text} }

// A file holds the set that a reload reads.
type file struct {
	users   map[string]fixtures.User
	unknown string
	err     error
}

// read is the option that reads the file.
func (f *file) read(s *plan.Setup) {
	if f.err != nil {
		s.AddError(f.err)
	}
	s.AddSettings(fixtures.Service{UnknownTokens: f.unknown}, nil)
	for token, user := range f.users {
		s.SetUser(token, user, plan.DoorFile)
	}
}

// descriptionOf returns the description of the user that a token has, and "none" for no user.
func descriptionOf(e *engine.Engine, token string) string {
	user := e.User(token).User
	if user == nil {
		return "none"
	}
	return user.Fixture.Description
}

func expectUsers(t *testing.T, when string, e *engine.Engine, want map[string]string) {
	t.Helper()
	for token, description := range want {
		if got := descriptionOf(e, token); got != description {
			t.Errorf("%s, %s has the user %q, want %q", when, token, got, description)
		}
	}
}

// A reload replaces the users of the file, but no user that was set or removed since the start.
// Runs follow their user, and copies stay as they are.
func TestReload(t *testing.T) {
	t.Parallel()
	f := &file{users: map[string]fixtures.User{
		"same":    described("old"),
		"gone":    described("old"),
		"set":     described("old"),
		"removed": described("old"),
	}}
	e := newEngine(t, f.read)
	for _, token := range []string{"same~1", "gone~1", "set~1", "new~1"} {
		arrive(e, token)
	}
	e.PutUserLike("copy", "same", engine.KeepPast)
	e.SetUser("set", described("set"))
	e.SetUser("new", described("set"))
	e.RemoveUsers(engine.OfTokens("removed"), engine.KeepPast)

	delete(f.users, "gone")
	for _, token := range []string{"same", "set", "removed", "new", "more"} {
		f.users[token] = described("new")
	}
	for range 2 {
		must(t, e.Reload())
		expectUsers(t, "after a reload", e, map[string]string{
			"same":    "new",
			"gone":    "none",
			"set":     "set",
			"removed": "none",
			"new":     "set",
			"more":    "new",
			"same~1":  "new",
			"gone~1":  "none",
			"set~1":   "set",
			"new~1":   "set",
			"copy":    "old",
		})
	}
	e.Reset(engine.Scope{})
	expectUsers(t, "after a reset", e,
		map[string]string{"set": "new", "new": "new", "removed": "new", "gone": "none"})
}

// Unknown tokens follow a change of unknown_tokens by a reload.
func TestReloadOfUnknownTokens(t *testing.T) {
	t.Parallel()
	f := &file{users: map[string]fixtures.User{"alice": described("alice")}}
	e := newEngine(t, f.read)
	for _, step := range []struct{ setting, want string }{
		{fixtures.UnknownTokensReject, "none"},
		{fixtures.UnknownTokensLike + "alice", "alice"},
		{fixtures.UnknownTokensGenerate, ""},
		{fixtures.UnknownTokensReject, "none"},
	} {
		f.unknown = step.setting
		must(t, e.Reload())
		arrive(e, "nobody")
		expectUsers(t, "with "+step.setting, e, map[string]string{"nobody": step.want})
	}
}

// Enqueued replies stay for the next user of the token. If the token has no user any more, they are
// dropped, and held requests are released.
func TestReloadOfQueues(t *testing.T) {
	t.Parallel()
	f := &file{
		users:   map[string]fixtures.User{"alice": {Delay: &fixtures.Delay{UntilReleased: true}}},
		unknown: fixtures.UnknownTokensLike + "alice",
	}
	e := newEngine(t, f.read)
	for _, token := range []string{"alice", "unknown"} {
		must(t, e.Enqueue(token, replies(503)))
	}
	f.users["alice"] = described("new")
	must(t, e.Reload())
	if got := e.User("alice").Enqueued; got != 1 {
		t.Errorf("beside a new user, %d replies wait, want 1", got)
	}
	f.unknown = fixtures.UnknownTokensReject
	must(t, e.Reload())
	if status := e.User("unknown"); status.Enqueued != 0 || status.Known {
		t.Errorf("without a user, %d replies wait, and that the token is known is %t",
			status.Enqueued, status.Known)
	}
}

// A reload that fails changes nothing, except the result of the last reload.
func TestReloadFails(t *testing.T) {
	t.Parallel()
	f := &file{users: map[string]fixtures.User{"alice": described("old")}}
	e := newEngine(t, f.read)
	f.users["alice"] = described("new")
	f.err = errors.New("the file is gone")
	calls := 0
	e.OnBreaksChanged = func() { calls++ }
	err := e.Reload()
	if last := e.LastReload(); err == nil || last.Err != err || last.At.IsZero() {
		t.Errorf("Reload returns %v, and the last one was %+v", err, last)
	}
	expectUsers(t, "after a reload that failed", e, map[string]string{"alice": "old"})
	f.err = nil
	if err := e.Reload(); err != nil || e.LastReload().Err != nil {
		t.Errorf("the next reload returns %v, and the last one %v", err, e.LastReload().Err)
	}
	expectUsers(t, "after the next reload", e, map[string]string{"alice": "new"})
	if calls != 1 {
		t.Errorf("OnBreaksChanged is called %d times, want once", calls)
	}
	e.Close()
	if err := e.Reload(); !errors.Is(err, engine.ErrClosed) {
		t.Errorf("after the end, Reload returns %v", err)
	}
}
