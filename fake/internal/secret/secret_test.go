package secret_test

import (
	"slices"
	"testing"

	"example.com/campaignfake/fake/internal/secret"
)

// A token is found in each form in which services have been seen to repeat one, and a short one
// makes no words that any text has.
func TestForms(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		token string
		form  string
	}{
		"as it is":               {"abcd/efgh", "abcd/efgh"},
		"in a URL":               {"abcd/efgh", "abcd%2Fefgh"},
		"in a URL of JavaScript": {"abcd/efgh!", "abcd%2Fefgh!"},
		"in a URL of .NET":       {"abc/def+ghi=", "abc%2fdef%2bghi%3d"},
		"as PHP writes JSON":     {"abcd/efgh", `abcd\/efgh`},
		"in hexadecimal":         {"abcd", "61626364"},
		"in capitals":            {"jklm", "6A6B6C6D"},
		"in Base64":              {"abcdefgh", "YWJjZGVmZ2g="},
		"in Base64 of URLs":      {"ab?~ab?~", "YWI_fmFiP34="},
		"behind one byte":        {"abcdefgh", "FiY2RlZm"},
		"behind two bytes":       {"abcdefgh", "hYmNkZWZn"},
	} {
		if forms := secret.Forms(tt.token); !slices.Contains(forms, tt.form) {
			t.Errorf("%s: %q is not among %q", name, tt.form, forms)
		}
	}
	for _, token := range []string{"a", "abc"} {
		for _, form := range secret.Forms(token) {
			if len(form) < len(token) {
				t.Errorf("%q is a part of many words", form)
			}
		}
	}
}
