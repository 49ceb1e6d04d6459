package fake

import (
	"fmt"
	"net/http"
	"strings"
)

// refusePath answers a request for another path.
func refusePath(x *exchange) {
	path := x.snapshot.path
	fix := nearMiss(x.path, x.snapshot.service.BasePath)
	x.because("no route has this path: %s; only GET %s is here", strings.TrimSuffix(lowerFirst(fix), "."), path)
	x.failUnmatched(fix)
	x.refuse(x.snapshot.named(ResponseNotFound), fmt.Sprintf("%s Only GET %s is here.", fix, path))
}

// refuseMethod answers a request with another method, and a preflight if CORS is off.
func refuseMethod(x *exchange) {
	x.Header().Set("Allow", allowed)
	method := shorten(x.r.Method)
	if x.route == preflight {
		x.reason = "preflight refused: service.cors is off"
	} else {
		x.reason = "the route is there, but not with the method " + method
		x.failUnmatched(fmt.Sprintf("The method is %s, and has to be GET.", method))
	}
	x.refuse(x.snapshot.named(ResponseMethodNotAllowed), fmt.Sprintf("%s is not allowed here. Send one of %s.", method, allowed))
}

// failUnmatched fails a strict test because of a request that matched nothing.
func (x *exchange) failUnmatched(fix string) {
	x.server.test.fail("campaignfake: a request matched nothing:\n\t%s\n%s\nThis would have matched:\n\tGET %s\n"+
		"Build the URL from the server's BaseURL, or make the server with fake.Lenient() if the request is meant.",
		describe(x.r), fix, x.server.wanted())
}

// answerPreflight answers a preflight: a browser asks whether it may send a request.
// The headers that allow it have been set already.
func answerPreflight(x *exchange) {
	origin := shorten(x.r.Header.Get("Origin"))
	cookies := ""
	if x.Header().Get("Access-Control-Allow-Credentials") == "" {
		cookies = `, without cookies (for credentials: "include", service.cors has to list the origin)`
	}
	switch {
	case x.Header().Get("Access-Control-Allow-Origin") != "":
		x.because("preflight: the browser may send the request for origin %s%s", origin, cookies)
	case origin == "":
		x.because("preflight refused: it has no Origin, which every browser sends")
	case !x.snapshot.cors().OriginAllowed(x.r):
		x.because("preflight refused: service.cors does not list the origin %s", origin)
	default:
		x.because("preflight refused: browsers cannot be allowed the method %s", shorten(x.r.Header.Get("Access-Control-Request-Method")))
	}
	x.WriteHeader(http.StatusNoContent)
}
