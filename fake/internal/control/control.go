// Package control answers the requests under /_fake/, which the real service does not have:
//
//	routes.go      the routes, each a line: method, path, parameters, handler
//	query.go       how parameters are read, and which are refused
//	origins.go     the pages that may use the control plane; package hosts has the hosts
//	call.go        a call, and how its answer is sent
//	body.go        bodies are read
//	problem.go     the answers to calls that are refused
//	users.go       handlers, with useryaml.go; further ones are in replies.go, requests.go (the
//	               journal, with await.go), unplayed.go, events.go, health.go and service.go
//	api.go         documents: the service as OpenAPI, the schema of fixtures
//	page.go        the page for people; its document, style and scripts are in page/
//
// A handler reads from the snapshot in force and from the engine. It changes the server by methods
// of the engine alone.
package control

import (
	"net/http"
	"strings"
	"sync"

	"example.com/campaignfake/fake/internal/advice"
	"example.com/campaignfake/fake/internal/engine"
	"example.com/campaignfake/fake/internal/hosts"
	"example.com/campaignfake/fake/internal/plan"
	"github.com/rs/cors"
)

// A Plane answers the requests to the control plane of a server. It may be used
// by any number of goroutines at once.
type Plane struct {
	engine *engine.Engine
	cors   *cors.Cors          // nil if no origin is listed
	router func() http.Handler // made at the first request, since most tests need none
}

// New makes the control plane of the server that has an engine.
func New(e *engine.Engine) *Plane {
	p := &Plane{
		engine: e,
		cors:   plan.NewCORS(e.Config.Origins),
	}
	p.router = sync.OnceValue(p.newRouter)
	return p
}

// IsControl reports whether a request is for the control plane or its page, or is a request that
// browsers send by themselves. The journal does not list such requests. A request for / with a
// token is for the API: its client has lost the path.
func IsControl(r *http.Request) bool {
	switch path := r.URL.Path; path {
	case "/":
		return r.Header["Authorization"] == nil
	case "/favicon.ico", "/.well-known/appspecific/com.chrome.devtools.json", "/_fake":
		return true
	default:
		return strings.HasPrefix(path, pagePath) || isAppleIcon(path)
	}
}

// isAppleIcon reports whether a path names an icon that Safari requests by itself, as
// /apple-touch-icon-120x120-precomposed.png.
func isAppleIcon(path string) bool {
	return strings.HasPrefix(path, "/apple-touch-icon") && strings.HasSuffix(path, ".png")
}

// ServeHTTP answers a request to the control plane.
func (p *Plane) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c := p.newCall(w, r)
	if !p.engine.BeginHandler() {
		c.fail(engine.ErrClosed)
		return
	}
	defer p.engine.EndHandler()
	defer p.end(r)
	if p.engine.Breaks() {
		w.Header().Set("Connection", "close")
	}
	if p.cors != nil {
		plan.AddCORSHeaders(p.cors, w, r)
	}
	isAllowedToPage := w.Header().Get("Access-Control-Allow-Origin") != ""
	refusal := p.admit(r)
	switch {
	case refusal != "":
		c.fail(refuse(http.StatusForbidden, "%s", refusal))
	case plan.IsPreflight(r) && isAllowedToPage:
		w.WriteHeader(http.StatusNoContent)
	default:
		p.router().ServeHTTP(w, r)
	}
}

// admit returns why a request may not use the control plane, and "" if the request may use it.
// Programs, its own page, and pages of listed origins may use it, at hosts that nobody else can
// register. Health is there at any host, since load balancers and compose files have names of their
// own for it.
func (p *Plane) admit(r *http.Request) string {
	refusal := hosts.Refuse(r, p.engine.Config.Hosts)
	isOfHealth := r.URL.Path == healthPath
	if refusal != "" && !isOfHealth {
		return refusal
	}
	return refuseOrigin(r, p.engine.Config.Origins)
}

// end ends a request whose handler has returned, or has panicked. A panic with http.ErrAbortHandler
// closes the connection.
func (p *Plane) end(r *http.Request) {
	why := recover()
	if why == nil {
		return
	}
	if why != http.ErrAbortHandler {
		p.engine.Test.FailPanic(advice.Describe(r), why)
	}
	panic(why)
}
