package plan_test

import (
	"testing"

	"example.com/campaignfake/fake/internal/plan"
)

// What came in Go or over HTTP is from a test, and what came from a file is not.
func TestOriginOfATest(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		origin plan.Origin
		want   bool
	}{
		{"a file", plan.OfFile, false},
		{"Go", plan.OfGo, true},
		{"HTTP", plan.OfHTTP, true},
	} {
		if got := tt.origin.IsTest(); got != tt.want {
			t.Errorf("what is from %s is from a test: %t, want %t", tt.name, got, tt.want)
		}
	}
}
