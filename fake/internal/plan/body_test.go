package plan_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fixtures"
)

// snapshot returns a snapshot with these settings and one user, whose token is alice.
func snapshot(t *testing.T, service fixtures.Service, user fixtures.User) *plan.Snapshot {
	t.Helper()
	setup := plan.NewSetup([]func(*plan.Setup){func(s *plan.Setup) {
		s.AddSettings(service, service.PlacesAt(fixtures.Place{Option: "the test"}))
		s.SetUser("alice", user, plan.DoorFile)
	}})
	p, err := plan.NewSnapshot(setup)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Documented fields have the order of the documentation, and further fields follow.
func TestBodyOfCampaigns(t *testing.T) {
	t.Parallel()
	p := snapshot(t, fixtures.Service{}, fixtures.User{Campaigns: []fixtures.Campaign{
		{ID: "1", Name: "<Spring>", CreatedAt: "c", UpdatedAt: "u", Status: "s"},
		{
			Omit:  []string{"id", "name", "created_at", "updated_at"},
			Extra: map[string]any{"status": nil, "tags": []string{"a", "b"}, "budget": 1.50},
		},
	}})
	const want = `{"campaigns":[{"id":"1","name":"<Spring>","created_at":"c","updated_at":"u",` +
		`"status":"s"},{"status":null,"budget":1.5,"tags":["a","b"]}]}`
	if got := string(p.User("alice").Body("alice").Bytes); got != want {
		t.Errorf("the body is\n%s\nwant\n%s", got, want)
	}
}

// A body is sent as text if it is one, and as JSON if it is anything else; null is a body, and not
// the default. In JSON, placeholders stand for the members of a problem document.
func TestBodiesOfErrors(t *testing.T) {
	t.Parallel()
	const detail = `a "quoted" \ detail`
	for _, tt := range []struct {
		name     string
		body     any
		want     string
		wantType string
	}{
		{
			"default",
			nil,
			`{"type":"about:blank","title":"Not Found","status":404,` +
				`"detail":"a \"quoted\" \\ detail"}`,
			"application/problem+json",
		},
		{
			"object",
			map[string]any{"code": "{status}", "text": "{status}: {title}"},
			`{"code":404,"text":"404: Not Found"}`,
			"application/json",
		},
		{
			"placeholder in quotes",
			map[string]any{"a": `"{status}" {detail}`},
			`{"a":"\"404\" a \"quoted\" \\ detail"}`,
			"application/json",
		},
		{
			"order of keys",
			json.RawMessage(`{"z":"{title}","a":["{status}"]}`),
			`{"z":"Not Found","a":[404]}`,
			"application/json",
		},
		{"null", json.RawMessage("null"), `null`, "application/json"},
		{"text", "{status} <{title}>", `{status} <{title}>`, "text/plain; charset=utf-8"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := snapshot(t, fixtures.Service{
				Responses: fixtures.Responses{Default: fixtures.Response{Body: tt.body}},
			}, fixtures.User{})
			answer := p.Named(fixtures.ResponseNotFound, detail)
			body := answer.Body.Bytes
			contentType := answer.Headers.Get("Content-Type")
			if string(body) != tt.want || contentType != tt.wantType {
				t.Errorf("the body is %s %q, want %s %q", contentType, body, tt.wantType, tt.want)
			}
		})
	}
}

// The body of one response overrides the default body, and a status without a body sends no body.
func TestBodyOfOneResponse(t *testing.T) {
	t.Parallel()
	p := snapshot(t, fixtures.Service{Responses: fixtures.Responses{
		Default:      fixtures.Response{Body: "all"},
		MissingToken: fixtures.Response{Body: "missing"},
		InvalidToken: fixtures.Response{Status: http.StatusNoContent},
		RateLimited:  fixtures.Response{Status: 499, Body: map[string]string{"title": "{title}"}},
	}}, fixtures.User{})
	for name, want := range map[fixtures.ResponseName]string{
		fixtures.ResponseMissingToken:     "missing",
		fixtures.ResponseInvalidToken:     "",
		fixtures.ResponseNotFound:         "all",
		fixtures.ResponseMethodNotAllowed: "all",
		fixtures.ResponseRateLimited:      `{"title":"Status 499"}`,
	} {
		if got := string(p.Named(name, "").Body.Bytes); got != want {
			t.Errorf("the body of %s is %q, want %q", name, got, want)
		}
	}
}

// The start of a body ends between two characters.
func TestStartOfBody(t *testing.T) {
	t.Parallel()
	const most = 4 << 10
	for name, tt := range map[string]struct {
		body string
		want int // the length in bytes
	}{
		"all":                 {strings.Repeat("x", most), most},
		"one more":            {strings.Repeat("x", most+1), most},
		"in a character":      {"x" + strings.Repeat("ä", most), most - 1},
		"in one of four":      {"x" + strings.Repeat("🙂", most), most - 3},
		"bytes that are none": {strings.Repeat("\x80", most+9), most - 4},
	} {
		body := plan.NewBody([]byte(tt.body))
		if string(body.Bytes) != tt.body || string(body.Start) != tt.body[:tt.want] {
			t.Errorf("%s: of %d bytes the start has %d, want %d",
				name, len(body.Bytes), len(body.Start), tt.want)
		}
	}
}
