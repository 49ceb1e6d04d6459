package fake

import (
	"fmt"
	"net/http"
	"strings"
)

// bearerToken returns the bearer token of a request by RFC 6750: one Authorization
// header with the scheme Bearer in any case, spaces, and the token. If there is no
// valid token, it returns "" and the problem.
func bearerToken(header http.Header) (token, problem string) {
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
			if word := placeholder(header); word != "" {
				return "", placeholders[word].meaning
			}
			return "", "the bearer token has a space, or a character that is not visible ASCII"
		}
	}
	return token, ""
}

// placeholders are what programs send in place of a token by mistake. They are no
// secrets.
var placeholders = map[string]struct{ meaning, title, advice string }{
	"undefined": noValue("undefined"),
	"null":      noValue("null"),
	"NaN":       noValue("NaN"),
	"None":      noValue("None"),
	"nil":       noValue("nil"),
	"[object Object]": {
		"the token is [object Object], which a program sends for an object in place of a text",
		"The token is [object Object]",
		"A program sends this for an object in place of a text. Send the field of the object that holds the token.",
	},
	"Bearer": {
		"the word Bearer is there twice",
		"The word Bearer is there twice",
		"The app puts Bearer before a token that begins with it, or before none. Send Authorization: Bearer <token>.",
	},
}

func noValue(word string) struct{ meaning, title, advice string } {
	return struct{ meaning, title, advice string }{
		"the token is the word " + word + ", which a program sends when the variable with the token has no value yet",
		"The token is the word " + word,
		"A program sends this word when the variable with the token has no value yet. Send the request after the app has its token.",
	}
}

// placeholder returns the placeholder that a request has in place of a token, or "".
func placeholder(header http.Header) string {
	scheme, rest, _ := strings.Cut(header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	rest = strings.Trim(rest, " ")
	if word, _, _ := strings.Cut(rest, " "); strings.EqualFold(word, "Bearer") {
		return "Bearer"
	}
	if _, ok := placeholders[rest]; ok {
		return rest
	}
	return ""
}

// describe returns a request on one line.
func describe(r *http.Request) string {
	token, problem := bearerToken(r.Header)
	if problem != "" {
		return fmt.Sprintf("%s %s (%s)", r.Method, r.URL.RequestURI(), problem)
	}
	return fmt.Sprintf("%s %s %s", r.Method, r.URL.RequestURI(), withToken(token))
}
