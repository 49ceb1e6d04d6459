package secret_test

import (
	"strings"
	"testing"

	"example.com/campaignfake/fake/internal/secret"
)

// Replace finds and replaces a token in each form in which real services repeat it.
func TestForms(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ token, form string }{
		"as it is":           {"abcd/efgh", "abcd/efgh"},
		"in a URL":           {"abcd/efgh", "abcd%2Fefgh"},
		"in a path":          {"abcd/ef+gh", "abcd%2Fef+gh"},
		"in JSON":            {"abcd&efgh", `abcd\u0026efgh`},
		"as PHP writes JSON": {"abcd/efgh", `abcd\/efgh`},
	} {
		token := secret.New(tt.token)
		in := "a=" + tt.form + "&b"
		replaced := token.Replace(in)
		isReplaced := strings.Contains(replaced, "TOKEN") && !strings.Contains(replaced, tt.form)
		if !isReplaced || !token.IsIn(in) {
			t.Errorf("%s: %s becomes %s, and is found: %t", name, in, replaced, token.IsIn(in))
		}
	}
}

// Replace does not change a token that is a short word, or a part of a token.
func TestWhatStays(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ token, text string }{
		{"demo", "demo"},
		{"sesame-Zx81Qk-open-the-list", "open the sesame-Zx81"},
		{"", "text"},
	} {
		token := secret.New(tt.token)
		if got := token.Replace(tt.text); got != tt.text || token.IsIn(tt.text) {
			t.Errorf("%s: %s becomes %s", tt.token, tt.text, got)
		}
	}
	if got := secret.New("12345678").Replace("-12345678.5"); got != "-TOKEN.5" {
		t.Errorf("a token of eight characters becomes %s", got)
	}
}
