package words_test

import (
	"strings"
	"testing"

	"example.com/campaignfake/fake/internal/words"
)

// A long token shows its start.
func TestMask(t *testing.T) {
	t.Parallel()
	for token, want := range map[string]string{
		"":                 "…",
		"0123456789abcde":  "…",
		"0123456789abcdef": "0123…",
	} {
		if got := words.Mask(token); got != want {
			t.Errorf("%q is masked as %q, want %q", token, got, want)
		}
	}
}

// CutInput shows 200 bytes of a text that a client sent.
func TestCutInput(t *testing.T) {
	t.Parallel()
	longest := strings.Repeat("x", 200)
	for input, want := range map[string]string{longest: longest, longest + "x": longest + "…"} {
		if got := words.CutInput(input); got != want {
			t.Errorf("%d bytes are shown as %s", len(input), got)
		}
	}
}
