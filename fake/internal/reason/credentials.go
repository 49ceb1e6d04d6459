package reason

import (
	"net/http"
	"strings"

	"example.com/campaignfake/fake/internal/words"
	"example.com/campaignfake/fixtures/text"
)

// A MissingToken refuses a request without a readable bearer token. Its text is a phrase that says
// what is wrong with the Authorization header.
type MissingToken string

const (
	NoHeader       MissingToken = "there is no Authorization header"
	SeveralHeaders MissingToken = "there are several Authorization headers"
	EmptyHeader    MissingToken = "the Authorization header is empty"
	NoScheme       MissingToken = "the Authorization header has no scheme: " +
		"the word Bearer is missing before the token"
	OtherScheme  MissingToken = "the scheme of the Authorization header is not Bearer"
	NoSpace      MissingToken = "there is no space after Bearer in the Authorization header"
	NoToken      MissingToken = "there is no token after Bearer"
	BadCharacter MissingToken = "the bearer token has a space, " +
		"or a character that is not visible ASCII"
)

func (m MissingToken) String() string {
	return string(m)
}

// Detail says what is wrong, and what to send instead.
func (m MissingToken) Detail() string {
	return words.Sentence(string(m)) + sendBearer
}

// sendBearer says what to send in place of wrong credentials.
const sendBearer = " Send Authorization: Bearer <token>."

// BearerToken returns the bearer token of a request by RFC 6750: one Authorization header with the
// scheme Bearer (in upper or lower case), spaces, and the token. If the header has no such token,
// it returns "", and a MissingToken or a Placeholder that says why.
func BearerToken(header http.Header) (token string, why Refusal) {
	values := header["Authorization"]
	if len(values) == 0 {
		return "", NoHeader
	}
	if len(values) > 1 {
		return "", SeveralHeaders
	}
	scheme, rest, _ := strings.Cut(values[0], " ")
	if !strings.EqualFold(scheme, bearer) {
		return "", otherScheme(scheme, rest)
	}
	token = strings.Trim(rest, " ")
	if token == "" {
		return "", NoToken
	}
	if strings.ContainsFunc(token, text.CannotBeInToken) {
		placeholder, isPlaceholder := PlaceholderOf(token)
		if isPlaceholder {
			return "", placeholder
		}
		return "", BadCharacter
	}
	return token, nil
}

const bearer = "Bearer"

// otherScheme says what is wrong with an Authorization header that does not begin with Bearer.
func otherScheme(scheme, rest string) MissingToken {
	startsWithBearer := strings.HasPrefix(strings.ToLower(scheme), strings.ToLower(bearer))
	switch {
	case scheme == "":
		return EmptyHeader
	case startsWithBearer:
		return NoSpace
	case rest == "":
		return NoScheme
	}
	return OtherScheme
}

// A Placeholder is what a program sends by mistake in place of a token: for example the word
// undefined, or the template ${TOKEN}. It is no secret.
type Placeholder struct {
	What string // a phrase, such as "the token is the word undefined"
	Why  string // the rest of the phrase, such as "which a program sends when …"
}

func (p Placeholder) String() string {
	return p.What + ", " + p.Why
}

// Detail says why a program sends the placeholder, and what to send instead.
func (p Placeholder) Detail() string {
	return words.Sentence(p.String()) + sendBearer
}

// placeholders has the words that programs send by mistake in place of a token. The value of each
// word says when programs send the word. It follows "which a program sends", for example "for a
// promise that it has not awaited".
var placeholders = map[string]string{
	"undefined":        noValue,
	"null":             noValue,
	"None":             noValue,
	"nil":              noValue,
	"[object Object]":  "for an object in place of a text: send the field that holds the token",
	"[object Promise]": "for a promise that it has not awaited",
}

const noValue = "when the variable with the token has no value yet"

// templates matches a text that is a placeholder of a template: ${NAME}, {{NAME}} or %NAME%.
var templates = text.Pattern(`^(\$\{[\w .$-]{1,60}\}|\{\{[\w .$-]{1,60}\}\}|%\w{1,60}%)$`)

// PlaceholderOf reports whether a token is in fact a placeholder, and returns the placeholder.
func PlaceholderOf(token string) (p Placeholder, isPlaceholder bool) {
	when, isWord := placeholders[token]
	if isWord {
		return Placeholder{
			What: "the token is the word " + token,
			Why:  "which a program sends " + when,
		}, true
	}
	first, _, _ := strings.Cut(token, " ")
	if strings.EqualFold(first, bearer) {
		return Placeholder{
			What: "the word Bearer is there twice",
			Why:  "since the app puts it before a token that begins with it, or before none",
		}, true
	}
	if strings.ContainsAny(token, "{%") && templates().MatchString(token) {
		return Placeholder{
			What: "the token is " + token,
			Why:  "which a program sends when it has not put the value into a template",
		}, true
	}
	return Placeholder{}, false
}
