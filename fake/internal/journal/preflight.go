package journal

import (
	"net/http"
	"slices"
	"strings"
)

// Pair gives a request its preflight: the newest one that asked for it, and that no other
// request has.
func (j *Journal) Pair(number int) {
	e := j.At(number)
	if e == nil {
		return
	}
	for _, n := range slices.Backward(j.preflights) {
		p := j.At(n)
		if p == nil || !p.asksFor(e) {
			continue
		}
		if e.Preflight == 0 {
			e.Preflight = n
		}
		p.Followed = true
	}
	j.preflights = slices.DeleteFunc(j.preflights, func(n int) bool { return n == e.Preflight || j.At(n) == nil })
}

// isPreflight reports whether a request is a browser's question before another request.
func (e *Entry) isPreflight() bool {
	return e.Method == http.MethodOptions && e.Header.Get("Origin") != "" && e.Header.Get("Access-Control-Request-Method") != ""
}

// asksFor reports whether a preflight asks for a request: for one of the same page, with
// the method and the URL, and with all headers that the preflight names.
func (e *Entry) asksFor(request *Entry) bool {
	if request.Method == http.MethodOptions || request.Method != e.Header.Get("Access-Control-Request-Method") ||
		request.URL != e.URL || request.Header.Get("Origin") != e.Header.Get("Origin") {
		return false
	}
	separator := func(r rune) bool { return r == ',' || r == ' ' }
	for name := range strings.FieldsFuncSeq(e.Header.Get("Access-Control-Request-Headers"), separator) {
		if request.Header.Values(name) == nil {
			return false
		}
	}
	return true
}
