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

// shortestSecret is how many characters a token needs to be replaced. A shorter token, as demo, is
// a word that answers have anyway.
const shortestSecret = 8

// shortestPart is how many characters a part of Base64 needs to be a form of the token. A shorter
// part is a word that any text may have.
const shortestPart = 4

// A Token is the token of a service. Any number of goroutines can use it at once.
type Token struct {
	replacer *strings.Replacer
	letters  []string // each form in lower case, without signs
}

// New returns a token that is never repeated. The token "" is in no text.
func New(token string) Token {
	if token == "" {
		return Token{replacer: strings.NewReplacer()}
	}
	var t Token
	var pairs []string
	for _, form := range forms(token) {
		pairs = append(pairs, form, Placeholder)
		t.letters = append(t.letters, lettersOf(form))
	}
	if len(token) < shortestSecret {
		pairs = nil
	}
	t.replacer = strings.NewReplacer(pairs...)
	return t
}

// Replace returns a text in which the placeholder stands for each form of the token. It replaces
// nothing if the token has fewer than eight characters.
func (t Token) Replace(s string) string { return t.replacer.Replace(s) }

// IsIn reports whether a text has eight characters of the token in a row, or all of a token that is
// shorter. Signs between the characters, and their case, make no difference.
func (t Token) IsIn(s string) bool {
	decoded := unescaped(s)
	letters := lettersOf(s) + " " + lettersOf(decoded) + " " + lettersOf(unescaped(decoded))
	for _, form := range t.letters {
		width := min(8, len(form))
		for start := 0; width > 0 && start+width <= len(form); start++ {
			if strings.Contains(letters, form[start:start+width]) {
				return true
			}
		}
	}
	return false
}

// forms returns the forms in which an answer may repeat a token: as it is, as URLs and JSON have
// it, in hexadecimal, and in Base64, behind none, one or two other bytes. A form that has another
// one in it comes before that.
func forms(token string) []string {
	quoted, _ := json.Marshal(token) // any text can be written as JSON
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

var (
	escapes = text.Pattern(`%[0-9A-Fa-f]{2}`)
	signs   = text.Pattern(`[^a-z0-9]+`)
)

// unescaped decodes the escapes of URLs in a text. A % that begins no escape stays.
func unescaped(s string) string {
	return escapes().ReplaceAllStringFunc(s, func(escape string) string {
		decoded, _ := hex.DecodeString(escape[1:]) // the pattern has digits alone behind the %
		return string(decoded)
	})
}

// lettersOf returns the letters and digits of a text, in lower case. So a token is found, too, if
// an answer has split it.
func lettersOf(s string) string {
	return signs().ReplaceAllString(strings.ToLower(s), "")
}
