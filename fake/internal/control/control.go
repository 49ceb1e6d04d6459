// Package control answers the requests under /_fake/, which the real service does not
// have: users, replies, the journal, events, health, the settings, the page, and documents
// that describe the service and the fixtures.
//
// A route is one line of the table in this file, and its handler. A handler reads the snapshot
// in force, and what Engine tells. It changes the server by the methods of Engine alone. A body
// is read and parsed while the place in Engine.Reading is held.
package control

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"

	"example.com/campaignfake/fake/internal/advice"
	"example.com/campaignfake/fake/internal/engine"
	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fake/internal/wire"
	"example.com/campaignfake/fake/internal/words"
	"github.com/gorilla/mux"
	"github.com/rs/cors"
)

// A Plane answers the requests to the control plane of a server. It may be used
// by any number of goroutines at once.
type Plane struct {
	*engine.Engine
	cors func() *cors.Cors // nil if no origin is listed
}

func New(e *engine.Engine) *Plane { return &Plane{Engine: e, cors: plan.NewCORS(e.Config.Origins)} }

// IsControl reports whether a request is not for the API, but for the control plane, or one
// that browsers send by themselves or to see the page. The journal does not list it. A
// client of the service that has lost its path asks for / with a token.
func IsControl(r *http.Request) bool {
	switch path := r.URL.Path; path {
	case "/":
		return r.Header["Authorization"] == nil
	case "/favicon.ico", "/.well-known/appspecific/com.chrome.devtools.json", "/_fake":
		return true
	default:
		return strings.HasPrefix(path, controlPath)
	}
}

// ServeHTTP answers a request to the control plane.
func (p *Plane) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c := &call{ResponseWriter: w, plane: p, r: r}
	if !p.Enter(w, r) {
		c.fail(engine.ErrClosed)
		return
	}
	defer p.Leave(r)
	defer func() {
		wire.LimitRest(w, r)
		if why := recover(); why != nil {
			p.Test.Panicked(advice.Describe(r), why)
		}
	}()
	if p.Breaks() {
		w.Header().Set("Connection", "close")
	}
	err := c.admit()
	switch {
	case err != nil:
		c.fail(err)
	case plan.IsPreflight(r) && c.Header().Get("Access-Control-Allow-Origin") != "":
		c.done(http.StatusNoContent, nil)
	default:
		router().ServeHTTP(c, r)
	}
}

// router returns the router of all control planes. It is made at the first request, since most
// tests never need it.
var router = sync.OnceValue(func() *mux.Router {
	router := mux.NewRouter().SkipClean(true).UseEncodedPath()
	for path, methods := range controlRoutes {
		router.Handle(path, answering(func(c *call) error { return c.answer(path, methods) }))
	}
	router.NotFoundHandler = answering((*call).noPath)
	return router
})

// answering returns a handler that answers with the error of a function, if it returns one.
func answering(answer func(*call) error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		c := w.(*call)
		if err := answer(c); err != nil {
			c.fail(err)
		}
	})
}

// A route answers one method of a path. required is the parameter that the query must have, and
// optional are those that it may have, or anything.
type route struct {
	answer             func(*call) error
	required, optional string
}

const anything = "anything"

// controlRoutes are the paths of the control plane, each with its methods.
var controlRoutes = map[string]map[string]route{
	"/":                     {"GET": {redirectToPage, "", anything}},
	"/_fake":                {"GET": {redirectToPage, "", anything}},
	controlPath:             {"GET": {getPage, "", anything}},
	healthPath:              {"GET": {getHealth, "", anything}},
	controlPath + "reset":   {"POST": {postReset, "", "token"}},
	controlPath + "service": {"GET": {getService, "", ""}},
	controlPath + "users": {
		"GET": {getUsers, "", "token"}, "PUT": {putUser, "token", "anew"}, "DELETE": {deleteUser, "token", "anew"},
	},
	controlPath + "replies": {
		"GET": {getReplies, "token", ""}, "POST": {postReplies, "token", ""}, "DELETE": {deleteReplies, "token", ""},
	},
	controlPath + "release":     {"POST": {postRelease, "token", ""}},
	controlPath + "unplayed":    {"GET": {getUnplayed, "", "token"}},
	controlPath + "requests":    {"GET": {getRequests, "", requestParameters}, "DELETE": {deleteRequests, "", "token"}},
	controlPath + "events":      {"GET": {getEvents, "", ""}},
	controlPath + "api.json":    {"GET": {getAPI, "", ""}},
	controlPath + "schema.json": {"GET": {getSchema, "", ""}},
}

// answer answers a call for a path that has some methods, or returns why it is refused.
func (c *call) answer(path string, methods map[string]route) error {
	if !c.plane.Config.Control && path != healthPath {
		return c.noPath()
	}
	method := c.r.Method
	if method == http.MethodHead {
		method = http.MethodGet
	}
	r, known := methods[method]
	if !known {
		allow := strings.Replace(strings.Join(slices.Sorted(maps.Keys(methods)), ", "), "GET", "GET, HEAD", 1)
		c.Header().Set("Allow", allow)
		return refuse(http.StatusMethodNotAllowed, "%s is not allowed here. Send one of %s.", words.Shorten(c.r.Method), allow)
	}
	if err := c.readParameters(r); err != nil {
		return err
	}
	return r.answer(c)
}

// noPath refuses a path that the control plane does not have: if it is off, any but that of health.
func (c *call) noPath() error {
	paths := []string{healthPath}
	if c.plane.Config.Control {
		paths = slices.Sorted(maps.Keys(controlRoutes))
	}
	return refuse(http.StatusNotFound, "The path is %s. Here there is %s; the service is at %s.",
		words.Shorten(c.r.URL.EscapedPath()), strings.Join(paths, ", "), c.plane.InForce().Path)
}
