package fake

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"example.com/campaignfake/fake/internal/wire"
	"github.com/gorilla/mux"
)

// The control plane is the paths under /_fake/: JSON with the names of the YAML, for
// tests in other processes.

// Control returns a handler for the control plane alone, even with WithoutControl: the
// paths under /_fake/ and nothing else. It refuses the same callers as under /_fake/:
// see WithControlHosts and WithControlOrigins.
func (s *Server) Control() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.serveControl(w, r, true) })
}

// isControl reports whether a path is not part of the API: one of the control plane,
// or one that browsers request by themselves. The journal does not list its requests.
func isControl(path string) bool {
	return path == "/" || path == "/favicon.ico" || path == "/.well-known/appspecific/com.chrome.devtools.json" ||
		path == "/_fake" || strings.HasPrefix(path, controlPath)
}

// serveControl answers a request to the control plane.
func (s *Server) serveControl(w http.ResponseWriter, r *http.Request, own bool) {
	c := &call{ResponseWriter: w, server: s, r: r, own: own, flight: inFlight{w: w, r: r}}
	if !s.state.enter(&c.flight) {
		http.Error(w, "The server is closed.", http.StatusServiceUnavailable)
		return
	}
	defer c.leave()
	if s.usesOnce() || s.state.breaks() {
		w.Header().Set("Connection", "close")
	}
	if c.admit() {
		s.control().ServeHTTP(c, r)
	}
}

// leave is deferred: the handler has returned or panicked.
func (c *call) leave() {
	defer c.server.state.leave(&c.flight)
	defer c.release(c.held)
	wire.LimitRest(c.ResponseWriter, c.r)
	if p := recover(); p != nil {
		c.server.panicked(c.r, p)
	}
}

// controlRoutes are the paths of the control plane, each with its methods.
var controlRoutes = map[string]map[string]func(*call){
	healthPath:                   {"GET": getHealth},
	controlPath + "service":      {"GET": getService, "PUT": putService},
	controlPath + "events":       {"GET": getEvents},
	controlPath + "reload":       {"POST": postReload},
	"/":                          {"GET": redirectToPage},
	"/_fake":                     {"GET": redirectToPage},
	controlPath:                  {"GET": getPage},
	controlPath + "campaigns":    {"GET": getCampaigns},
	controlPath + "users":        {"GET": getUsers, "PUT": putUser, "DELETE": deleteUser},
	controlPath + "replies":      {"GET": getReplies, "POST": postReplies, "DELETE": deleteReplies},
	controlPath + "requests":     {"GET": getRequests, "DELETE": deleteRequests},
	controlPath + "reset":        {"POST": postReset},
	controlPath + "openapi.json": {"GET": getOpenAPI},
	controlPath + "api.json":     {"GET": getAPI},
	controlPath + "schema.json":  {"GET": getSchema},
}

// newControl returns the router of the control plane. It is made at the first request,
// since most test servers never need it.
func (s *Server) newControl() *mux.Router {
	router := mux.NewRouter().SkipClean(true).UseEncodedPath()
	for path, methods := range controlRoutes {
		router.HandleFunc(path, answerByMethod(path, methods))
	}
	router.NotFoundHandler = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.(*call).refusePath() })
	return router
}

// has reports whether the call can use a path. With the control plane off, the handler
// of the API has only health.
func (c *call) has(path string) bool {
	return controlRoutes[path] != nil && (c.own || c.server.config.control || path == healthPath)
}

// answerByMethod answers the calls for one path.
func answerByMethod(path string, methods map[string]func(*call)) http.HandlerFunc {
	names := slices.Collect(maps.Keys(methods))
	if methods["GET"] != nil {
		names = append(names, "HEAD")
	}
	slices.Sort(names)
	allow := strings.Join(names, ", ")
	return func(w http.ResponseWriter, _ *http.Request) {
		c := w.(*call)
		method := c.r.Method
		if method == http.MethodHead {
			method = http.MethodGet
		}
		switch {
		case !c.has(path):
			c.refusePath()
		case methods[method] == nil:
			c.Header().Set("Allow", allow)
			c.refuse(http.StatusMethodNotAllowed, fmt.Sprintf("%s is not allowed here. Send one of %s.", shorten(c.r.Method), allow))
		default:
			methods[method](c)
		}
	}
}

// refusePath answers a path that the control plane does not have.
func (c *call) refusePath() {
	path := c.r.URL.EscapedPath()
	if path != "/_fake" && !strings.HasPrefix(path, controlPath) && !c.own {
		service := c.server.state.inForce().service
		c.refuse(http.StatusNotFound, fmt.Sprintf("%s Only GET %s is here.", nearMiss(path, service.BasePath), service.BasePath+campaignsPath))
		return
	}
	var paths []string
	for _, known := range slices.Sorted(maps.Keys(controlRoutes)) {
		if len(known) >= len(controlPath) && c.has(known) {
			paths = append(paths, known)
		}
	}
	c.refuse(http.StatusNotFound, fmt.Sprintf("The path is %s. Here there is %s.", shorten(path), strings.Join(paths, ", ")))
}
