package main

import (
	"slices"
	"testing"
)

// The output of generate can be edited and loaded again, and a server with it answers like the
// server with the same seed.
func TestGeneratedFixtures(t *testing.T) {
	t.Parallel()
	const token = "{[*&!|>%@`#:-?,]}" // signs that YAML would take for something else
	got := finish(t, nil, "generate", "--token="+token, "--seed=7", "--count=3")
	if got.status != 0 || got.stderr != "" {
		t.Fatalf("the status is %d:\n%s%s", got.status, got.stdout, got.stderr)
	}
	want := serve(t, []string{"CAMPAIGNFAKE_SEED=7"}).ids(token)[:3]
	ids := serve(t, nil, file(t, "generated.yaml", got.stdout)).ids(token)
	if !slices.Equal(ids, want) {
		t.Errorf("what was generated is served as %v, want %v", ids, want)
	}
}
