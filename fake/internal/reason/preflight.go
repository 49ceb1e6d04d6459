package reason

import "net/http"

// A Preflight was answered so that the browser sends the request that it asks about.
type Preflight struct {
	Origin    string // of the page, shortened
	AnyOrigin bool   // those of all others may, too, and none with cookies
}

func (p Preflight) String() string {
	allowed := "preflight: the browser may send the request for origin " + p.Origin
	if p.AnyOrigin {
		allowed += ", without cookies " +
			`(for credentials: "include", service.cors has to list the origin)`
	}
	return allowed
}

// A RefusedPreflight was answered so that the browser does not send the request.
type RefusedPreflight struct {
	Cause  PreflightCause
	Origin string // of the page, shortened; "" if there is none
	Method string // that the browser asks about, shortened
}

// A PreflightCause is why a preflight is refused.
type PreflightCause int

const (
	CORSOff PreflightCause = iota
	NoOrigin
	UnlistedOrigin
	MethodNotAllowed
)

func (p RefusedPreflight) String() string {
	switch p.Cause {
	case CORSOff:
		return "preflight refused: service.cors is off"
	case NoOrigin:
		return "preflight refused: it has no Origin, which every browser sends"
	case UnlistedOrigin:
		return "preflight refused: service.cors does not list the origin " + p.Origin
	}
	return "preflight refused: browsers cannot be allowed the method " + p.Method
}

// Detail is for a service without CORS, which answers a preflight like any other method.
func (p RefusedPreflight) Detail() string {
	return WrongMethod{Method: http.MethodOptions}.Detail()
}
