package services

import (
	"encoding/base64"
	"encoding/hex"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// leaks are the forms of the token of which no eight characters in a row may be printed.
var leaks = func() (parts []string) {
	forms := []string{
		token, strings.ToLower(token), strings.ToUpper(token), url.QueryEscape(token), strings.ToLower(url.QueryEscape(token)),
		hex.EncodeToString([]byte(token)), strings.ToUpper(hex.EncodeToString([]byte(token))), percent(token), reversed(token),
	}
	for _, before := range []string{"", "x", "xx"} {
		text := base64.StdEncoding.EncodeToString([]byte(before + token))[len(before)+1:]
		forms = append(forms, text, base64.URLEncoding.EncodeToString([]byte(before + token))[len(before)+1:])
	}
	for _, form := range forms {
		for i := 0; i+8 <= len(form); i++ {
			parts = append(parts, form[i:i+8])
		}
	}
	slices.Sort(parts)
	return slices.Compact(parts)
}()

func percent(text string) string {
	var b strings.Builder
	for _, c := range []byte(text) {
		b.WriteString("%" + hex.EncodeToString([]byte{c}))
	}
	return b.String()
}

func reversed(text string) string {
	letters := []byte(text)
	slices.Reverse(letters)
	return string(letters)
}

// holdsNoSecret checks that a text has no part of the token, and none of the words and
// digits that the values of all services have.
func holdsNoSecret(t *testing.T, what, text string) {
	t.Helper()
	for _, part := range leaks {
		if strings.Contains(text, part) {
			t.Errorf("%s holds a part of the token, %q:\n%s", what, part, text)
			return
		}
	}
	for _, value := range []string{"kestrel", "falcon", "c0ffee42", "7744"} {
		if strings.Contains(strings.ToLower(text), value) {
			t.Errorf("%s holds %q, which is a value of the service:\n%s", what, value, text)
		}
	}
}

// A service that repeats the token, an id, a name or the host is not written down. The
// message names the setting, and nothing that the service has said.
func TestSecretsAreNotWritten(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ place, form, withheld string }{
		{"error", "raw", "responses.not_found.body"},
		{"error", "bearer", "responses.not_found.body"},
		{"error", "url", ""},
		{"error", "url-lower", ""},
		{"error", "url-all", ""},
		{"error", "base64", ""},
		{"error", "base64url", ""},
		{"error", "base64-of-header", ""},
		{"error", "hex", ""},
		{"error", "hex-upper", ""},
		{"error", "part", "responses.not_found.body"},
		{"error", "turned", "responses.not_found.body"},
		{"error", "backwards", "responses.not_found.body"},
		{"error", "upper", "responses.not_found.body"},
		{"error", "spaced", ""},
		{"error", "name", "responses.not_found.body"},
		{"error", "name-lower", "responses.not_found.body"},
		{"error", "id", "responses.not_found.body"},
		{"error-text", "raw", "responses.not_found.body"},
		{"error-text", "id", "responses.not_found.body"},
		{"error-key", "raw", "responses.not_found.body"},
		{"error-key", "hex", ""},
		{"error-key", "base64", ""},
		{"error-key", "id", "responses.not_found.body"},
		{"challenge", "raw", ""},
		{"challenge", "part", "responses.missing_token.headers"},
		{"challenge", "host", "responses.missing_token.headers"},
		{"challenge", "host-upper", "responses.missing_token.headers"},
		{"challenge", "name", "responses.missing_token.headers"},
		{"scheme", "part", "responses.missing_token.headers"},
		{"header", "raw", ""},
		{"limit-header", "part", "headers"},
		{"type", "part", "success.headers"},
		{"envelope", "raw", "envelope"},
		{"beside", "raw", "beside"},
		{"beside", "base64", ""},
		{"beside", "hex", ""},
		{"beside-text", "raw", ""},
		{"field", "raw", "fields"},
		{"field", "url", ""}, // which is left out, since it looks like data
		{"field", "id", "fields"},
		{"key", "raw", "fields.owner"},
		{"key", "id", "fields.owner"},
		{"status", "part", "statuses"},
		{"name", "status", ""}, // which the fake has, too
		{"ids", "part", "ids"},
		{"nested", "part", "nested"},
	} {
		t.Run(c.place+" "+c.form, func(t *testing.T) {
			t.Parallel()
			for _, format := range []string{"json", "text", "github"} {
				t.Run(format, func(t *testing.T) {
					t.Parallel()
					s := start(t, "echo.mjs", c.place, c.form)
					baseURL := s.baseURL
					if strings.HasPrefix(c.form, "host") {
						baseURL = strings.Replace(baseURL, "127.0.0.1", "localhost", 1)
					}
					file := filepath.Join(t.TempDir(), "observed.yaml")
					o := compare(t, baseURL, "--write", file, "--format", format)
					s.safe(t)
					if c.withheld == "" {
						if o.status != 0 && o.status != 4 {
							t.Errorf("the status is %d, want 0 or 4\n%s", o.status, o.stderr)
						}
						written(t, file)
						return
					}
					if o.status != 1 || !strings.Contains(o.stderr, c.withheld+" holds ") {
						t.Errorf("the status is %d, want 1 and that %s is withheld\n%s", o.status, c.withheld, o)
					}
					if _, err := os.Stat(file); err == nil {
						t.Error("the file was written nevertheless")
						written(t, file)
					}
				})
			}
		})
	}
}
