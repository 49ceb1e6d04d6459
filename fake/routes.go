package fake

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"example.com/campaignfake/fixtures"
	"github.com/gorilla/mux"
)

const campaignsPath = "/user/campaigns"

// allowed is what the one route answers.
const allowed = "GET, HEAD"

// routes returns the flat router of the service. Paths are compared as they were
// sent: /api/user%2Fcampaigns is not taken for what it decodes to. Plain
// comparison stands in for the router's templates, since none of the paths has
// a variable, and a template costs two runs of a regular expression.
func (s *Server) routes(basePath string) *mux.Router {
	router := mux.NewRouter()
	route := func(path string, handler func(*exchange)) {
		router.MatcherFunc(func(r *http.Request, _ *mux.RouteMatch) bool { return r.URL.EscapedPath() == path }).
			Methods(http.MethodGet, http.MethodHead).Handler(handle(handler))
	}
	route(basePath+campaignsPath, s.campaigns)
	routes := s.controlRoutes()
	if !s.controlled {
		routes = map[string]controlRoute{healthPath: routes[healthPath]}
	}
	s.routeControl(router, routes)
	router.NotFoundHandler = handle(func(x *exchange) {
		if path := x.request.URL.Path; path == "/_fake" || strings.HasPrefix(path, "/_fake/") {
			x.nothingHere(routes)
			return
		}
		s.notFound(x)
	})
	router.MethodNotAllowedHandler = handle(s.methodNotAllowed)
	return router
}

// handle adapts a handler of exchanges, which is what the server passes on.
func handle(handler func(*exchange)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { handler(w.(*exchange)) })
}

// campaigns answers the request that the service is for.
func (s *Server) campaigns(x *exchange) {
	if s.strict != nil && x.request.URL.RawQuery != "" {
		s.strict.Errorf("campaignfake: a query parameter was sent, and the service documents none:\n\t%s\n"+
			"It was ignored. Send GET %s without a query, or make the server with fake.Lenient().",
			describe(x.request), s.wanted())
	}
	if x.token == "" {
		_, problem := bearerToken(x.request.Header)
		x.reason = problem
		x.setup.answers.missingToken.send(x, sentence(problem)+" Send Authorization: Bearer <token>.")
		return
	}
	if x.user == nil {
		x.reason = "no user has this token"
		x.setup.answers.invalidToken.send(x, "No user has this bearer token.")
		return
	}
	if prefer := x.request.Header["Prefer"]; prefer != nil && s.preferred(x, prefer) {
		return
	}
	if x.treated {
		s.treat(x)
		return
	}
	body, length := x.user.answer()
	x.kept = len(body)
	x.reason = x.user.reason
	x.plain = true
	x.setup.answers.success.write(x, body, length)
}

func (s *Server) notFound(x *exchange) {
	fix := nearMiss(x.request.URL.EscapedPath(), x.setup.service.BasePath)
	s.unmatched(x, fmt.Sprintf("no route has this path: %s; only GET %s is here", strings.TrimSuffix(lowerFirst(fix), "."), x.setup.service.BasePath+campaignsPath), fix)
	detail := fmt.Sprintf("%s Only GET %s is here.", fix, x.setup.service.BasePath+campaignsPath)
	answer := x.setup.answers.notFound
	if x.outside { // the settings of the service are no business of what browsers ask for by themselves
		answer = newAnswer(fixtures.DefaultService().Responses.NotFound, "application/problem+json")
	}
	answer.send(x, detail)
}

func (s *Server) methodNotAllowed(x *exchange) {
	x.Header().Set("Allow", allowed)
	method := shorten(x.request.Method)
	if isPreflight(x.request) {
		x.reason = "preflight refused: service.cors is off"
	} else {
		s.unmatched(x, "the route is there, but not with the method "+method, fmt.Sprintf("The method is %s, and has to be GET.", method))
	}
	detail := fmt.Sprintf("%s is not allowed here. Send one of %s.", method, allowed)
	x.setup.answers.methodNotAllowed.send(x, detail)
}

// unmatched notes that a request matched nothing, and tells the test.
func (s *Server) unmatched(x *exchange, reason, fix string) {
	x.reason = reason
	if x.outside {
		return
	}
	x.unmatched = true
	if s.strict != nil {
		s.strict.Errorf("campaignfake: a request matched nothing:\n\t%s\n%s\nThis would have matched:\n\tGET %s\n"+
			"Build the URL from the server's BaseURL, or make the server with fake.Lenient() if the request is meant.",
			describe(x.request), fix, s.wanted())
	}
}

// wanted is the URL that a client should ask for.
func (s *Server) wanted() string { return s.BaseURL() + campaignsPath }

// describe shows a request on one line.
func describe(r *http.Request) string {
	token, problem := bearerToken(r.Header)
	if problem != "" {
		return fmt.Sprintf("%s %s (%s)", r.Method, r.URL.RequestURI(), problem)
	}
	return fmt.Sprintf("%s %s %s", r.Method, r.URL.RequestURI(), withToken(token))
}

// nearMiss says in a sentence or two how a path differs from the one route.
func nearMiss(path, base string) string {
	want := base + campaignsPath
	rest := path
	var faults []string
	step := func(fault string, changed string) {
		if changed != rest {
			rest = changed
			faults = append(faults, fault)
		}
	}
	if decoded, err := url.PathUnescape(path); err == nil {
		step("parts of it are percent-encoded", decoded)
	}
	if strings.Contains(rest, "//") {
		collapsed := rest
		for strings.Contains(collapsed, "//") {
			collapsed = strings.ReplaceAll(collapsed, "//", "/")
		}
		step("it has a doubled slash", collapsed)
	}
	if trimmed := strings.TrimRight(rest, "/"); trimmed != "" {
		step("it ends in a slash", trimmed)
	}
	for _, known := range []string{want, campaignsPath, base + want} {
		if strings.EqualFold(rest, known) {
			step("its letters are in another case", known)
			break
		}
	}
	switch rest {
	case campaignsPath:
		step("the base path "+base+" is missing", want)
	case base + want:
		step("the base path "+base+" is there twice", want)
	}
	if rest != want {
		return fmt.Sprintf("The path is %s.", shorten(path))
	}
	return fmt.Sprintf("The path %s is nearly right, but %s.", shorten(path), strings.Join(faults, ", and "))
}

// shorten cuts what a client sent, so that a reason stays one that can be read,
// and kept.
func shorten(s string) string {
	const most = 200
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

// sentence makes a phrase a sentence.
func sentence(phrase string) string { return strings.ToUpper(phrase[:1]) + phrase[1:] + "." }

func lowerFirst(s string) string { return strings.ToLower(s[:1]) + s[1:] }
