package plan

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"

	"example.com/campaignfake/fake/internal/hosts"
	"example.com/campaignfake/fixtures"
	"github.com/rs/cors"
)

// preflightAge is how long a browser may remember the answer to a preflight, in seconds.
const preflightAge = 600

// NewCORS returns the CORS handler for the setting, and nil if the setting is off or an empty list.
// The answer to a preflight allows every usual method and every header. So the browser sends the
// actual request after the preflight, and the page can read its answer, such as a 405 or a 401.
func NewCORS(setting []string) *cors.Cors {
	switch {
	case len(setting) == 0 || setting[0] == fixtures.CORSOff:
		return nil
	case setting[0] == fixtures.CORSAny:
		return anyOrigin()
	}
	return newCORS(setting)
}

// anyOrigin returns the handler for "cors: any", the default. All servers with this setting share
// one handler, since nobody changes it.
var anyOrigin = sync.OnceValue(func() *cors.Cors {
	return newCORS([]string{fixtures.CORSAny})
})

func newCORS(setting []string) *cors.Cors {
	options := cors.Options{
		AllowedMethods: []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"},
		AllowedHeaders: []string{"*"},
		// The asterisk exposes headers that settings add. For requests with cookies it has no
		// effect, so the usual names are listed, and ExposeHeaders adds the names of other headers.
		ExposedHeaders:      []string{"WWW-Authenticate", "Retry-After", "Allow", "Date", "*"},
		AllowPrivateNetwork: true,
		OptionsPassthrough:  true, // the caller sends the answer to a preflight
		MaxAge:              preflightAge,
	}
	switch setting[0] {
	case fixtures.CORSAny:
		options.AllowedOrigins = []string{"*"}
	case fixtures.CORSLocal:
		options.AllowOriginFunc = IsLocalOrigin
		options.AllowCredentials = true
	default:
		options.AllowedOrigins = slices.Clone(setting)
		// A page that sends cookies can read only answers that name its origin.
		options.AllowCredentials = true
	}
	return cors.New(options)
}

// AddCORSHeaders adds the headers of CORS to an answer that has not begun. It sends nothing: the
// caller sends the answer, also to a preflight.
func AddCORSHeaders(handler *cors.Cors, w http.ResponseWriter, r *http.Request) {
	handler.ServeHTTP(w, r, sendNothing)
}

// ExposeHeaders adds names of headers to Access-Control-Expose-Headers, so that a page can read
// these headers. The argument `more` has the headers. ExposeHeaders leaves out Set-Cookie and the
// headers of CORS. It adds nothing if the page may not send cookies: then the * in
// Access-Control-Expose-Headers already exposes all headers.
func ExposeHeaders(corsHeaders, more http.Header) {
	if corsHeaders.Get("Access-Control-Allow-Credentials") != "true" {
		return
	}
	exposed := strings.Split(corsHeaders.Get("Access-Control-Expose-Headers"), ", ")
	for _, name := range slices.Sorted(maps.Keys(more)) {
		isOfCORS := strings.HasPrefix(name, "Access-Control-")
		isReadable := name != "Set-Cookie" && !isOfCORS
		if isReadable && !slices.Contains(exposed, name) {
			exposed = append(exposed, name)
		}
	}
	corsHeaders.Set("Access-Control-Expose-Headers", strings.Join(exposed, ", "))
}

// sendNothing is the handler that the CORS handler calls after it has set the headers.
func sendNothing(http.ResponseWriter, *http.Request) {}

// IsLocalOrigin reports whether an origin is a page on localhost or a loopback address.
func IsLocalOrigin(origin string) bool {
	u, err := url.Parse(origin)
	if err != nil {
		return false
	}
	return hosts.IsOfThisMachine(hosts.Canonical(u.Hostname()))
}
