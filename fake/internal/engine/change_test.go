package engine_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"example.com/campaignfake/fake/internal/engine"
	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fixtures"
)

// Replies for a token that no user has are refused, unless unknown tokens have a user.
func TestTokensThatNobodyHas(t *testing.T) {
	t.Parallel()
	const want = `no user has the token "bob"; give it a user with WithUser, WithFixtures ` +
		`or SetUser`
	calls := map[string]func(e *engine.Engine) error{
		"RemoveUser": func(e *engine.Engine) error {
			return e.RemoveUsers(engine.OfTokens("bob"), engine.ForgetPast)
		},
		"DropReplies": func(e *engine.Engine) error { return e.DropReplies("bob") },
		"Enqueue":     func(e *engine.Engine) error { return e.Enqueue("bob", replies(503)) },
	}
	for name, call := range calls {
		rejecting := newEngine(t, withUser("alice", fixtures.User{}))
		err := call(rejecting)
		if err == nil || err.Error() != want {
			t.Errorf("%s returns %v, want %s", name, err, want)
		}
		generating := newEngine(t, withUnknown(fixtures.UnknownTokensGenerate))
		isAllowed := call(generating) == nil
		if isAllowed != (name == "Enqueue") {
			t.Errorf("if unknown tokens are generated, %s is allowed: %t", name, isAllowed)
		}
	}
}

// A change that is not valid changes nothing.
func TestMistakes(t *testing.T) {
	t.Parallel()
	e := newEngine(t, withUser("alice", described("old")))
	wrong := []fixtures.Reply{{Status: 42}}
	var mistakes *fixtures.Mistakes
	if err := e.SetUser("alice", fixtures.User{Replies: wrong}); !errors.As(err, &mistakes) {
		t.Errorf("SetUser returns %v", err)
	}
	if err := e.Enqueue("alice", wrong); !errors.As(err, &mistakes) {
		t.Errorf("Enqueue returns %v", err)
	}
	if status := e.User("alice"); status.User.Fixture.Description != "old" || status.Enqueued != 0 {
		t.Errorf("alice has %+v", status)
	}
}

// The engine copies users and replies: a caller who changes them later changes nothing.
func TestGivenIsCopied(t *testing.T) {
	t.Parallel()
	e := newEngine(t)
	delay := fixtures.Delay{Fixed: time.Second}
	user := fixtures.User{Replies: []fixtures.Reply{{Delay: &delay}}}
	must(t, e.SetUser("alice", user))
	must(t, e.Enqueue("alice", user.Replies))
	delay.Fixed = time.Hour
	for range 2 {
		if got := arrive(e, "alice").Turn.Delay.Fixed; got != time.Second {
			t.Errorf("the delay is %s, want 1s", got)
		}
	}
}

// PutUser with ForgetPast clears everything of the token. SetUser keeps the requests and the turns,
// and drops the waiting replies, since the test wants to see the new user.
func TestPutUser(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		past     engine.Past
		requests int
		turn     int
	}{{engine.ForgetPast, 0, 1}, {engine.KeepPast, 2, 3}} {
		e := newEngine(t)
		put := func() (created bool, err error) {
			user := e.InForce().NewUser("alice", fixtures.User{}, plan.DoorHTTP)
			return e.PutUser(user, tt.past)
		}
		created, err := put()
		if err != nil || !created {
			t.Errorf("the first user: created %t, %v", created, err)
		}
		statuses(e, "alice", 2)
		must(t, e.Enqueue("alice", replies(503)))
		created, err = put()
		if err != nil || created {
			t.Errorf("the second user: created %t, %v", created, err)
		}
		status := e.User("alice")
		inJournal := len(e.Requests(engine.OfTokens("alice")))
		if status.Requests != tt.requests || inJournal != tt.requests || status.Enqueued != 0 {
			t.Errorf("with the past %d, alice has %d requests and %d replies, want %d and none",
				tt.past, status.Requests, status.Enqueued, tt.requests)
		}
		if got := arrive(e, "alice").Turn.Number; got != tt.turn {
			t.Errorf("with the past %d, the next turn is %d, want %d", tt.past, got, tt.turn)
		}
	}
}

// While the server runs, 10,000 tokens beside the tokens of the start can get a user or replies. A
// user that replaces another needs no room, and removing a user makes room.
func TestRoom(t *testing.T) {
	t.Parallel()
	e := newEngine(t,
		withUnknown(fixtures.UnknownTokensGenerate),
		withUser("alice", fixtures.User{}),
	)
	for i := range 10_000 {
		_, err := e.PutUserLike(fmt.Sprint("token-", i), "alice", engine.ForgetPast)
		must(t, err)
	}
	if err := e.SetUser("bob", fixtures.User{}); !errors.Is(err, engine.ErrFull) {
		t.Errorf("another user is refused with %v", err)
	}
	if err := e.Enqueue("bob", replies(503)); !errors.Is(err, engine.ErrFull) {
		t.Errorf("replies of another token are refused with %v", err)
	}
	must(t, e.SetUser("token-0", fixtures.User{}))
	must(t, e.Enqueue("token-1", replies(503)))
	must(t, e.RemoveUsers(engine.OfTokens("token-2"), engine.ForgetPast))
	must(t, e.SetUser("bob", fixtures.User{}))
}

// A server that has ended changes nothing any more, and says so even for an unknown token.
func TestChangesAfterTheEnd(t *testing.T) {
	t.Parallel()
	e := newEngine(t, withUser("alice", fixtures.User{}))
	e.Close()
	if err := e.SetUser("alice", fixtures.User{}); !errors.Is(err, engine.ErrClosed) {
		t.Errorf("SetUser returns %v", err)
	}
	if err := e.Enqueue("nobody", replies(503)); !errors.Is(err, engine.ErrClosed) {
		t.Errorf("Enqueue for nobody returns %v", err)
	}
}
