package upstream

import "strings"

// rewriteCookies rewrites the values of the headers Set-Cookie in place, so that browsers send the
// cookies to us.
func (t *transfer) rewriteCookies(cookies []string) {
	for i, cookie := range cookies {
		cookies[i] = t.rewriteCookie(cookie)
	}
}

// rewriteCookie returns the value of a header Set-Cookie without the attributes that would keep the
// cookie from us.
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

// cookiePath returns our path for the path of a cookie. The root stays as it is, because paths
// outside of our base path lead to the upstream, too.
func (t *transfer) cookiePath(path string) string {
	if path == "/" || !strings.HasPrefix(path, "/") {
		return path
	}
	return t.paths.back(path)
}

// needsHTTPS reports whether browsers refuse a cookie of this name unless it is Secure.
func needsHTTPS(name string) bool {
	lower := strings.ToLower(name)
	return strings.HasPrefix(lower, "__host-") || strings.HasPrefix(lower, "__secure-")
}
