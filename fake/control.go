package fake

import (
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/gorilla/mux"
)

// The control plane is what stands under /_fake/: JSON with the names of YAML, for
// those who test against the server from outside of its process.

const (
	// controlBytes bounds the body of a request to the control plane.
	controlBytes = 8 << 20

	// controlPatience is how long a body may take to arrive.
	controlPatience = 30 * time.Second

	// controlUsers bounds how many users there can be when one is put.
	controlUsers = 10_000

	// controlTotal bounds the JSON of all users and replies that were sent and are
	// kept, for which about ten times as much memory is taken. A reply counts so
	// much more as it takes if it says little.
	controlTotal, replyBytes = 16 << 20, 256

	// listedRequests is how many requests an answer lists unless told otherwise,
	// and listedMost how many at most.
	listedRequests, listedMost = 100, 1000
)

// Control returns the control plane as a handler of its own, for a listener of its
// own: what is under /_fake/, and nothing else, whatever WithoutControl says. It
// answers no pages of other origins and, on the loopback interface, to no names
// but those of this machine.
func (s *Server) Control() http.Handler {
	router := mux.NewRouter()
	routes := s.controlRoutes()
	s.routeControl(router, routes)
	router.NotFoundHandler = handle(func(x *exchange) { x.nothingHere(routes) })
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.serve(w, r, router) })
}

// A controlRoute is what one path of the control plane answers, by method.
type controlRoute map[string]func(*exchange)

// controlRoutes are the paths of the control plane.
func (s *Server) controlRoutes() map[string]controlRoute {
	return map[string]controlRoute{
		healthPath:            {"GET": s.getHealth},
		"/_fake/service":      {"GET": s.getService},
		"/_fake/events":       {"GET": s.getEvents},
		"/_fake/reload":       {"POST": s.postReload},
		"/":                   {"GET": s.leadToPage},
		"/_fake":              {"GET": s.leadToPage},
		pagePath:              {"GET": s.getPage},
		"/_fake/campaigns":    {"GET": s.getCampaigns},
		"/_fake/users":        {"GET": s.getUsers, "PUT": s.putUser, "DELETE": s.deleteUser},
		"/_fake/replies":      {"GET": s.getReplies, "POST": s.postReplies, "DELETE": s.deleteReplies},
		"/_fake/requests":     {"GET": s.getRequests, "DELETE": s.deleteRequests},
		"/_fake/reset":        {"POST": s.postReset},
		"/_fake/openapi.json": {"GET": s.getOpenAPI},
	}
}

// healthPath is there whatever becomes of the rest.
const healthPath = "/_fake/health"

func (s *Server) routeControl(router *mux.Router, routes map[string]controlRoute) {
	for path, route := range routes {
		router.MatcherFunc(func(r *http.Request, _ *mux.RouteMatch) bool { return r.URL.EscapedPath() == path }).
			Handler(handle(s.control(route, len(path) <= len(pagePath))))
	}
}

// nothingHere answers a path that the control plane does not have.
func (x *exchange) nothingHere(routes map[string]controlRoute) {
	paths := slices.DeleteFunc(slices.Sorted(maps.Keys(routes)), func(path string) bool { return len(path) < len(pagePath) })
	x.refuse(http.StatusNotFound, fmt.Sprintf("The path is %s. Here there is %s.", shorten(x.request.URL.EscapedPath()), strings.Join(paths, ", ")))
}

// control answers a request to a path of the control plane, be it a page for
// people or not.
func (s *Server) control(handlers controlRoute, page bool) func(*exchange) {
	var methods []string
	for method := range handlers {
		methods = append(methods, method)
	}
	if handlers["GET"] != nil {
		methods = append(methods, "HEAD")
	}
	slices.Sort(methods)
	allow := strings.Join(methods, ", ")
	return func(x *exchange) {
		if why := foreign(x.request, page); why != "" {
			x.refuse(http.StatusForbidden, why)
			return
		}
		method := x.request.Method
		if method == http.MethodHead {
			method = http.MethodGet
		}
		handler := handlers[method]
		if handler == nil {
			x.Header().Set("Allow", allow)
			x.refuse(http.StatusMethodNotAllowed, fmt.Sprintf("%s is not allowed here. Send one of %s.", shorten(x.request.Method), allow))
			return
		}
		handler(x)
	}
}

// foreign says why a request to the control plane is refused: it comes from a
// page of another origin, or by a name that another's name server may have made
// up for this machine. It returns "" if neither is the case. A link may lead to a
// page from anywhere, since nobody reads it but who follows the link.
func foreign(r *http.Request, page bool) string {
	const others = "The control plane answers no pages of other origins. Send it from a page of the server itself, or from a program that is no browser."
	browser := false
	for _, site := range r.Header.Values("Sec-Fetch-Site") {
		browser = true
		followed := page && r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.Header.Get("Sec-Fetch-Dest") == "document"
		if site != "same-origin" && site != "none" && !followed {
			return others
		}
	}
	for _, origin := range r.Header.Values("Origin") {
		browser = true
		if u, err := url.Parse(origin); err != nil || u.Scheme == "" || u.User != nil || !strings.EqualFold(u.Host, r.Host) {
			return others
		}
	}
	host := r.Host
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.TrimSuffix(strings.ToLower(strings.Trim(host, "[]")), ".")
	address, err := netip.ParseAddr(host)
	local, ok := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	switch {
	case host == "localhost" || strings.HasSuffix(host, ".localhost") || err == nil && address.IsLoopback():
		return ""
	case ok && local.IP.IsLoopback():
		return fmt.Sprintf("The host %q is none of this machine's. Send the request to localhost or 127.0.0.1.", shorten(r.Host))
	case browser && err != nil && strings.Contains(host, ".") && ok:
		// As on the networks of containers, where nobody knows the server's names
		// but those without a domain.
		return fmt.Sprintf("The host %q may be made up. Open the page by an address, or by a name without dots.", shorten(r.Host))
	}
	return ""
}
