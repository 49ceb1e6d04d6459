package main

import (
	"slices"
	"strings"
	"testing"
)

// What is generated loads again, and is served as the server that it was taken
// from would have served it: it can be edited from there.
func TestGeneratedFixtures(t *testing.T) {
	t.Parallel()
	tokens := map[string]string{
		"plain": "alice",
		"long":  strings.Repeat("a", 1000),
		// Words and signs that YAML would take for something else.
		"signs": "{[*&!|>%@`#:-?,]}",
	}
	for kind, token := range tokens {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			got := finish(t, nil, "generate", "--token="+token, "--seed=7", "--count=3")
			if got.status != 0 || got.stderr != "" {
				t.Fatalf("the status is %d:\n%s%s", got.status, got.stdout, got.stderr)
			}
			want := serve(t, []string{"CAMPAIGNFAKE_SEED=7"}).ids(token)[:3]
			ids := serve(t, nil, file(t, "generated.yaml", got.stdout)).ids(token)
			if !slices.Equal(ids, want) {
				t.Errorf("what was generated is served as %v, want %v", ids, want)
			}
		})
	}
}
