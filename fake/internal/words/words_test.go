package words_test

import (
	"strings"
	"testing"

	"example.com/campaignfake/fake/internal/words"
)

func TestMask(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, token, want string }{
		{"empty", "", "…"},
		{"too short to show a part", "0123456789abcde", "…"},
		{"long", "0123456789abcdef", "0123…"},
	} {
		if got := words.Mask(tt.token); got != tt.want {
			t.Errorf("%s: %q is masked as %q, want %q", tt.name, tt.token, got, tt.want)
		}
	}
}

func TestPhrases(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, got, want string }{
		{"none", words.Counted(0, "request"), "0 requests"},
		{"one", words.Counted(1, "request"), "1 request"},
		{"two", words.Counted(2, "request"), "2 requests"},
		{"a request", words.WithToken("a b"), `with token "a b"`},
		{"a request without a token", words.WithToken(""), "without a token"},
		{"a reply", words.OfToken("alice"), `of token "alice"`},
		{"a reply without a token", words.OfToken(""), "without a token"},
		{"a sentence", words.Sentence("the path is /a"), "The path is /a."},
		{"a short input", words.CutInput("abc"), "abc"},
		{"the longest input", words.CutInput(strings.Repeat("x", 200)), strings.Repeat("x", 200)},
		{
			name: "a longer input",
			got:  words.CutInput(strings.Repeat("x", 201)),
			want: strings.Repeat("x", 200) + "…",
		},
	} {
		if tt.got != tt.want {
			t.Errorf("%s is written as %q, want %q", tt.name, tt.got, tt.want)
		}
	}
}
