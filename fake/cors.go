package fake

import (
	"net/http"

	"github.com/rs/cors"
)

// newCORS returns the CORS handling of the setting, nil for off. Every method
// and header is allowed in a preflight: what the service does not take is
// answered 405 or 401 by the request itself, which the page can then read.
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
		// The asterisk exposes whatever else a setting adds; browsers ignore it
		// in requests with cookies, hence the names.
		ExposedHeaders:      []string{"WWW-Authenticate", "Retry-After", "Allow", "Date", "*"},
		AllowPrivateNetwork: true,
	}
	if setting[0] == "any" {
		options.AllowedOrigins = []string{"*"}
	}
	return cors.New(options)
}

// preflight answers a browser that asks whether it may send a request.
func (s *Server) preflight(x *exchange) {
	origin := x.request.Header.Get("Origin")
	if s.cors.OriginAllowed(x.request) {
		x.because("preflight: the browser may send the request for origin %s", origin)
	} else {
		x.because("preflight refused: service.cors does not list the origin %s", origin)
	}
	s.cors.HandlerFunc(x, x.request)
}
