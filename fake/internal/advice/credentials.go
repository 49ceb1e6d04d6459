package advice

import (
	"cmp"
	"fmt"
	"net/http"
	"strings"

	"example.com/campaignfake/fake/internal/words"
	"example.com/campaignfake/fixtures/text"
)

// BearerToken returns the bearer token of a request by RFC 6750: one Authorization
// header with the scheme Bearer in any case, spaces, and the token. If there is no
// valid token, it returns "" and the problem.
func BearerToken(header http.Header) (token, problem string) {
	values := header["Authorization"]
	switch {
	case len(values) == 0:
		return "", "there is no Authorization header"
	case len(values) > 1:
		return "", "there are several Authorization headers"
	}
	scheme, rest, _ := strings.Cut(values[0], " ")
	if !strings.EqualFold(scheme, "Bearer") {
		switch {
		case scheme == "":
			return "", "the Authorization header is empty"
		case len(scheme) > 6 && strings.EqualFold(scheme[:6], "Bearer"):
			return "", "there is no space after Bearer in the Authorization header"
		case rest == "":
			return "", "the Authorization header has no scheme: the word Bearer is missing before the token"
		}
		return "", "the scheme of the Authorization header is not Bearer"
	}
	token = strings.Trim(rest, " ")
	if token == "" {
		return "", "there is no token after Bearer"
	}
	for i := range len(token) {
		if token[i] <= ' ' || token[i] > '~' {
			_, meaning := PlaceholderOf(header)
			return "", cmp.Or(meaning, "the bearer token has a space, or a character that is not visible ASCII")
		}
	}
	return token, ""
}

// placeholders are words that programs send in place of a token by mistake, and when they do. They
// are no secrets.
var placeholders = map[string]string{
	"undefined":        noValue,
	"null":             noValue,
	"None":             noValue,
	"nil":              noValue,
	"[object Object]":  "for an object in place of a text: send the field that holds the token",
	"[object Promise]": "for a promise that it has not awaited",
}

const noValue = "when the variable with the token has no value yet"

// templates match a name of a variable as templates have it.
var templates = text.Pattern(`^(\$\{[\w .$-]{1,60}\}|\{\{[\w .$-]{1,60}\}\}|%\w{1,60}%)$`)

// PlaceholderOf returns the word that a request has in place of a token, and what it
// means. Both are empty if the request has none.
func PlaceholderOf(header http.Header) (word, meaning string) {
	scheme, rest, _ := strings.Cut(header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return "", ""
	}
	word = strings.Trim(rest, " ")
	first, _, _ := strings.Cut(word, " ")
	switch when := placeholders[word]; {
	case when != "":
		return word, "the token is the word " + word + ", which a program sends " + when
	case strings.EqualFold(first, "Bearer"):
		return first, "the word Bearer is there twice, since the app puts it before a token that begins with it, or before none"
	case strings.ContainsAny(word, "{%") && templates().MatchString(word):
		return word, "the token is " + word + ", which a program sends when it has not put the value into a template"
	}
	return "", ""
}

// Describe returns a request on one line.
func Describe(r *http.Request) string {
	token, problem := BearerToken(r.Header)
	sender := words.WithToken(token)
	if problem != "" {
		sender = "(" + problem + ")"
	}
	return fmt.Sprintf("%s %s %s", r.Method, r.URL.RequestURI(), sender)
}
