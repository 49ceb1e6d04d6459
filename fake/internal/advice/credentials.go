package advice

import (
	"fmt"
	"net/http"
	"strings"

	"example.com/campaignfake/fake/internal/words"
)

// BearerToken returns the bearer token of a request by RFC 6750: one Authorization
// header with the scheme Bearer in any case, spaces, and the token. If there is no
// valid token, it returns "" and the problem.
func BearerToken(header http.Header) (token, problem string) {
	values := header["Authorization"]
	switch len(values) {
	case 0:
		return "", "there is no Authorization header"
	case 1:
	default:
		return "", "there are several Authorization headers"
	}
	scheme, rest, _ := strings.Cut(values[0], " ")
	if !strings.EqualFold(scheme, "Bearer") {
		switch {
		case scheme == "":
			return "", "the Authorization header is empty"
		case strings.EqualFold(scheme, "Bearer:"):
			return "", "there is a colon after Bearer in the Authorization header"
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
			if _, p := PlaceholderOf(header); p.Meaning != "" {
				return "", p.Meaning
			}
			return "", "the bearer token has a space, or a character that is not visible ASCII"
		}
	}
	return token, ""
}

// A Placeholder is a word that programs send in place of a token by mistake. It is no
// secret.
type Placeholder struct{ Meaning, remedy string }

var placeholders = map[string]Placeholder{
	"undefined": noValue("undefined"),
	"null":      noValue("null"),
	"None":      noValue("None"),
	"nil":       noValue("nil"),
	"[object Object]": {
		"the token is [object Object], which a program sends for an object in place of a text",
		"Send the field of the object that holds the token.",
	},
	"[object Promise]": {
		"the token is [object Promise], which a program sends for a promise that it has not awaited",
		"Await the token before you send the request.",
	},
	"Bearer": {
		"the word Bearer is there twice",
		"The app puts Bearer before a token that begins with it, or before none. Send Authorization: Bearer <token>.",
	},
}

func noValue(word string) Placeholder {
	return Placeholder{
		"the token is the word " + word + ", which a program sends when the variable with the token has no value yet",
		"Send the request after the app has its token.",
	}
}

// templates match a name of a variable as templates have it.
var templates = words.Pattern(`^(\$\{[\w .$-]{1,60}\}|\{\{[\w .$-]{1,60}\}\}|%\w{1,60}%)$`)

// PlaceholderOf returns the word that a request has in place of a token, and what it
// means. Both are zero if the request has none.
func PlaceholderOf(header http.Header) (word string, p Placeholder) {
	scheme, rest, _ := strings.Cut(header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return "", p
	}
	word = strings.Trim(rest, " ")
	if first, _, _ := strings.Cut(word, " "); strings.EqualFold(first, "Bearer") {
		word = "Bearer"
	}
	if p, known := placeholders[word]; known {
		return word, p
	}
	if strings.ContainsAny(word, "{%") && templates().MatchString(word) {
		return word, Placeholder{
			"the token is " + word + ", which a program sends when it has not put the value into a template",
			"Check that the variable has a value there. In JavaScript, ${token} stands for the value only between backticks.",
		}
	}
	return "", p
}

// Describe returns a request on one line.
func Describe(r *http.Request) string {
	token, problem := BearerToken(r.Header)
	if problem != "" {
		return fmt.Sprintf("%s %s (%s)", r.Method, r.URL.RequestURI(), problem)
	}
	return fmt.Sprintf("%s %s %s", r.Method, r.URL.RequestURI(), words.WithToken(token))
}
