package upstream

import (
	"net/http"
	"strings"
)

// rewriteCookie changes the value of a header Set-Cookie, so that browsers send the cookie to us.
// It removes Domain, and turns Path into our path. Over HTTP, it also removes the attributes that
// browsers accept only over HTTPS, unless the cookie's name needs them, such as __Host-session.
func (t *transfer) rewriteCookie(cookie string) string {
	parts := strings.Split(cookie, ";")
	name, _, _ := strings.Cut(parts[0], "=")
	isOverHTTP := t.received.TLS == nil && !needsHTTPS(strings.TrimSpace(name))

	kept := []string{parts[0]}
	for _, attribute := range parts[1:] {
		name, value, _ := strings.Cut(strings.TrimSpace(attribute), "=")
		switch strings.ToLower(name) {
		case "domain":
			continue
		case "path":
			attribute = " Path=" + t.cookiePath(value)
		case "secure", "partitioned":
			if isOverHTTP {
				continue
			}
		case "samesite":
			if isOverHTTP && strings.EqualFold(value, "none") {
				continue
			}
		}
		kept = append(kept, attribute)
	}
	return strings.Join(kept, ";")
}

// cookiePath returns our path for the path of a cookie. The path / stays as it is: paths outside of
// our base path lead to the upstream, too, and browsers have to send the cookie there. A text that
// does not begin with / also stays.
func (t *transfer) cookiePath(path string) string {
	if path == "/" || !strings.HasPrefix(path, "/") {
		return path
	}
	return t.paths.fromUpstream(path)
}

// needsHTTPS reports whether browsers refuse a cookie of this name unless it is Secure.
func needsHTTPS(name string) bool {
	lower := strings.ToLower(name)
	return strings.HasPrefix(lower, "__host-") || strings.HasPrefix(lower, "__secure-")
}

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
		pairs := strings.Split(cookies, ";")
		for j, pair := range pairs {
			pairs[j] = maskValue(pair)
		}
		shown["Cookie"][i] = strings.Join(pairs, ";")
	}
	for i, cookie := range shown["Set-Cookie"] {
		pair, _, _ := strings.Cut(cookie, ";")
		attributes := cookie[len(pair):]
		shown["Set-Cookie"][i] = maskValue(pair) + attributes
	}
	return shown
}

// maskValue hides the value in a pair such as name=value. A pair without a name becomes "…".
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
