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
	Preflight              // a browser's question: about any path, or with CORS off about the route
	PassedOn               // anything else, if there is somebody who answers it
)

// IsMatched reports whether the service itself answers the request, so that it is no mistake of the
// client.
func (r Route) IsMatched() bool {
	return r == Campaigns || r == Preflight
}

// IsUnmatched reports whether nobody answers the request, neither the service nor a fallback.
func (r Route) IsUnmatched() bool {
	return r == NoPath || r == NoMethod
}

// Route returns what a request asks for. It compares paths as they are sent, so that
// /api/user%2Fcampaigns is another path than /api/user/campaigns.
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

// isPassedOn reports whether a request is for the fallback: it has another path, or another method.
// A path that is nearly that of the campaigns is not passed on. An upstream might answer it with
// real campaigns, and that would hide the mistake.
func (p *Snapshot) isPassedOn(r *http.Request, path string) bool {
	hasPath := strings.HasPrefix(path, "/") && r.Method != http.MethodConnect
	if !p.HasFallback || !hasPath {
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

// IsPreflight reports whether a request is a browser's question whether it may send another
// request.
func IsPreflight(r *http.Request) bool {
	return r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != ""
}
