// Package control answers the requests under /_fake/, which the real service does not have:
//
//	routes.go      the table of routes: method, path, parameters, handler
//	query.go       reads the parameters of a call, and refuses wrong parameters
//	origins.go     refuses web pages of other origins; package hosts refuses hosts
//	call.go        a call, and how its answer is sent
//	body.go        reads bodies
//	problem.go     the answers to calls that are refused
//	users.go       handlers for users, with useryaml.go
//	requests.go    handlers for the journal, with await.go
//	replies.go     handlers for replies; others: unplayed.go, events.go, health.go, service.go
//	api.go         documents: the service as OpenAPI, the schema of fixtures
//	page.go        the page for people; its document, style and scripts are in page/
//
// A handler reads the fixtures in force (a plan.Snapshot) and the state of the engine. It changes
// the server only by calling methods of the engine.
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

// A Plane answers the requests to the control plane of a server. Any number of goroutines may use
// it at once.
type Plane struct {
	engine *engine.Engine
	cors   *cors.Cors          // nil if Config.Origins is empty
	router func() http.Handler // makes the router at the first call; most tests need none
}

// New makes the control plane of the server whose engine is e.
func New(e *engine.Engine) *Plane {
	p := &Plane{
		engine: e,
		cors:   plan.NewCORS(e.Config.Origins),
	}
	p.router = sync.OnceValue(p.newRouter)
	return p
}

// IsControl reports whether a request is for the control plane, for its page, or for a file that
// browsers request by themselves, such as /favicon.ico. The journal does not list these requests. A
// request for / with an Authorization header is for the API: its client has probably left out the
// rest of the path.
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

// isAppleIcon reports whether a path names an icon that Safari requests by itself, such as
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

// admit returns the reason to refuse a request, or "" if the request may use the control plane.
// Programs, the page of the plane, and pages of listed origins may use it. Against DNS rebinding,
// the host of the request must be listed, or be a host that nobody can register, such as localhost
// or an IP address; see package hosts. Only /_fake/health accepts any host, because load balancers
// and compose files reach the server under names of their own.
func (p *Plane) admit(r *http.Request) string {
	refusal := hosts.Refuse(r, p.engine.Config.Hosts)
	isOfHealth := r.URL.Path == healthPath
	if refusal != "" && !isOfHealth {
		return refusal
	}
	return refuseOrigin(r, p.engine.Config.Origins)
}

// end is deferred. If the handler of a request has panicked, end fails the test of the server, if
// any, and panics again, so that net/http closes the connection. A panic with http.ErrAbortHandler
// is no failure: a handler uses it to close the connection.
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
