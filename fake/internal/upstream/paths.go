package upstream

import "strings"

// A pathMapping leads from the paths of one request to those of the upstream, and back. All paths
// are escaped.
type pathMapping struct {
	ours     string // our base path, "" for the root
	theirs   string // the path of the upstream's URL, "" for the root
	isInside bool   // the path of the request is at our base path, or below it
}

// newPathMapping returns the mapping for a request to a path.
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

// back returns our path for one of the upstream, which its answer names.
//
// If the upstream's URL has no path, two of ours lead to each of its paths: one below our base path
// and one outside of it. The one that is like the request is meant.
func (m pathMapping) back(path string) string {
	isOutside := m.theirs == "" && !m.isInside
	if isOutside || !isBelow(path, m.theirs) {
		return path
	}
	return rooted(m.ours + strings.TrimPrefix(path, m.theirs))
}

// rooted returns a path with the slash that each path begins with.
func rooted(path string) string {
	if path == "" {
		return "/"
	}
	return path
}
