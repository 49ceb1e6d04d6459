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
		// Words and signs that YAML would take for something else.
		"null": "null", "tilde": "~", "date": "2026-01-05", "quotes": `it's"\`, "signs": "{[*&!|>%@`#:-?,]}", "long": strings.Repeat("a", 1000),
	}
	for kind, token := range tokens {
		t.Run("a token: "+kind, func(t *testing.T) {
			t.Parallel()
			got := finish(t, nil, "generate", "--token="+token, "--seed=7", "--count=3")
			if got.status != 0 || got.stderr != "" {
				t.Fatalf("the status is %d:\n%s%s", got.status, got.stdout, got.stderr)
			}
			want := serve(t, []string{"CAMPAIGNFAKE_SEED=7"}).ids(token)[:3]
			if ids := serve(t, nil, file(t, "generated.yaml", got.stdout)).ids(token); !slices.Equal(ids, want) {
				t.Errorf("what was generated is served as %v, want %v", ids, want)
			}
		})
	}
}

func TestGenerateRefuses(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		env, args []string
		want      []string
	}{
		"no token":             {nil, nil, []string{"--token"}},
		"an empty token":       {nil, []string{"--token="}, []string{"--token: has no value"}},
		"a token with a space": {nil, []string{"--token", "a b"}, []string{"--token", "a b"}},
		"a token of a letter that no header carries": {nil, []string{"--token", "tökén"}, []string{"--token", "tökén"}},
		"a token that is too long":                   {nil, []string{"--token", strings.Repeat("a", 8193)}, []string{"--token", "8192"}},
		"a count below 0":                            {nil, []string{"--token=t", "--count=-1"}, []string{"--count", `"-1"`}},
		"a count that is too large":                  {nil, []string{"--token=t", "--count=1000001"}, []string{"--count", `"1000001"`}},
		"a count that is no number":                  {[]string{"CAMPAIGNFAKE_COUNT=many"}, []string{"--token=t"}, []string{"CAMPAIGNFAKE_COUNT", `"many"`}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			finish(t, tt.env, append([]string{"generate"}, tt.args...)...).failsLike(t, 2, tt.want...)
		})
	}
}
