package upstream

import "strings"

// rewriteCookies makes cookies ours, in place. Each is the value of a header Set-Cookie.
func (x *exchange) rewriteCookies(cookies []string) {
	for i, cookie := range cookies {
		cookies[i] = x.rewriteCookie(cookie)
	}
}

func (x *exchange) rewriteCookie(cookie string) string {
	parts := strings.Split(cookie, ";")
	name, _, _ := strings.Cut(parts[0], "=")
	isOverHTTP := x.received.TLS == nil && !needsHTTPS(strings.TrimSpace(name))

	kept := []string{parts[0]}
	for _, attribute := range parts[1:] {
		name, value, _ := strings.Cut(strings.TrimSpace(attribute), "=")
		switch strings.ToLower(name) {
		case "domain":
			continue
		case "path":
			attribute = " Path=" + x.cookiePath(value)
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

// cookiePath returns our path for that of a cookie. The root stays, since paths outside of our base
// path lead to the upstream, too.
func (x *exchange) cookiePath(path string) string {
	if path == "/" || !strings.HasPrefix(path, "/") {
		return path
	}
	return x.paths.back(path)
}

// needsHTTPS reports whether browsers refuse a cookie of this name unless it is Secure.
func needsHTTPS(name string) bool {
	lower := strings.ToLower(name)
	return strings.HasPrefix(lower, "__host-") || strings.HasPrefix(lower, "__secure-")
}
