package engine_test

import (
	"net"
	"net/http/httptest"
	"testing"
	"time"

	"example.com/campaignfake/fake/internal/engine"
	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fake/internal/report"
	"example.com/campaignfake/fake/internal/ring"
	"example.com/campaignfake/fake/journal"
	"example.com/campaignfake/fixtures"
)

const listPath = "/api/user/campaigns"

// newEngine returns an engine for options.
func newEngine(t *testing.T, options ...func(*plan.Setup)) *engine.Engine {
	t.Helper()
	e, err := engine.New(plan.NewSetup(options))
	must(t, err)
	return e
}

// must ends a test if a step that it needs has failed.
func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// withUser gives a user through the door of Go, so that its replies are owed.
func withUser(token string, user fixtures.User) func(*plan.Setup) {
	return func(s *plan.Setup) { s.SetUser(token, user, plan.DoorGo) }
}

func withService(service fixtures.Service) func(*plan.Setup) {
	return func(s *plan.Setup) { s.AddSettings(service, nil) }
}

// withUnknown sets unknown_tokens.
func withUnknown(setting string) func(*plan.Setup) {
	return withService(fixtures.Service{UnknownTokens: setting})
}

// scripted is a user with replies of some statuses, each once.
func scripted(statuses ...int) fixtures.User {
	return fixtures.User{Replies: replies(statuses...)}
}

func replies(statuses ...int) (list []fixtures.Reply) {
	for _, status := range statuses {
		list = append(list, fixtures.Reply{Status: status})
	}
	return list
}

// arrive calls Engine.Arrive with a request for the campaigns.
func arrive(e *engine.Engine, token string) engine.Arrival {
	arrival, _ := arriveAs(e, token, "GET", listPath)
	return arrival
}

func arriveAs(e *engine.Engine, token, method, path string) (engine.Arrival, journal.Request) {
	entry := ring.Entry{Request: journal.Request{At: time.Now(), Token: token}}
	arrival := e.Arrive(&entry, httptest.NewRequest(method, path, nil), nil)
	return arrival, entry.Request
}

// statuses returns the statuses of the replies for some requests of a token; 0 is a normal answer.
func statuses(e *engine.Engine, token string, requests int) (list []int) {
	for range requests {
		list = append(list, statusOf(arrive(e, token).Turn))
	}
	return list
}

func statusOf(turn engine.Turn) int {
	if turn.Reply == nil {
		return 0
	}
	return turn.Reply.Fixture.Status
}

// complete completes the entry of a request.
func complete(e *engine.Engine, arrival *engine.Arrival, request journal.Request) {
	request.Complete = true
	e.Note(arrival, &ring.Entry{Request: request}, nil, plan.Body{})
}

// Each connection takes one request while a reply may break the connection of some requests, and
// not of others.
func TestBreaks(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		reply fixtures.Reply
		want  bool
	}{
		"a status":   {fixtures.Reply{Status: 503}, false},
		"reset once": {fixtures.Reply{Fault: fixtures.FaultReset}, true},
		"reset always": {
			reply: fixtures.Reply{Fault: fixtures.FaultReset, Times: fixtures.Always},
			want:  false,
		},
		"truncate once": {fixtures.Reply{Fault: fixtures.FaultTruncate}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := newEngine(t, withUser("alice", fixtures.User{}))
			calls := 0
			e.OnBreaksChanged = func() { calls++ }
			if e.Breaks() {
				t.Error("connections break before anything was given")
			}
			must(t, e.Enqueue("alice", []fixtures.Reply{tt.reply}))
			isUsedOnce := arrive(e, "alice").UsesOnce
			if e.Breaks() != tt.want || isUsedOnce != tt.want || calls != 1 {
				t.Errorf("connections break: %t, one is used once: %t, want %t; %d calls, want 1",
					e.Breaks(), isUsedOnce, tt.want, calls)
			}
			e.Reset(engine.Scope{})
			if e.Breaks() || calls != 2 {
				t.Errorf("after a reset, connections break: %t, with %d calls", e.Breaks(), calls)
			}
		})
	}
}

// In a test, each connection is used once.
func TestBreaksInTests(t *testing.T) {
	t.Parallel()
	e := newEngine(t, func(s *plan.Setup) { s.Test = &report.Test{TB: report.NoTest{}} })
	if !e.Breaks() {
		t.Error("connections are used more than once")
	}
}

// The base URL is a URL at which a client on this machine reaches the server.
func TestBaseURL(t *testing.T) {
	t.Parallel()
	e := newEngine(t)
	if got := e.BaseURL(); got != "/api" {
		t.Errorf("without a listener, the base URL is %s", got)
	}
	for address, want := range map[string]string{
		"127.0.0.1:8642": "http://127.0.0.1:8642/api",
		"[::]:8642":      "http://127.0.0.1:8642/api",
		"[::1]:8642":     "http://[::1]:8642/api",
	} {
		tcp, err := net.ResolveTCPAddr("tcp", address)
		must(t, err)
		var listener net.Listener = listening{address: tcp}
		e.Listener.Store(&listener)
		if got := e.BaseURL(); got != want {
			t.Errorf("at %s, the base URL is %s, want %s", address, got, want)
		}
	}
}

// listening is a listener at an address.
type listening struct {
	net.Listener
	address net.Addr
}

func (l listening) Addr() net.Addr { return l.address }
