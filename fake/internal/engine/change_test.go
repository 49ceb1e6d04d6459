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

// What is given to a token that nobody has is refused, unless unknown tokens have a user.
func TestTokensThatNobodyHas(t *testing.T) {
	t.Parallel()
	const want = `no user has the token "bob"; name one that was given by WithUser, WithFixtures ` +
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

// No replies give a token nothing: it stays unknown.
func TestNoReplies(t *testing.T) {
	t.Parallel()
	e := newEngine(t, withUnknown(fixtures.UnknownTokensGenerate))
	err := e.Enqueue("bob", nil)
	if err != nil || e.User("bob").Known || len(e.Users(engine.Scope{})) != 0 {
		t.Errorf("the error is %v, and bob has %+v", err, e.User("bob"))
	}
}

// What is not valid changes nothing.
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

// What is given is copied: who changes it later changes nothing.
func TestGivenIsCopied(t *testing.T) {
	t.Parallel()
	e := newEngine(t)
	user := scripted(503)
	user.Replies[0].Delay = &fixtures.Delay{Fixed: time.Second}
	err := e.SetUser("alice", user)
	if err != nil {
		t.Fatal(err)
	}
	more := replies(504)
	more[0].Delay = &fixtures.Delay{Fixed: time.Second}
	err = e.Enqueue("alice", more)
	if err != nil {
		t.Fatal(err)
	}
	user.Replies[0].Status = 500
	user.Replies[0].Delay.Fixed = time.Hour
	more[0].Status = 500
	more[0].Delay.Fixed = time.Hour
	for i, want := range []int{504, 503} {
		turn := arrive(e, "alice").Turn
		if got := turn.Reply.Fixture.Status; got != want {
			t.Errorf("reply %d has the status %d, want %d", i, got, want)
		}
		if got := turn.Delay.Fixed; got != time.Second {
			t.Errorf("reply %d has the delay %v, want 1s", i, got)
		}
	}
}

// A user that is put anew finds nothing of what its token had. One that is set finds the requests
// and the turns, and no replies that wait: their test wants to see the user.
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
		err = e.Enqueue("alice", []fixtures.Reply{{Times: fixtures.Always}})
		if err != nil {
			t.Fatal(err)
		}
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

// While the server runs, 10,000 tokens can get something beside those of the start. What replaces
// something else needs no room, and what is removed makes some.
func TestRoom(t *testing.T) {
	t.Parallel()
	e := newEngine(t,
		withUnknown(fixtures.UnknownTokensGenerate),
		withUser("alice", fixtures.User{}),
	)
	user := e.InForce().NewUser("alice", fixtures.User{}, plan.DoorHTTP)
	for i := range 10_000 {
		_, err := e.PutUserLike(fmt.Sprint("token-", i), "alice", engine.ForgetPast)
		if err != nil {
			t.Fatal(err)
		}
	}
	calls := map[string]func() error{
		"another user": func() error { return e.SetUser("bob", fixtures.User{}) },
		"another copy": func() error {
			_, err := e.PutUserLike("bob", "alice", engine.ForgetPast)
			return err
		},
		"replies of another token": func() error { return e.Enqueue("bob", replies(503)) },
	}
	for name, call := range calls {
		if err := call(); !errors.Is(err, engine.ErrFull) {
			t.Errorf("%s is refused with %v", name, err)
		}
	}
	_, err := e.PutUser(user, engine.ForgetPast)
	if err == nil {
		err = e.Enqueue("token-1", replies(503))
	}
	if err == nil {
		err = e.RemoveUsers(engine.OfTokens("token-2"), engine.ForgetPast)
	}
	if err == nil {
		err = calls["another user"]()
	}
	if err != nil {
		t.Error(err)
	}
}

// A server that has ended changes nothing any more, whoever has the token.
func TestChangesAfterTheEnd(t *testing.T) {
	t.Parallel()
	e := newEngine(t, withUser("alice", fixtures.User{}))
	e.End()
	for _, token := range []string{"alice", "nobody"} {
		if err := e.SetUser(token, fixtures.User{}); !errors.Is(err, engine.ErrClosed) {
			t.Errorf("SetUser of %s returns %v", token, err)
		}
		if err := e.Enqueue(token, replies(503)); !errors.Is(err, engine.ErrClosed) {
			t.Errorf("Enqueue of %s returns %v", token, err)
		}
	}
}
