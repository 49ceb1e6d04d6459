// Package secret knows how an answer of a service may repeat the token that it was sent. Whoever
// prints or records an answer leaves the token out of it in each of these forms.
package secret

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"strings"

	"example.com/campaignfake/fixtures/text"
)

// Placeholder stands for a token that was replaced.
const Placeholder = "TOKEN"

// shortestSecret is the length of the shortest token that is replaced, in characters. A shorter
// token, as demo, is a word that an answer may also have by chance.
const shortestSecret = 8

// shortestPart is the length of the shortest part of Base64 that counts as a form of the token, in
// characters. Any text may have a shorter part by chance.
const shortestPart = 4

// A Token is the token of a service. Any number of goroutines can use it at once.
type Token struct{ replacer *strings.Replacer }

// New returns a token that is never repeated.
func New(token string) Token {
	var pairs []string
	if len(token) >= shortestSecret {
		for _, form := range forms(token) {
			pairs = append(pairs, form, Placeholder)
		}
	}
	return Token{strings.NewReplacer(pairs...)}
}

// Replace returns a text in which the placeholder stands for each form of the token. It replaces
// nothing if the token has fewer than eight characters.
func (t Token) Replace(s string) string { return t.replacer.Replace(s) }

// IsIn reports whether a text has one of the forms of the token that Replace replaces.
func (t Token) IsIn(s string) bool { return t.Replace(s) != s }

// forms returns the forms in which an answer may repeat a token: as it is, as URLs and JSON have
// it, in hexadecimal, and in Base64, behind no, one or two other bytes. A form that contains
// another form comes before it.
func forms(token string) []string {
	quoted, _ := json.Marshal(token) // cannot fail: it is a text
	inJSON := strings.Trim(string(quoted), `"`)
	inHex := hex.EncodeToString([]byte(token))
	var forms []string
	for _, escaped := range inURLs(token) {
		inLowerCase := escapes().ReplaceAllStringFunc(escaped, strings.ToLower) // as .NET writes it
		forms = append(forms, escaped, inLowerCase)
	}
	forms = append(forms,
		inJSON,
		strings.ReplaceAll(inJSON, "/", `\/`), // as PHP writes it
		token,
		inHex,
		strings.ToUpper(inHex),
		base64.StdEncoding.EncodeToString([]byte(token)),
		base64.URLEncoding.EncodeToString([]byte(token)),
	)
	for before := range 3 {
		for _, encoding := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			part := partOfBase64(encoding, token, before)
			if len(part) >= shortestPart {
				forms = append(forms, part)
			}
		}
	}
	return forms
}

// inURLs returns a token as URLs have it. Encoders differ in the signs that they escape.
func inURLs(token string) []string {
	inQuery := url.QueryEscape(token)
	asInJavaScript := strings.NewReplacer(
		"%21", "!",
		"%27", "'",
		"%28", "(",
		"%29", ")",
		"%2A", "*",
	)
	return []string{
		inQuery,
		asInJavaScript.Replace(inQuery), // as encodeURIComponent writes it
		url.PathEscape(token),
	}
}

// partOfBase64 returns the letters with which Base64 writes a token behind some other bytes. It
// leaves out the first and last letters, which depend on the bytes before and after the token.
func partOfBase64(encoding *base64.Encoding, token string, before int) string {
	encoded := encoding.EncodeToString([]byte(strings.Repeat(" ", before) + token))
	dependOnBytesBefore := [...]int{0, 2, 3}
	cut := dependOnBytesBefore[before]
	end := max(cut, len(encoded)-2)
	return encoded[cut:end]
}

var escapes = text.Pattern(`%[0-9A-F]{2}`)
