package plan

import (
	"net/http"
	"strings"
)

// Allowed are the methods of the route.
const Allowed = "GET, HEAD"

// A Route is what a request asks for.
type Route int

const (
	Campaigns Route = iota // GET or HEAD of the campaigns
	NoPath                 // another path
	NoMethod               // another method
	Preflight              // a browser's question about any path; with CORS off, about the route
	PassedOn               // something else, which the upstream may have
)

// IsMatched reports whether a request is one that the service answers, and no mistake of the
// client.
func (r Route) IsMatched() bool {
	return r == Campaigns || r == Preflight
}

// IsUnmatched reports whether a request is for nothing that is there: the service does not answer
// it, and neither does an upstream.
func (r Route) IsUnmatched() bool { return r == NoPath || r == NoMethod }

// Route returns what a request asks for. Paths are compared as they are sent:
// /api/user%2Fcampaigns is not taken for what it decodes to.
func (p *Snapshot) Route(r *http.Request) Route {
	path := r.URL.EscapedPath()
	switch {
	case IsPreflight(r) && p.CORS != nil:
		return Preflight
	case p.isPassedOn(r, path):
		return PassedOn
	case IsPreflight(r) && path == p.Path:
		return Preflight
	case path != p.Path:
		return NoPath
	case !isRead(r.Method):
		return NoMethod
	}
	return Campaigns
}

// isPassedOn reports whether a request is for the upstream: it is for another path, or with another
// method, and no mistake about the path of the campaigns. That would show real data otherwise, and
// hide the mistake.
func (p *Snapshot) isPassedOn(r *http.Request, path string) bool {
	hasPath := strings.HasPrefix(path, "/") && r.Method != http.MethodConnect
	if p.Upstream == nil || !hasPath {
		return false
	}
	if path == p.Path {
		return !isRead(r.Method)
	}
	return NearMiss(path, p.BasePath) == nil
}

func isRead(method string) bool {
	return method == http.MethodGet || method == http.MethodHead
}

// IsPreflight reports a browser's question whether it may send a request.
func IsPreflight(r *http.Request) bool {
	return r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != ""
}
