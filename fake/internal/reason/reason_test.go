package reason_test

import (
	"testing"

	"example.com/campaignfake/fake/internal/reason"
)

// A finding says in a phrase what is wrong, and a refusal explains itself to the client.
func TestFindings(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		finding reason.Finding
		phrase  string
		detail  string // the detail of a refusal
	}{
		{
			reason.NoHeader,
			"there is no Authorization header",
			"There is no Authorization header. Send Authorization: Bearer <token>.",
		},
		{
			reason.Placeholder{What: "the token is the word null", Why: "which is why"},
			"the token is the word null, which is why",
			"The token is the word null, which is why. Send Authorization: Bearer <token>.",
		},
		{
			reason.WrongMethod{Method: "POST"},
			"the route is there, but not with the method POST",
			"POST is not allowed here. Send one of GET, HEAD.",
		},
		{reason.NearToken{Near: "demo"}, "did you mean demo?", ""},
		{reason.RunOfNobody{}, "no user has what stands before the tilde of this token", ""},
		{
			reason.TestWithoutUser{},
			"no user was set for this test: call SetUser on the client that For returned, " +
				`or send the token of its Like("flaky")`,
			"",
		},
	} {
		if got := tt.finding.String(); got != tt.phrase {
			t.Errorf("%T says\n%s\nwant\n%s", tt.finding, got, tt.phrase)
		}
		refusal, isRefusal := tt.finding.(reason.Refusal)
		if isRefusal && refusal.Detail() != tt.detail {
			t.Errorf("the detail of %T is\n%s\nwant\n%s", refusal, refusal.Detail(), tt.detail)
		}
	}
}

func TestDetailOfNoUser(t *testing.T) {
	t.Parallel()
	for token, want := range map[string]string{
		"bob":     "No user has this bearer token.",
		"bob~1~2": `No user has this bearer token, nor "bob", which stands before its tilde.`,
	} {
		if got := reason.DetailOfNoUser(token, nil); got != want {
			t.Errorf("of %s is said\n%s\nwant\n%s", token, got, want)
		}
	}
}
