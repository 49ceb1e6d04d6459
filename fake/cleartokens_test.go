package fake_test

import (
	"testing"

	"example.com/campaignfake/fake"
)

// A list of tokens that happens to be empty names none of them.
func TestNoTokensAreNotAll(t *testing.T) {
	t.Parallel()
	for name, forget := range map[string]func(srv steered, tokens ...string){
		"ResetTokens": steered.ResetTokens,
		"ClearTokens": steered.ClearTokens,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			onBoth(t, func(t *testing.T, tb *recorder, srv steered) {
				if got := answered(t, srv, "alice", 1); got != "503" {
					t.Fatalf("the first answer is %s", got)
				}
				for _, mine := range [][]string{nil, {}} {
					forget(srv, mine...)
				}
				srv.CheckRequests(tb, "alice", 1)
				if got := answered(t, srv, "alice", 1); got != "502" {
					t.Errorf("the answer after that is %s, want 502", got)
				}
				if tb.Failed() {
					t.Error(tb.text())
				}
			}, fake.WithUser("alice", fake.User{Replies: []fake.Reply{{Status: 503}, {Status: 502}}}))
		})
	}
}
