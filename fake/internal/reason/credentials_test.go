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

// A token is read as RFC 6750 has it, or what stands in its place is explained.
func TestBearerToken(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		header http.Header
		token  string
		why    reason.Refusal
	}{
		{authorization("Bearer demo"), "demo", nil},
		{authorization("bearer demo"), "demo", nil},
		{authorization("BEARER   demo  "), "demo", nil},
		{authorization("Bearer !~"), "!~", nil},
		{authorization("Bearer undefined"), "undefined", nil},
		{http.Header{}, "", reason.NoHeader},
		{authorization("Bearer a", "Bearer b"), "", reason.SeveralHeaders},
		{authorization(""), "", reason.EmptyHeader},
		{authorization("Bearer"), "", reason.NoToken},
		{authorization("Bearer  "), "", reason.NoToken},
		{authorization("Bearerdemo"), "", reason.NoSpace},
		{authorization("bearer:demo"), "", reason.NoSpace},
		{authorization("demo"), "", reason.NoScheme},
		{authorization("Basic ZGVtbw=="), "", reason.OtherScheme},
		{authorization("Bearer a b"), "", reason.BadCharacter},
		{authorization("Bearer a\tb"), "", reason.BadCharacter},
		{authorization("Bearer ä"), "", reason.BadCharacter},
		{authorization("Bearer a\x7f"), "", reason.BadCharacter},
	} {
		token, why := reason.BearerToken(tt.header)
		if token != tt.token || why != tt.why {
			t.Errorf("%q has the token %q, and %v; want %q, %v",
				tt.header, token, why, tt.token, tt.why)
		}
	}
}

// What programs send in place of a token is told from a token, also if it could not be one.
func TestPlaceholders(t *testing.T) {
	t.Parallel()
	const word, template = "the token is the word ", "the token is "
	for token, want := range map[string]string{
		"undefined":                         "the token is the word undefined",
		"null":                              word + "null",
		"None":                              word + "None",
		"nil":                               word + "nil",
		"[object Object]":                   word + "[object Object]",
		"[object Promise]":                  word + "[object Promise]",
		"Bearer":                            "the word Bearer is there twice",
		"bearer s3cr3t":                     "the word Bearer is there twice",
		"${token}":                          template + "${token}",
		"${process.env.API-TOKEN}":          template + "${process.env.API-TOKEN}",
		"{{ auth.$token }}":                 template + "{{ auth.$token }}",
		"%TOKEN%":                           template + "%TOKEN%",
		"Undefined":                         "",
		"bearers":                           "",
		"${}":                               "",
		"$token":                            "",
		"{token}":                           "",
		"${s3cr3t:abc}":                     "",
		"a%TOKEN%":                          "",
		"%":                                 "",
		"%" + strings.Repeat("a", 61) + "%": "",
	} {
		found, is := reason.PlaceholderOf(token)
		if found.What != want || is != (want != "") || is != (found.Why != "") {
			t.Errorf("%q is %+v, %t; want %q", token, found, is, want)
		}
	}
}

// The token of a placeholder with a space in it cannot be read, and is explained all the same.
func TestPlaceholdersWithSpaces(t *testing.T) {
	t.Parallel()
	token, why := reason.BearerToken(authorization("Bearer [object Object]"))
	const want = "the token is the word [object Object], which a program sends " +
		"for an object in place of a text: send the field that holds the token"
	if token != "" || why.String() != want {
		t.Errorf("the token is %q: %v, want %s", token, why, want)
	}
}
