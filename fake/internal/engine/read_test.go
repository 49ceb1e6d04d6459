package engine_test

import (
	"fmt"
	"slices"
	"testing"

	"example.com/campaignfake/fake/internal/engine"
	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fixtures"
)

// owed describes the replies that a test has given and that were not played.
func owed(e *engine.Engine) (list []string) {
	for _, reply := range e.Unplayed(engine.Scope{}) {
		list = append(list, reply.Token+": "+reply.String())
	}
	return list
}

// A reply that a test gave a finite number of times is owed until it was played that often,
// whatever changes afterwards.
func TestUnplayed(t *testing.T) {
	t.Parallel()
	const first = "alice: reply 1 of 2 (503): never played"
	const second = "alice: reply 2 of 2 (504): never played"
	two := scripted(503, 504)
	repeated := scripted(503)
	repeated.Repeat = true
	hold := fixtures.User{Replies: []fixtures.Reply{{Delay: &fixtures.Delay{UntilReleased: true}}}}
	thenAlways := func(times int) fixtures.User {
		return fixtures.User{Replies: []fixtures.Reply{
			{Status: 503, Times: times},
			{Status: 504, Times: fixtures.Always},
		}}
	}
	reset := func(e *engine.Engine) { e.Reset(engine.OfTokens("alice")) }
	reload := func(e *engine.Engine) { e.Reload() }
	set := func(e *engine.Engine) { e.SetUser("alice", scripted(501)) }
	setBob := func(e *engine.Engine) { e.SetUser("bob", fixtures.User{}) }
	setPlayAndReset := func(e *engine.Engine) {
		set(e)
		arrive(e, "alice")
		e.Reset(engine.OfTokens("alice"))
	}
	enqueue := func(e *engine.Engine) { e.Enqueue("alice~1", replies(502)) }
	for name, tt := range map[string]struct {
		user   fixtures.User
		token  string                 // the token of the requests
		sends  int                    // the number of requests
		change func(e *engine.Engine) // happens after the requests
		want   []string
	}{
		"one":             {two, "alice", 1, nil, []string{second}},
		"all, and reset":  {two, "alice", 2, reset, nil},
		"all, and reload": {two, "alice", 2, reload, nil},
		"one, and reset":  {two, "alice", 1, reset, []string{first, second}},
		"by a run":        {two, "alice~1", 2, setBob, nil},
		"one by a run":    {two, "alice~1", 1, nil, []string{first, second}},
		"another user": {two, "alice", 2, set, []string{
			"alice: reply 1 of 1 (501): never played",
		}},
		"another user, and reset": {two, "alice", 0, setPlayAndReset, []string{first, second}},
		"all of two users":        {two, "alice", 2, setPlayAndReset, nil},
		"repeated":                {repeated, "alice", 0, nil, nil},
		"held":                    {hold, "alice", 1, nil, nil},
		"always": {thenAlways(2), "alice", 1, nil, []string{
			"alice: reply 1 of 2 (503): played 1 of 2 times",
		}},
		"all but always, and reset": {thenAlways(1), "alice", 1, reset, nil},
		"enqueued for a run": {two, "alice", 1, enqueue, []string{
			second,
			"alice~1: enqueued reply 1 of 1 (502): never played",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := newEngine(t, withUser("alice", tt.user))
			statuses(e, tt.token, tt.sends)
			if tt.change != nil {
				tt.change(e)
			}
			if got := owed(e); !slices.Equal(got, tt.want) {
				t.Errorf("unplayed are\n%q\nwant\n%q", got, tt.want)
			}
		})
	}
}

// Replies of a file are never owed. Replies over HTTP are owed, but fail no strict test.
func TestWhoOwes(t *testing.T) {
	t.Parallel()
	f := &file{users: map[string]fixtures.User{"file": scripted(503)}}
	e := newEngine(t, f.read)
	user := e.InForce().NewUser("put", scripted(503), plan.DoorHTTP)
	_, err := e.PutUser(user, engine.ForgetPast)
	must(t, err)
	must(t, e.SetUser("set", scripted(503)))
	var got []string
	for _, reply := range e.Unplayed(engine.Scope{}) {
		got = append(got, fmt.Sprint(reply.Token, " ", reply.Required))
	}
	if want := []string{"put false", "set true"}; !slices.Equal(got, want) {
		t.Errorf("unplayed are %q, want %q", got, want)
	}
	if got, want := e.Tally().Unplayed, []string{
		`of token "put": reply 1 of 1 (503): never played`,
		`of token "set": reply 1 of 1 (503): never played`,
	}; !slices.Equal(got, want) {
		t.Errorf("the tally has %q, want %q", got, want)
	}
}

// Users are listed in the order in which they were given, followed by the hundred most recent runs,
// the most recent first.
func TestUsers(t *testing.T) {
	t.Parallel()
	e := newEngine(t,
		withUnknown(fixtures.UnknownTokensGenerate),
		withUser("bob", fixtures.User{}),
		withUser("alice", fixtures.User{}),
	)
	for i := range 101 {
		arrive(e, fmt.Sprint("alice~", i))
		arrive(e, fmt.Sprint("unknown-", i))
	}
	must(t, e.Enqueue("carol", replies(503)))
	want := []string{"bob", "alice", "carol"}
	for i := range 100 {
		want = append(want, fmt.Sprint("alice~", 100-i))
	}
	if got := usersOf(e, engine.Scope{}); !slices.Equal(got, want) {
		t.Errorf("the users are %q, want %q", got, want)
	}
	if got, want := e.Tokens(), []string{"bob", "alice"}; !slices.Equal(got, want) {
		t.Errorf("the tokens with a user are %q, want %q", got, want)
	}
}

// Waiting replies are listed with the number of times that each was played.
func TestWaitingReplies(t *testing.T) {
	t.Parallel()
	twice := fixtures.Reply{Status: 503, Times: 2}
	e := newEngine(t, withUser("alice", fixtures.User{Replies: []fixtures.Reply{twice, twice}}))
	arrive(e, "alice")
	must(t, e.Enqueue("alice", []fixtures.Reply{{Times: 3}, {Status: 504}}))
	arrive(e, "alice")
	status := e.User("alice")
	var got []string
	for _, w := range status.Waiting {
		got = append(got, fmt.Sprintf("%s %d %t", w.Summary, w.Played, w.Enqueued))
	}
	want := []string{"normal answer 1 true", "504 0 true", "503 1 false", "503 0 false"}
	if !slices.Equal(got, want) || status.Requests != 2 || status.Enqueued != 2 {
		t.Errorf("after %d requests, %d enqueued, %q wait; want %q",
			status.Requests, status.Enqueued, got, want)
	}
}
