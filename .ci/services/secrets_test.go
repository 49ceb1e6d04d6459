package services

import (
	"encoding/base64"
	"encoding/hex"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
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

// values are words and digits that only values of the services have, or that are in the
// keys of those that repeat their values, in small letters and with nothing between them.
var values = []string{"kestrel", "falcon", "c0ffee42", "7744", "janedoe", "correcthorse", "contactjane"}

// holdsNoSecret checks that a text has no part of the token, and none of the values of all
// services, however they are written.
func holdsNoSecret(t *testing.T, what, text string) {
	t.Helper()
	for _, part := range leaks {
		if strings.Contains(text, part) {
			t.Errorf("%s holds a part of the token, %q:\n%s", what, part, text)
			return
		}
	}
	squeezed := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
	for _, value := range values {
		if strings.Contains(squeezed, value) {
			t.Errorf("%s holds %q, which is a value of the service:\n%s", what, value, text)
		}
	}
}

// A service that repeats the token, or what its customers have written, is written down
// without it, wherever that stands.
func TestSecretsAreNotWritten(t *testing.T) {
	t.Parallel()
	everywhere := strings.Fields("raw bearer url-form url-lower url-all base64 base64url base64-of-header hex hex-upper part turned backwards upper spaced " +
		"name name-lower name-upper name-slug name-snake name-camel name-piece name-in-text id id-slug " +
		"person person-slug sentence email phone digits passphrase passphrase-snake path url host host-upper")
	places := strings.Fields("error error-text error-value error-list error-key code type scheme challenge challenge-error header limit-header " +
		"envelope nested beside beside-text field key map-key element enum text status name ids")
	for _, form := range everywhere {
		for _, format := range []string{"json", "text", "github"} {
			t.Run(form+" everywhere as "+format, func(t *testing.T) { keepsSecret(t, "everywhere", form, format) })
		}
	}
	for _, place := range places {
		for _, form := range strings.Fields("raw passphrase person sentence email phone") {
			t.Run(form+" as "+place, func(t *testing.T) { keepsSecret(t, place, form, "text") })
		}
	}
}

// keepsSecret writes down a service that repeats something at a place.
func keepsSecret(t *testing.T, place, form, format string) {
	t.Parallel()
	s := start(t, "echo.mjs", place, form)
	file := filepath.Join(t.TempDir(), "observed.yaml")
	o := compare(t, strings.Replace(s.baseURL, "127.0.0.1", "localhost", 1), "--write", file, "--format", format)
	s.safe(t)
	if o.status != 0 && o.status != 4 {
		t.Errorf("the status is %d, want 0 or 4\n%s", o.status, o)
	}
	if text := written(t, file); strings.Contains(strings.ToLower(text), "localhost") {
		t.Errorf("the written file holds the host:\n%s", text)
	}
}

// One plain word may be a key or a status; then the report lists it.
func TestWordsAreWrittenAsKeysAlone(t *testing.T) {
	t.Parallel()
	for _, place := range strings.Fields("error error-text error-value error-list code challenge challenge-error header beside-text element enum text name ids") {
		t.Run(place, func(t *testing.T) {
			t.Parallel()
			if o, text := wordAt(t, place); strings.Contains(text+o.stdout, "quagmire") {
				t.Errorf("the word is written:\n%s\n%s", o, text)
			}
		})
	}
	for _, place := range strings.Fields("everywhere error-key envelope nested beside field key map-key status") {
		t.Run(place, func(t *testing.T) {
			t.Parallel()
			if o, text := wordAt(t, place); strings.Contains(text, "quagmire") && !strings.Contains(o.stdout, "quagmire") {
				t.Errorf("the word is written, and the report does not list it:\n%s\n%s", o, text)
			}
		})
	}
}

// wordAt writes down a service that has a word at a place.
func wordAt(t *testing.T, place string) (outcome, string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "observed.yaml")
	o := compare(t, start(t, "echo.mjs", place, "word").baseURL, "--write", file, "--format", "text")
	return o, written(t, file)
}
