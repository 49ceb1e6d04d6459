package plan_test

import (
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fixtures"
)

// Later options override earlier ones, and users keep the order in which they were first added.
func TestSetup(t *testing.T) {
	t.Parallel()
	third, err := fixtures.LoadText("third", "service: {seed: 0}")
	if err != nil {
		t.Fatal(err)
	}
	p, err := plan.NewSnapshot(plan.NewSetup([]func(*plan.Setup){
		func(s *plan.Setup) { s.SetUser("bob", fixtures.User{Description: "a"}, plan.DoorGo) },
		func(s *plan.Setup) { s.SetUser("alice", fixtures.User{}, plan.DoorGo) },
		func(s *plan.Setup) { s.SetUser("bob", fixtures.User{Description: "b"}, plan.DoorFile) },
		func(s *plan.Setup) {
			places := map[string]fixtures.Place{"seed": {Option: "first"}}
			s.AddSettings(fixtures.Service{Seed: 7}, places)
		},
		func(s *plan.Setup) {
			places := map[string]fixtures.Place{"base_path": {Option: "second"}}
			s.AddSettings(fixtures.Service{BasePath: "/v2"}, places)
		},
		func(s *plan.Setup) { s.AddSet(third) },
	}))
	if err != nil {
		t.Fatal(err)
	}
	var users []string
	for _, u := range p.Users {
		users = append(users, u.Token+" "+u.Fixture.Description)
	}
	wantUsers := []string{"bob b", "alice "}
	if !slices.Equal(users, wantUsers) || p.User("bob").Door != plan.DoorFile {
		t.Errorf("the users are %q, want %q", users, wantUsers)
	}
	if p.Service.Seed != 0 || p.BasePath != "/v2" || p.Configured.BasePath != "/v2" {
		t.Errorf("the settings are %+v", p.Service)
	}
	if p.Service.IDs != fixtures.IDsUUID || p.Configured.IDs != "" {
		t.Errorf("%+v are given, though nobody has set the ids", p.Configured)
	}
	want := map[string]fixtures.Place{
		"seed":      {File: "third", Line: 1, Column: 11},
		"base_path": {Option: "second"},
	}
	if !maps.Equal(p.Places, want) {
		t.Errorf("the places are %v, want %v", p.Places, want)
	}
}

// Relative dates are written in the format of the service, which a later option may set. The set
// itself stays as it was, since another server may use it, too.
func TestRelativeDates(t *testing.T) {
	t.Parallel()
	const text = "users: {alice: {campaigns: [{name: n, created_at: {ago: 1h}, updated_at: " +
		"{ago: 1h}}]}}"
	set, err := fixtures.LoadText("fixtures", text)
	if err != nil {
		t.Fatal(err)
	}
	setup := plan.NewSetup([]func(*plan.Setup){
		func(s *plan.Setup) { s.AddSet(set) },
		func(s *plan.Setup) { s.AddSettings(fixtures.Service{Timestamps: "unix"}, nil) },
	})
	p, err := plan.NewSnapshot(setup)
	if err != nil {
		t.Fatal(err)
	}
	date := p.User("alice").Fixture.Campaigns[0].CreatedAt
	if _, err := strconv.Atoi(date); err != nil {
		t.Errorf("the date is %s, want digits", date)
	}
	if date := set.Users["alice"].Campaigns[0].CreatedAt; !strings.Contains(date, "T") {
		t.Errorf("the date of the set is %s, want RFC 3339", date)
	}
}

// All mistakes become one error: the mistakes in fixtures of several options together, and the
// other errors.
func TestMistakesOfOptions(t *testing.T) {
	t.Parallel()
	other := errors.New("the file is gone")
	wrong := fixtures.User{Replies: []fixtures.Reply{{Status: 42}}}
	_, err := plan.NewSnapshot(plan.NewSetup([]func(*plan.Setup){
		func(s *plan.Setup) { s.AddError(other) },
		func(s *plan.Setup) {
			s.AddError(&fixtures.Mistakes{List: []fixtures.Mistake{{Problem: "one"}}, More: 2})
		},
		func(s *plan.Setup) { s.SetUser("alice", wrong, plan.DoorGo) },
	}))
	var mistakes *fixtures.Mistakes
	if !errors.Is(err, other) || !errors.As(err, &mistakes) {
		t.Fatalf("the error is %v", err)
	}
	if len(mistakes.List) != 2 || mistakes.More != 2 ||
		!strings.Contains(mistakes.List[1].String(), "alice") {
		t.Errorf("the mistakes are %v", mistakes)
	}
}

// If the users could not be read, a missing user is no mistake of unknown_tokens: like.
func TestLikeAUserThatCouldNotBeRead(t *testing.T) {
	t.Parallel()
	_, err := plan.NewSnapshot(plan.NewSetup([]func(*plan.Setup){
		func(s *plan.Setup) {
			s.AddSettings(fixtures.Service{UnknownTokens: "like alice"}, nil)
			s.AddError(errors.New("the file is gone"))
		},
	}))
	if err == nil || err.Error() != "the file is gone" {
		t.Errorf("the error is %v", err)
	}
}

// A user has the delay of the service, unless it has a delay of its own. It may be zero.
func TestDelaysOfUsers(t *testing.T) {
	t.Parallel()
	service := fixtures.Service{Delay: &fixtures.Delay{Fixed: time.Second}}
	for _, tt := range []struct {
		own  *fixtures.Delay
		want time.Duration
	}{{nil, time.Second}, {&fixtures.Delay{}, 0}} {
		p := snapshot(t, service, fixtures.User{Delay: tt.own})
		if got := p.User("alice").Delay.Fixed; got != tt.want {
			t.Errorf("with its own delay %v, it has %s, want %s", tt.own, got, tt.want)
		}
	}
}
