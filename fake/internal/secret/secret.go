// Package secret knows the forms in which an answer of a service may repeat the token of the
// request. Code that prints or records an answer leaves out the token in each of these forms.
package secret

import (
	"encoding/json"
	"net/url"
	"strings"
)

// Placeholder stands for a token that was replaced.
const Placeholder = "TOKEN"

// shortestSecret is the length, in characters, of the shortest token that Replace replaces. A
// shorter token, such as demo, may be a word that an answer has by chance.
const shortestSecret = 8

// A Token is the token of a service. Any number of goroutines can use it at once.
type Token struct{ replacer *strings.Replacer }

// New returns a Token for the token of a service. Its methods find and replace this token in texts,
// because no output may repeat the token. But they ignore a token of fewer than 8 characters, which
// may be a usual word.
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

// IsIn reports whether Replace would change a text, because the text has a form of the token.
func (t Token) IsIn(s string) bool { return t.Replace(s) != s }

// forms returns the forms in which an answer may repeat a token: as it is, as URLs have it, and as
// JSON has it. If one form contains another form, the longer form comes first, so that Replace
// replaces all of it.
func forms(token string) []string {
	quoted, _ := json.Marshal(token) // cannot fail: it is a text
	inJSON := string(quoted[1 : len(quoted)-1])
	return []string{
		url.QueryEscape(token),
		url.PathEscape(token),
		strings.ReplaceAll(inJSON, "/", `\/`), // as PHP writes it
		inJSON,
		token,
	}
}
