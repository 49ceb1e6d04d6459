package main

import (
	"encoding/json"
	"fmt"
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
		"null": "null", "tilde": "~", "date": "2026-01-05", "quotes": `it's"\`, "signs": "{[*&!|>%@`#:-?,]}", "merge": "<<",
		"long": strings.Repeat("a", 1000), "very long": strings.Repeat("a", 8000),
	}
	for _, format := range []string{"yaml", "json"} {
		for kind, token := range tokens {
			if format == "json" && kind == "very long" {
				continue // YAML allows no such key, and JSON has no way to mark it
			}
			seeds := []string{"7"}
			if kind == "plain" {
				seeds = []string{"", "0", "7", "18446744073709551615"}
			}
			for _, seed := range seeds {
				t.Run(fmt.Sprintf("%s of %s token with seed %q", format, kind, seed), func(t *testing.T) {
					t.Parallel()
					args := []string{"generate", "--token=" + token, "--format=" + format}
					var env []string
					if seed != "" {
						args = append(args, "--seed", seed)
						env = []string{"CAMPAIGNFAKE_SEED=" + seed}
					}
					got := finish(t, nil, args...)
					if got.status != 0 || got.stderr != "" {
						t.Fatalf("the status is %d: %s", got.status, got.stderr)
					}
					if json.Valid([]byte(got.stdout)) != (format == "json") {
						t.Fatalf("this is not %s:\n%s", format, got.stdout)
					}
					_, want := serve(t, env).list(token)
					status, body := serve(t, nil, "--unknown-tokens=reject", file(t, "generated."+format, got.stdout)).list(token)
					if status != 200 || body != want || len(idsIn(t, body)) != 10 {
						t.Errorf("what was generated is served as %d\n%s\nwant\n%s", status, body, want)
					}
				})
			}
		}
	}
}

func TestGenerateRefuses(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		env, args []string
		want      []string
	}{
		"no token":             {nil, nil, []string{"--token"}},
		"an empty token":       {nil, []string{"--token="}, []string{"--token", "empty"}},
		"a token with a space": {nil, []string{"--token", "a b"}, []string{"--token", "a b"}},
		"a token of a letter that no header carries": {nil, []string{"--token", "tökén"}, []string{"--token", "tökén"}},
		"a token that is too long":                   {nil, []string{"--token", strings.Repeat("a", 8193)}, []string{"--token", "8192"}},
		"a count below 0":                            {nil, []string{"--token=t", "--count=-1"}, []string{"--count", `"-1"`}},
		"a count that is too large":                  {nil, []string{"--token=t", "--count=1000001"}, []string{"--count", `"1000001"`}},
		"a count that is no number":                  {[]string{"CAMPAIGNFAKE_COUNT=many"}, []string{"--token=t"}, []string{"CAMPAIGNFAKE_COUNT", `"many"`}},
		"a format":                                   {nil, []string{"--token=t", "--format=xml"}, []string{"--format", `"xml"`, `"yaml","json"`}},
		"a format's variable":                        {[]string{"CAMPAIGNFAKE_FORMAT=xml"}, []string{"--token=t"}, []string{"CAMPAIGNFAKE_FORMAT", `"xml"`}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			finish(t, tt.env, append([]string{"generate"}, tt.args...)...).failsLike(t, 2, tt.want...)
		})
	}
}
