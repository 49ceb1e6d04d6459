package compare

import (
	"encoding/hex"
	"strings"

	"example.com/campaignfake/fake/internal/secret"
	"example.com/campaignfake/fixtures/text"
)

// tokenForms are the forms in which an answer may repeat the token of the service. They have no
// capitals, and no signs.
type tokenForms []string

func newTokenForms(token string) tokenForms {
	var forms tokenForms
	for _, form := range secret.Forms(token) {
		forms = append(forms, simplified(form))
	}
	return forms
}

var separators = text.Pattern(`[^a-z0-9]+`)

// simplified returns the letters and digits of a text, in lower case. So a token is found, too, if
// the answer has split it.
func simplified(whole string) string {
	return separators().ReplaceAllString(strings.ToLower(whole), "")
}

var escapes = text.Pattern(`%[0-9A-Fa-f]{2}`)

// unescaped decodes the escapes of URLs in a text. A % that begins no escape stays.
func unescaped(whole string) string {
	return escapes().ReplaceAllStringFunc(whole, func(escape string) string {
		decoded, _ := hex.DecodeString(escape[1:]) // the pattern has digits alone behind the %
		return string(decoded)
	})
}

// isIn reports whether a text has eight characters of the token in a row, or all of a token that is
// shorter.
func (s tokenForms) isIn(whole string) bool {
	decoded := unescaped(whole)
	twice := unescaped(decoded)
	letters := simplified(whole) + " " + simplified(decoded) + " " + simplified(twice)
	for _, form := range s {
		width := min(8, len(form))
		if width == 0 {
			continue
		}
		for start := 0; start+width <= len(form); start++ {
			if strings.Contains(letters, form[start:start+width]) {
				return true
			}
		}
	}
	return false
}
