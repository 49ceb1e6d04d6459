package engine_test

import (
	"errors"
	"strings"
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
		if !errors.Is(err, engine.ErrNoUser) || err.Error() != want {
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

// A user that is put anew finds nothing of what its token had, and one that is set finds all but
// the user.
func TestPutUser(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		past               engine.Past
		requests, enqueued int
		turn               int
	}{{engine.ForgetPast, 0, 0, 1}, {engine.KeepPast, 2, 1, 3}} {
		e := newEngine(t)
		put := func() (created bool, err error) {
			user := e.InForce().NewUser("alice", fixtures.User{}, plan.OfHTTP)
			return e.PutUser(user, tt.past)
		}
		created, err := put()
		if err != nil || !created {
			t.Errorf("the first user: created %t, %v", created, err)
		}
		statuses(e, "alice", 2)
		err = e.Enqueue("alice", []fixtures.Reply{{Times: 2}})
		if err != nil {
			t.Fatal(err)
		}
		created, err = put()
		if err != nil || created {
			t.Errorf("the second user: created %t, %v", created, err)
		}
		status := e.User("alice")
		inJournal := len(e.Requests(engine.OfTokens("alice")))
		if status.Requests != tt.requests || status.Enqueued != tt.enqueued ||
			inJournal != tt.requests {
			t.Errorf("with the past %d, alice has %d requests and %d replies, want %d and %d",
				tt.past, status.Requests, status.Enqueued, tt.requests, tt.enqueued)
		}
		if got := arrive(e, "alice").Turn.Number; got != tt.turn {
			t.Errorf("with the past %d, the next turn is %d, want %d", tt.past, got, tt.turn)
		}
	}
}

// sized returns a user of so many bytes in memory, or with fewer than a user has, the smallest one.
func sized(e *engine.Engine, token string, bytes int) fixtures.User {
	smallest := e.InForce().Service.Size(token, fixtures.User{})
	description := strings.Repeat("x", max(bytes-smallest, 0)/2)
	return fixtures.User{Description: description}
}

// sizedReplies returns two replies that have so many bytes in memory together.
func sizedReplies(e *engine.Engine, bytes int) []fixtures.Reply {
	list := []fixtures.Reply{{Body: ""}, {Body: ""}}
	smallest := e.InForce().Service.Size("alice", fixtures.User{Replies: list})
	list[0].Body = strings.Repeat("x", max(bytes-smallest, 0)/2)
	return list
}

// Users and replies that came over HTTP have 16 MiB in memory together. What replaces another,
// or what is removed, makes room.
func TestRoom(t *testing.T) {
	t.Parallel()
	const most = 16 << 20
	putBy := func(past engine.Past, token string, bytes int) func(e *engine.Engine) error {
		return func(e *engine.Engine) error {
			user := e.InForce().NewUser(token, sized(e, token, bytes), plan.OfHTTP)
			_, err := e.PutUser(user, past)
			return err
		}
	}
	put := func(token string, bytes int) func(e *engine.Engine) error {
		return putBy(engine.KeepPast, token, bytes)
	}
	putAnew := func(token string, bytes int) func(e *engine.Engine) error {
		return putBy(engine.ForgetPast, token, bytes)
	}
	enqueue := func(bytes int) func(e *engine.Engine) error { // two replies
		return func(e *engine.Engine) error {
			queue := e.InForce().NewQueue("alice", sizedReplies(e, bytes), plan.OfHTTP)
			_, err := e.PutReplies("alice", queue)
			return err
		}
	}
	enqueueAndPlay := func(e *engine.Engine) error {
		err := enqueue(1)(e)
		statuses(e, "alice", 2)
		return err
	}
	for name, tt := range map[string]struct {
		before func(e *engine.Engine) error
		call   func(e *engine.Engine) error
		isFull bool
	}{
		"all":                      {nil, put("alice", most), false},
		"too much":                 {nil, put("alice", most+2), true},
		"beside another":           {put("bob", 1), put("alice", most), true},
		"in place of another":      {put("alice", most), put("alice", most), false},
		"replies":                  {nil, enqueue(most), false},
		"in place of replies":      {enqueue(most), putAnew("alice", most), false},
		"anew beside another":      {put("bob", 1), putAnew("alice", most), true},
		"too many replies":         {nil, enqueue(most + 2), true},
		"replies beside a user":    {put("alice", 1), enqueue(most), true},
		"a user beside replies":    {enqueue(1), put("alice", most-1), true},
		"replies that were played": {enqueueAndPlay, put("alice", most), false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := newEngine(t, withUnknown(fixtures.UnknownTokensGenerate))
			if tt.before != nil {
				if err := tt.before(e); err != nil {
					t.Fatal(err)
				}
			}
			if err := tt.call(e); errors.Is(err, engine.ErrFull) != tt.isFull {
				t.Errorf("the error is %v, want that it is full: %t", err, tt.isFull)
			}
		})
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
