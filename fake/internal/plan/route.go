package plan

import (
	"net/http"
	"strings"
)

// Allowed is the header Allow: the methods with which clients can request the campaigns.
const Allowed = "GET, HEAD"

// A Route says what a request asks for.
type Route int

const (
	Campaigns Route = iota // GET or HEAD of the campaigns
	NoPath                 // a path that the service does not have
	NoMethod               // a method that the path of the campaigns does not have
	Preflight              // for any path; if CORS is off, for the path of the campaigns only
	PassedOn               // for the upstream or the fallback, if there is one
)

// IsUnmatched reports whether nobody answers the request: neither the service, nor an upstream, nor
// a fallback.
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

// isPassedOn reports whether a request is for the upstream or the fallback: it has a path or a
// method that the service does not have. A path that is nearly the path of the campaigns is not
// passed on: an upstream might answer it with real campaigns, which would hide the mistake.
func (p *Snapshot) isPassedOn(r *http.Request, path string) bool {
	hasPath := strings.HasPrefix(path, "/") && r.Method != http.MethodConnect
	if !p.PassesOn || !hasPath {
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

// IsPreflight reports whether a request is a preflight: with a preflight, a browser asks for
// permission to send another request.
func IsPreflight(r *http.Request) bool {
	return r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != ""
}
