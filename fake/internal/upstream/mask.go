package upstream

import (
	"net/http"
	"strings"
)

// masked is shown in place of the value of a cookie.
const masked = "…"

// MaskCookies hides the values of cookies in the headers of a request or of an answer, because any
// of them may be a session. Names and attributes stay. An empty value stays, too, because it shows
// that a cookie is removed. MaskCookies returns a copy if there are cookies, and else the headers
// themselves.
func MaskCookies(header http.Header) http.Header {
	if header["Cookie"] == nil && header["Set-Cookie"] == nil {
		return header
	}
	shown := header.Clone()
	for i, cookies := range shown["Cookie"] {
		shown["Cookie"][i] = maskPairs(cookies)
	}
	for i, cookie := range shown["Set-Cookie"] {
		shown["Set-Cookie"][i] = maskFirst(cookie)
	}
	return shown
}

// maskPairs hides each value in a header Cookie.
func maskPairs(cookies string) string {
	pairs := strings.Split(cookies, ";")
	for i, pair := range pairs {
		pairs[i] = maskValue(pair)
	}
	return strings.Join(pairs, ";")
}

// maskFirst hides the value of the cookie in a header Set-Cookie. The attributes stay.
func maskFirst(cookie string) string {
	pair, attributes, hasAttributes := strings.Cut(cookie, ";")
	if !hasAttributes {
		return maskValue(pair)
	}
	return maskValue(pair) + ";" + attributes
}

// maskValue hides the value of a cookie. A cookie without a name is hidden as a whole.
func maskValue(pair string) string {
	name, value, hasName := strings.Cut(pair, "=")
	isRemoved := hasName && value == ""
	isNothing := strings.TrimSpace(pair) == ""
	switch {
	case isRemoved || isNothing:
		return pair
	case hasName:
		return name + "=" + masked
	}
	return masked
}
