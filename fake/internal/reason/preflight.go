package reason

import "net/http"

// A Preflight is answered with yes: the browser may send the request that it asks about.
type Preflight struct {
	Origin    string // of the page, shortened
	AnyOrigin bool   // the pages of all origins may read the answer, but none may send cookies
}

func (p Preflight) String() string {
	allowed := "preflight: the browser may send the request for origin " + p.Origin
	if p.AnyOrigin {
		allowed += ", without cookies " +
			`(for credentials: "include", service.cors has to list the origin)`
	}
	return allowed
}

// A RefusedPreflight is answered with no: the browser may not send the request that it asks about.
type RefusedPreflight struct {
	Cause  PreflightCause
	Origin string // of the page, shortened; "" if there is none
	Method string // the method of the request that the browser asks about, shortened
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

// Detail explains the refusal of a service without CORS. It answers a preflight like any other
// method that it does not have.
func (p RefusedPreflight) Detail() string {
	return WrongMethod{Method: http.MethodOptions}.Detail()
}
