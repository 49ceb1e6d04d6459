package fake

import "net/http"

const campaignsPath = "/user/campaigns"

// allowed are the methods of the route.
const allowed = "GET, HEAD"

// A route is what a request asks for.
type route int

const (
	theRoute  route = iota // GET or HEAD of the campaigns
	noPath                 // another path
	noMethod               // another method
	preflight              // a browser's question, whatever it is about
)

// matched reports whether a request is one that the service answers.
func (r route) matched() bool { return r == theRoute || r == preflight }

// route returns what a request asks for. Paths are compared as they are sent:
// /api/user%2Fcampaigns is not taken for what it decodes to.
func (p *snapshot) route(r *http.Request, path string) route {
	switch {
	case isPreflight(r) && (p.cors != nil || path == p.path):
		return preflight
	case path != p.path:
		return noPath
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		return noMethod
	}
	return theRoute
}

// isPreflight reports a browser's question whether it may send a request.
func isPreflight(r *http.Request) bool {
	return r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != ""
}
