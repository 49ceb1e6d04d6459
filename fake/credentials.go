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
			return "", "the bearer token has a space, or a character that is not visible ASCII"
		}
	}
	return token, ""
}

// describe returns a request on one line.
func describe(r *http.Request) string {
	token, problem := bearerToken(r.Header)
	if problem != "" {
		return fmt.Sprintf("%s %s (%s)", r.Method, r.URL.RequestURI(), problem)
	}
	return fmt.Sprintf("%s %s %s", r.Method, r.URL.RequestURI(), withToken(token))
}
