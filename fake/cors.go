package fake

import (
	"net/http"

	"github.com/rs/cors"
)

// newCORS returns the CORS handler for the setting, nil for off. A preflight allows
// every usual method and every header, so that the page can read the 405 or 401 that
// answers the request itself.
func newCORS(setting []string) *cors.Cors {
	if setting[0] == "off" {
		return nil
	}
	options := cors.Options{
		AllowedOrigins: setting,
		AllowedMethods: []string{
			http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions,
		},
		AllowedHeaders: []string{"*"},
		// The asterisk exposes headers that settings add. It has no effect for requests
		// with cookies, for which the names are listed.
		ExposedHeaders:      []string{"WWW-Authenticate", "Retry-After", "Preference-Applied", "Allow", "Date", "*"},
		AllowPrivateNetwork: true,
		OptionsPassthrough:  true, // to answerPreflight
	}
	if setting[0] == "any" {
		options.AllowedOrigins = []string{"*"}
	} else {
		// A page that sends cookies can read only answers that name its origin.
		options.AllowCredentials = true
	}
	return cors.New(options)
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
	case !x.snapshot.cors.OriginAllowed(x.r):
		x.because("preflight refused: service.cors does not list the origin %s", origin)
	default:
		x.because("preflight refused: browsers cannot be allowed the method %s", shorten(x.r.Header.Get("Access-Control-Request-Method")))
	}
	x.WriteHeader(http.StatusNoContent)
}
