package reason_test

import (
	"testing"

	"example.com/campaignfake/fake/internal/reason"
)

// A token is near another token if the two differ in one character, in quotes, or in the case of
// letters.
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
		"ABC":          "abc", // another case is near, in a token of three letters or more
		"XY":           "",
		"abd":          "", // another letter is near only in a token of four or more
		"dxyo":         "",
		"omed":         "",
		"demonstrate":  "",
		"user-2":       "", // a token with another number is another token
		"user-11":      "",
		"":             "",
		"Demo~a~b":     "demo~a~b",
		"dmeo~user-22": "demo~user-22",
		"demo":         "", // a user has this token, so nothing is misspelt
		"demo~1":       "",
	} {
		if got := reason.Nearest(token, users); got != want {
			t.Errorf("%q is near %q, want %q", token, got, want)
		}
	}
}

// If several things may be wrong with an unknown token, the finding names the first.
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
		got := reason.OfUnknownToken(token, users, false)
		if got != want {
			t.Errorf("of %q is said %v, want %v", token, got, want)
		}
	}
}

// A token that was sent by mistake is no secret. Any other unknown token may be a secret.
func TestWrongTokens(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		finding reason.Finding
		want    bool
	}{
		{reason.Placeholder{}, true},
		{reason.NearToken{}, true},
		{reason.RunOfNobody{}, false},
		{nil, false},
	} {
		if got := reason.IsWrongToken(tt.finding); got != tt.want {
			t.Errorf("with %#v, the token is wrong: %t, want %t", tt.finding, got, tt.want)
		}
	}
}
