package upstream

import "strings"

// A pathMapping changes our paths into those of the upstream, and back. It is for one request. All
// paths are escaped.
type pathMapping struct {
	ours     string // our base path; "" for the root
	theirs   string // the path of the upstream's URL; "" for the root
	isInside bool   // the path of the request is our base path, or below it
}

// newPathMapping returns the mapping for a request with the requested path.
func newPathMapping(ours, theirs, requested string) pathMapping {
	return pathMapping{
		ours:     ours,
		theirs:   theirs,
		isInside: isBelow(requested, ours),
	}
}

// isBelow reports whether a path is the base, or below it.
func isBelow(path, base string) bool {
	return path == base || strings.HasPrefix(path, base+"/")
}

// there returns the path of the upstream for the path of the request.
func (m pathMapping) there(path string) string {
	if !m.isInside {
		return path
	}
	return rooted(m.theirs + strings.TrimPrefix(path, m.ours))
}

// back returns our path for a path of the upstream, which its answer names.
//
// If the upstream's URL has no path, two of our paths lead to each of the upstream's: one below our
// base path, and one outside of it. back returns the one that is on the same side as the request.
func (m pathMapping) back(path string) string {
	isOutside := m.theirs == "" && !m.isInside
	if isOutside || !isBelow(path, m.theirs) {
		return path
	}
	return rooted(m.ours + strings.TrimPrefix(path, m.theirs))
}

// rooted returns a path that is not empty: each path begins with a slash.
func rooted(path string) string {
	if path == "" {
		return "/"
	}
	return path
}
