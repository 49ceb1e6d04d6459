package fake

import (
	"net/http"

	"github.com/rs/cors"
)

// newCORS returns the CORS handling of the setting, nil for off. Every usual
// method and every header is allowed in a preflight: what the service does not
// take is answered 405 or 401 by the request itself, which the page can then
// read.
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
		// The asterisk exposes whatever else a setting adds. It does not hold for
		// requests with cookies, hence the names.
		ExposedHeaders:      []string{"WWW-Authenticate", "Retry-After", "Preference-Applied", "Allow", "Date", "*"},
		AllowPrivateNetwork: true,
		OptionsPassthrough:  true, // to preflight
	}
	if setting[0] == "any" {
		options.AllowedOrigins = []string{"*"}
	} else {
		// A page that sends cookies along may read only what names its origin.
		options.AllowCredentials = true
	}
	return cors.New(options)
}

// answerPreflight answers a browser that asks whether it may send a request. The
// headers that say so are there by now, if it may.
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
		x.because("preflight refused: the method %s is none that browsers can be allowed", shorten(x.r.Header.Get("Access-Control-Request-Method")))
	}
	x.WriteHeader(http.StatusNoContent)
}
