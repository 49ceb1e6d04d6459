package compare

import (
	"encoding/base64"
	"encoding/hex"
	"net/url"
	"regexp"
	"strings"
)

// A secret is the token of the service, in the forms in which an answer may repeat it.
type secret []string

// newSecret returns the forms of a token: as it is, in hexadecimal, and in Base64, behind
// none, one or two bytes of something else.
func newSecret(token string) secret {
	forms := secret{simplified(token), hex.EncodeToString([]byte(token))}
	for before, cut := range []int{0, 2, 3} { // what depends on these bytes, and at the end
		encoded := base64.RawStdEncoding.EncodeToString([]byte(strings.Repeat(" ", before) + token))
		forms = append(forms, simplified(encoded[cut:max(cut, len(encoded)-2)]))
	}
	return forms
}

var separators = regexp.MustCompile(`[^a-z0-9]+`)

// simplified returns the letters and digits of a text, in lower case: so a token is found
// that was split.
func simplified(text string) string { return separators.ReplaceAllString(strings.ToLower(text), "") }

// in reports whether a text has eight characters of the token in a row, or all of one that
// is shorter.
func (s secret) in(text string) bool {
	decoded, _ := url.QueryUnescape(text)
	twice, _ := url.QueryUnescape(decoded)
	text = simplified(text) + " " + simplified(decoded) + " " + simplified(twice)
	for _, form := range s {
		width := min(8, len(form))
		for i := 0; width > 0 && i+width <= len(form); i++ {
			if strings.Contains(text, form[i:i+width]) {
				return true
			}
		}
	}
	return false
}
