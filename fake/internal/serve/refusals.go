package serve

import (
	"fmt"
	"net/http"
	"strings"

	"example.com/campaignfake/fake/internal/advice"
	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fake/internal/words"
	"example.com/campaignfake/fixtures"
)

// refusePath answers a request for another path.
func refusePath(x *exchange) bool {
	path := x.Snapshot.Path
	fix := advice.NearMiss(x.Method, x.Received.URL.EscapedPath(), x.Snapshot.BasePath)
	x.because("no route has this path: %s; only GET %s is here", strings.TrimSuffix(words.LowerFirst(fix), "."), path)
	x.failUnmatched(fix)
	return x.refuse(fixtures.ResponseNotFound, fmt.Sprintf("%s Only GET %s is here.", fix, path))
}

// refuseMethod answers a request with another method. A preflight is one if CORS is off.
func refuseMethod(x *exchange) bool {
	x.Header().Set("Allow", plan.Allowed)
	method := words.Shorten(x.Method)
	if x.Route == plan.Preflight {
		x.Reason = "preflight refused: service.cors is off"
	} else {
		x.Reason = "the route is there, but not with the method " + method
		x.failUnmatched(fmt.Sprintf("The method is %s, and has to be GET.", method))
	}
	detail := fmt.Sprintf("%s is not allowed here. Send one of %s.", method, plan.Allowed)
	return x.refuse(fixtures.ResponseMethodNotAllowed, detail)
}

// failUnmatched fails a strict test because of a request that matched nothing.
func (x *exchange) failUnmatched(fix string) {
	x.handler.TestOf(x.Token).Fail("campaignfake: a request matched nothing:\n\t%s\n%s\nThis would have matched:\n\tGET %s\n"+
		"Send that, with a URL made of the server's BaseURL; or make the server with fake.WithLenient() if the request is meant.",
		advice.Describe(x.Received), fix, x.handler.Wanted())
}

// answerPreflight answers a preflight, with which a browser asks whether it may send a
// request. allowOrigin has set the headers that allow it.
func answerPreflight(x *exchange) bool {
	origin := words.Shorten(x.Received.Header.Get("Origin"))
	switch allowed := x.Header().Get("Access-Control-Allow-Origin"); {
	case allowed == "*":
		x.because("preflight: the browser may send the request for origin %s, "+
			`without cookies (for credentials: "include", service.cors has to list the origin)`, origin)
	case allowed != "":
		x.because("preflight: the browser may send the request for origin %s", origin)
	case origin == "":
		x.because("preflight refused: it has no Origin, which every browser sends")
	case !x.Snapshot.Cors().OriginAllowed(x.Received):
		x.because("preflight refused: service.cors does not list the origin %s", origin)
	default:
		method := words.Shorten(x.Received.Header.Get("Access-Control-Request-Method"))
		x.because("preflight refused: browsers cannot be allowed the method %s", method)
	}
	x.WriteHeader(http.StatusNoContent)
	return true
}
