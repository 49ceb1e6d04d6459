package reason_test

import (
	"net/http"
	"strings"
	"testing"

	"example.com/campaignfake/fake/internal/reason"
)

// authorization is a header with some Authorization headers.
func authorization(values ...string) http.Header {
	return http.Header{"Authorization": values}
}

// A token is read by the rules of RFC 6750. If the header has no such token, the refusal explains
// why.
func TestBearerToken(t *testing.T) {
	t.Parallel()
	object := reason.Placeholder{
		What: "the token is the word [object Object]",
		Why: "which a program sends for an object in place of a text: " +
			"send the field that holds the token",
	}
	for _, tt := range []struct {
		header http.Header
		token  string
		why    reason.Refusal
	}{
		{authorization("Bearer demo"), "demo", nil},
		{authorization("bEaReR   demo  "), "demo", nil},
		{authorization("Bearer !~"), "!~", nil},
		{authorization("Bearer undefined"), "undefined", nil},
		{http.Header{}, "", reason.NoHeader},
		{authorization("Bearer a", "Bearer b"), "", reason.SeveralHeaders},
		{authorization(""), "", reason.EmptyHeader},
		{authorization("Bearer"), "", reason.NoToken},
		{authorization("bearer:demo"), "", reason.NoSpace},
		{authorization("Bearer [object Object]"), "", object},
		{authorization("demo"), "", reason.NoScheme},
		{authorization("Basic ZGVtbw=="), "", reason.OtherScheme},
		{authorization("Bearer a b"), "", reason.BadCharacter},
		{authorization("Bearer ä"), "", reason.BadCharacter},
	} {
		token, why := reason.BearerToken(tt.header)
		if token != tt.token || why != tt.why {
			t.Errorf("%q has the token %q, and %v; want %q, %v",
				tt.header, token, why, tt.token, tt.why)
		}
	}
}

// A placeholder that a program sends in place of a token is recognized, even if it has characters
// that no token may have.
func TestPlaceholders(t *testing.T) {
	t.Parallel()
	const template = "the token is "
	for token, want := range map[string]string{
		"undefined":                         "the token is the word undefined",
		"Bearer":                            "the word Bearer is there twice",
		"bearer s3cr3t":                     "the word Bearer is there twice",
		"${token}":                          template + "${token}",
		"{{ auth.$token }}":                 template + "{{ auth.$token }}",
		"%TOKEN%":                           template + "%TOKEN%",
		"Undefined":                         "",
		"bearers":                           "",
		"${}":                               "",
		"{token}":                           "",
		"${s3cr3t:abc}":                     "",
		"a%TOKEN%":                          "",
		"%" + strings.Repeat("a", 61) + "%": "",
	} {
		found, is := reason.PlaceholderOf(token)
		if found.What != want || is != (want != "") || is != (found.Why != "") {
			t.Errorf("%q is %+v, %t; want %q", token, found, is, want)
		}
	}
}
