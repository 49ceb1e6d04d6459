package fake

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

const campaignsPath = "/user/campaigns"

// allowed are the methods of the route.
const allowed = "GET, HEAD"

// refusePath answers a request for another path.
func refusePath(x *exchange) {
	path := x.snapshot.path
	fix := nearMiss(x.path, x.snapshot.service.BasePath)
	x.because("no route has this path: %s; only GET %s is here", strings.TrimSuffix(lowerFirst(fix), "."), path)
	x.failUnmatched(fix)
	x.snapshot.answers.notFound.send(x, fmt.Sprintf("%s Only GET %s is here.", fix, path))
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
	x.snapshot.answers.methodNotAllowed.send(x, fmt.Sprintf("%s is not allowed here. Send one of %s.", method, allowed))
}

// failUnmatched fails a strict test because of a request that matched nothing.
func (x *exchange) failUnmatched(fix string) {
	x.server.test.fail("campaignfake: a request matched nothing:\n\t%s\n%s\nThis would have matched:\n\tGET %s\n"+
		"Build the URL from the server's BaseURL, or make the server with fake.Lenient() if the request is meant.",
		describe(x.r), fix, x.server.wanted())
}

// wanted returns the URL that a client should request.
func (s *Server) wanted() string { return s.BaseURL() + campaignsPath }

// describe returns a request on one line.
func describe(r *http.Request) string {
	token, problem := bearerToken(r.Header)
	if problem != "" {
		return fmt.Sprintf("%s %s (%s)", r.Method, r.URL.RequestURI(), problem)
	}
	return fmt.Sprintf("%s %s %s", r.Method, r.URL.RequestURI(), withToken(token))
}

// nearMiss describes in a sentence how a path differs from that of the route.
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

// shorten returns a short form of what a client sent, for reasons and messages.
func shorten(s string) string {
	const most = 200
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

// sentence makes a phrase a sentence: with a capital letter and a full stop.
func sentence(phrase string) string { return strings.ToUpper(phrase[:1]) + phrase[1:] + "." }

func lowerFirst(s string) string { return strings.ToLower(s[:1]) + s[1:] }

// withoutQuery returns the path of a URL.
func withoutQuery(url string) string {
	path, _, _ := strings.Cut(url, "?")
	return path
}
