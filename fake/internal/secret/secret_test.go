package secret_test

import (
	"encoding/base64"
	"encoding/hex"
	"strings"
	"testing"

	"example.com/campaignfake/fake/internal/secret"
)

// A token is found, and replaced, in each form in which services have been seen to repeat one.
func TestForms(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ token, form string }{
		"as it is":               {"abcd/efgh", "abcd/efgh"},
		"in a URL":               {"abcd/efgh", "abcd%2Fefgh"},
		"in a URL of JavaScript": {"abcd/efgh!", "abcd%2Fefgh!"},
		"in a URL of .NET":       {"abc/def+ghi=", "abc%2fdef%2bghi%3d"},
		"as PHP writes JSON":     {"abcd/efgh", `abcd\/efgh`},
		"in hexadecimal":         {"abcdefgh", hex.EncodeToString([]byte("abcdefgh"))},
		"in capitals":            {"jklmjklm", "6A6B6C6D6A6B6C6D"},
		"in Base64":              {"abcdefgh", "YWJjZGVmZ2g="},
		"in Base64 of URLs":      {"ab?~ab?~", "YWI_fmFiP34="},
		"behind one byte":        {"abcdefgh", "FiY2RlZm"},
		"behind two bytes":       {"abcdefgh", "hYmNkZWZn"},
	} {
		token := secret.New(tt.token)
		in := "a=" + tt.form + "&b"
		replaced := token.Replace(in)
		isReplaced := strings.Contains(replaced, "TOKEN") && !strings.Contains(replaced, tt.form)
		if !isReplaced || !token.IsIn(in) {
			t.Errorf("%s: %s becomes %s, and the token is in it: %t", name, in, replaced, token.IsIn(in))
		}
	}
}

// A part of eight characters is found in whatever a service sends, and less may be there by chance.
// A shorter token is found where all of it is, and replaced nowhere.
func TestIsIn(t *testing.T) {
	t.Parallel()
	const long = "sesame-Zx81Qk-open-the-list"
	const short = "Zx81Q"
	for _, tt := range []struct {
		token, text string
		want        bool
	}{
		{long, "SESAME Zx81", true},
		{long, "/sesame-Zx81Qk-op/en-the-list?a=b", true},
		{long, "100% of %73%65%73%61%6D%65%2DZx8", true},
		{long, "100% of %2573%2565%2573%2561%256D%2565%252DZx8", true},
		{long, base64.StdEncoding.EncodeToString([]byte("user:" + long)), true},
		{long, "open the sesame", false},
		{short, "for " + short + "!", true},
		{short, base64.StdEncoding.EncodeToString([]byte("x" + short + "!")), true},
		{short, base64.StdEncoding.EncodeToString([]byte("xy" + short + "!")), true},
		{short, "Zx81", false},
		{"ab", "YW", false}, // a part of its Base64 that many words have
		{"", "", false},
	} {
		if got := secret.New(tt.token).IsIn(tt.text); got != tt.want {
			t.Errorf("that %q is in %q is %t, want %t", tt.token, tt.text, got, tt.want)
		}
	}
	if got := secret.New("demo").Replace("demo"); got != "demo" {
		t.Errorf("demo becomes %s", got)
	}
	if got := secret.New("12345678").Replace("-12345678.5"); got != "-TOKEN.5" {
		t.Errorf("a token of eight characters becomes %s", got)
	}
}
