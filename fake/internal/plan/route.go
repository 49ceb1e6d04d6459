package plan

import "net/http"

// CampaignsPath is the path of the route, below the base path of the service.
const CampaignsPath = "/user/campaigns"

// Allowed are the methods of the route.
const Allowed = "GET, HEAD"

// A Route is what a request asks for.
type Route int

const (
	Campaigns Route = iota // GET or HEAD of the campaigns
	NoPath                 // another path
	NoMethod               // another method
	Preflight              // a browser's question about any path; with CORS off, about the route
)

// IsMatched reports whether a request is one that the service answers, and no mistake of the
// client.
func (r Route) IsMatched() bool {
	return r == Campaigns || r == Preflight
}

// Route returns what a request asks for. Paths are compared as they are sent:
// /api/user%2Fcampaigns is not taken for what it decodes to.
func (p *Snapshot) Route(r *http.Request) Route {
	path := r.URL.EscapedPath()
	switch {
	case IsPreflight(r) && (p.Cors != nil || path == p.Path):
		return Preflight
	case path != p.Path:
		return NoPath
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		return NoMethod
	}
	return Campaigns
}

// IsPreflight reports a browser's question whether it may send a request.
func IsPreflight(r *http.Request) bool {
	return r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != ""
}
