package control

import (
	"net/http"
	"slices"
	"strings"

	"example.com/campaignfake/fake/internal/engine"
	"example.com/campaignfake/fake/internal/wire"
	"example.com/campaignfake/fake/internal/words"
	"github.com/gorilla/mux"
)

const (
	// pagePath is the path of the page. All other paths of the control plane begin with it, except
	// / and /_fake, which redirect to the page.
	pagePath = "/_fake/"

	// healthPath is served even if the control plane is off.
	healthPath = pagePath + "health"
)

// A route answers one method of a path.
type route struct {
	method    string
	path      string
	readsBody bool // the func answer reads the body; if false, the handler drains it first
	answer    func(*call) error
}

// The table below uses these two names for the values of route.readsBody.
const (
	drainsBody = false
	readsBody  = true
)

// allRoutes are the routes of the control plane. Routes without withQuery ignore the query: the
// script of the page reads its query in the browser, and a health check may have any query.
var allRoutes = []route{
	{"GET", "/", drainsBody, redirectToPage},
	{"GET", "/_fake", drainsBody, redirectToPage},
	{"GET", pagePath, drainsBody, getPage},
	{"GET", healthPath, drainsBody, getHealth},
	{"GET", "/_fake/users", drainsBody, withQuery(readUserFilter, getUsers)},
	{"PUT", "/_fake/users", readsBody, withQuery(readUserChange, putUser)},
	{"DELETE", "/_fake/users", drainsBody, withQuery(readUserRemoval, deleteUsers)},
	{"GET", "/_fake/replies", drainsBody, withQuery(readOneToken, getReplies)},
	{"POST", "/_fake/replies", readsBody, withQuery(readOneToken, postReplies)},
	{"DELETE", "/_fake/replies", drainsBody, withQuery(readOneToken, deleteReplies)},
	{"POST", "/_fake/release", drainsBody, withQuery(readSomeTokens, postRelease)},
	{"GET", "/_fake/unplayed", drainsBody, withQuery(readTokens, getUnplayed)},
	{"GET", "/_fake/requests", drainsBody, withQuery(readRequestFilter, getRequests)},
	{"DELETE", "/_fake/requests", drainsBody, withQuery(readTokens, deleteRequests)},
	{"POST", "/_fake/reset", drainsBody, withQuery(readTokens, postReset)},
	{"GET", "/_fake/events", drainsBody, withQuery(readNothing, getEvents)},
	{"GET", "/_fake/service", drainsBody, withQuery(readNothing, getService)},
	{"GET", "/_fake/api.json", drainsBody, withQuery(readNothing, getAPI)},
	{"GET", "/_fake/schema.json", drainsBody, withQuery(readNothing, getSchema)},
}

// methods returns the methods that a route answers. A route for GET answers HEAD, too.
func (r route) methods() []string {
	if r.method == http.MethodGet {
		return []string{http.MethodGet, http.MethodHead}
	}
	return []string{r.method}
}

// A nothing is the empty struct of parameters for a route that has no parameters. withQuery needs
// such a struct.
type nothing struct{}

func readNothing(*query) nothing { return nothing{} }

// oneToken holds the parameter of a route that is for one token.
type oneToken struct {
	token string
}

func readOneToken(q *query) oneToken {
	return oneToken{token: q.requiredToken("token")}
}

// tokens holds the parameters of a route that is for one token, for the tokens of a run, or for all
// tokens.
type tokens struct {
	scope engine.Scope
}

func readTokens(q *query) tokens {
	return tokens{scope: q.scope()}
}

// readSomeTokens reads the parameters of a route that requires the parameter token or run. A run is
// the text behind the last tilde of a token: run=1 stands for all tokens that end in ~1.
func readSomeTokens(q *query) tokens {
	return tokens{scope: q.requiredScope()}
}

// routes returns the routes of the plane. If the control plane is off, only health has a route.
func (p *Plane) routes() []route {
	if p.engine.Config.Control {
		return allRoutes
	}
	isOff := func(r route) bool { return r.path != healthPath }
	return slices.DeleteFunc(slices.Clone(allRoutes), isOff)
}

func (p *Plane) newRouter() http.Handler {
	router := mux.NewRouter().SkipClean(true).UseEncodedPath()
	for _, route := range p.routes() {
		router.Handle(route.path, p.handler(route)).Methods(route.methods()...)
	}
	router.NotFoundHandler = p.handler(route{answer: p.refusePath})
	router.MethodNotAllowedHandler = p.handler(route{answer: p.refuseMethod})
	return router
}

// handler returns an http.Handler for the calls of a route. The handler calls route.answer, and
// sends the error that answer returns. If answer does not read the body, the handler drains the
// body first. Otherwise net/http would wait for the end of the body before it sends the answer. It
// would also not notice that the client of a waiting call has gone away.
func (p *Plane) handler(route route) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := p.newCall(w, r)
		if !route.readsBody {
			wire.Drain(w, r)
		}
		if err := route.answer(c); err != nil {
			c.fail(err)
		}
	})
}

// refusePath refuses a call for a path that the plane does not have.
func (p *Plane) refusePath(c *call) error {
	var paths []string
	for _, route := range p.routes() {
		paths = append(paths, route.path)
	}
	slices.Sort(paths)
	return refuse(http.StatusNotFound, "The path is %s. Here there is %s; the service is at %s.",
		words.CutInput(c.r.URL.EscapedPath()),
		strings.Join(slices.Compact(paths), ", "),
		p.engine.InForce().Path)
}

// refuseMethod refuses a call with a method that its path does not have.
func (p *Plane) refuseMethod(c *call) error {
	var methods []string
	for _, route := range p.routes() {
		if route.path == c.r.URL.EscapedPath() {
			methods = append(methods, route.methods()...)
		}
	}
	slices.Sort(methods)
	allow := strings.Join(methods, ", ")
	c.w.Header().Set("Allow", allow)
	return refuse(http.StatusMethodNotAllowed, "%s is not allowed here. Send one of %s.",
		words.CutInput(c.r.Method), allow)
}
