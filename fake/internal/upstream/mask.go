package upstream

import (
	"net/http"
	"strings"
)

// masked stands in place of the value of a cookie.
const masked = "…"

// MaskCookies returns headers of a request or of an answer as log, journal and page may show them:
// with the names and attributes of cookies, and without their values, since any of them may be a
// session. A value that is empty stays: that is how a cookie is removed. The headers themselves do
// not change, and are returned if they have no cookies.
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

// maskPairs masks each value of a header Cookie.
func maskPairs(cookies string) string {
	pairs := strings.Split(cookies, ";")
	for i, pair := range pairs {
		pairs[i] = maskValue(pair)
	}
	return strings.Join(pairs, ";")
}

// maskFirst masks the value of a header Set-Cookie, and leaves its attributes.
func maskFirst(cookie string) string {
	pair, attributes, hasAttributes := strings.Cut(cookie, ";")
	if !hasAttributes {
		return maskValue(pair)
	}
	return maskValue(pair) + ";" + attributes
}

// maskValue masks the value of a cookie, and all of one that has no name.
func maskValue(pair string) string {
	name, value, hasName := strings.Cut(pair, "=")
	switch {
	case hasName && value == "", strings.TrimSpace(pair) == "":
		return pair
	case hasName:
		return name + "=" + masked
	default:
		return masked
	}
}
