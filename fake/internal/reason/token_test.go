package reason_test

import (
	"testing"

	"example.com/campaignfake/fake/internal/reason"
)

// A token is near one that differs in one character, in quotes, or in the case of its letters.
func TestNearest(t *testing.T) {
	t.Parallel()
	users := []string{"demo", "edge-cases", "user-1", "abc", "Paused", "xy"}
	for token, want := range map[string]string{
		"dmeo":         "demo",
		"DEMO":         "demo",
		"dem":          "demo",
		"dexo":         "demo",
		`"demo"`:       "demo",
		"edge_cases":   "edge-cases",
		"paused":       "Paused",
		"ABC":          "abc", // another case is near from three letters on
		"XY":           "",
		"abd":          "", // and another letter from four on
		"dxyo":         "",
		"omed":         "",
		"demonstrate":  "",
		"user-2":       "", // numbered tokens are others
		"user-11":      "",
		"":             "",
		"Demo~a~b":     "demo~a~b",
		"dmeo~user-22": "demo~user-22",
		"demo":         "", // it is that of a user by now
		"demo~1":       "",
	} {
		if got := reason.Nearest(token, users); got != want {
			t.Errorf("%q is near %q, want %q", token, got, want)
		}
	}
}

// Of what may be wrong with an unknown token, the first that fits is said.
func TestUnknownTokens(t *testing.T) {
	t.Parallel()
	users := []string{"demo", "nulll"}
	for token, want := range map[string]reason.Finding{
		"null": reason.Placeholder{
			What: "the token is the word null",
			Why:  "which a program sends when the variable with the token has no value yet",
		},
		"dmeo~1":   reason.NearToken{Near: "demo~1"},
		"nobody~1": reason.RunOfNobody{Name: `"nobody"`},
		"nobody":   nil,
	} {
		got := reason.OfUnknownToken(token, users)
		if got != want {
			t.Errorf("of %q is said %v, want %v", token, got, want)
		}
	}
}

// A token that nobody meant to send is no secret, unless it is nearly that of a login. Any other
// may be one.
func TestWrongTokens(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		part            reason.Finding
		wrong, isSecret bool
	}{
		{reason.Placeholder{}, true, false},
		{reason.NearToken{}, true, false},
		{reason.NearToken{IsSecret: true}, true, true},
		{reason.RunOfNobody{}, false, false},
		{nil, false, false},
	} {
		wrong, isSecret := reason.IsWrongToken(tt.part)
		if wrong != tt.wrong || isSecret != tt.isSecret {
			t.Errorf("with %#v, the token is wrong: %t, and a secret: %t", tt.part, wrong, isSecret)
		}
	}
}
