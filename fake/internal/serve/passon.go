package serve

import (
	"fmt"
	"net/http"

	"example.com/campaignfake/fake/internal/hosts"
	"example.com/campaignfake/fake/internal/upstream"
	"example.com/campaignfake/fake/internal/words"
)

// passOn passes the request to the upstream. Without an upstream, it passes the request to the
// handler of WithFallback. The passage adds our headers, such as CORS, to the answer of the
// upstream or the handler.
func (x *exchange) passOn() {
	if x.proxy != nil && x.refuseHost() {
		return
	}
	x.entry.Request.PassedOn = true
	x.engine.CountPassedOn()
	x.reason.answer = x.passedOnReason()
	x.note()

	p := newPassage(x)
	defer p.end()
	if x.proxy != nil {
		x.askUpstream(p)
	} else {
		x.engine.Config.Fallback.ServeHTTP(p, p.request)
		p.begin(http.StatusOK) // does nothing if the handler has begun its answer
	}
	p.isWhole = true
}

// refuseHost refuses a request whose host may lead here by DNS rebinding: otherwise any web page
// could read the answers of the upstream. It reports whether it has answered the request.
func (x *exchange) refuseHost() bool {
	why := hosts.Refuse(x.received, x.engine.Config.Hosts)
	if why == "" {
		return false
	}
	x.isWarning = true
	x.sendError(http.StatusForbidden,
		fmt.Sprintf("not passed on, since the host %q is not one of this server",
			words.CutInput(x.received.Host)),
		why)
	return true
}

// passedOnReason returns the reason for an answer of the upstream or the fallback. If a reply has
// delayed an answer of the upstream, the reason names the reply first.
func (x *exchange) passedOnReason() string {
	if x.proxy == nil {
		return "answered by the fallback"
	}
	target := x.proxy.Target(x.received, x.arrival.Snapshot.BasePath)
	passedOn := "passed on to " + words.CutInput(target)
	if x.arrival.Turn.Reply == nil {
		return passedOn
	}
	return x.reason.answer + "; " + passedOn
}

// answerer returns a phrase that names the upstream or the fallback.
func (x *exchange) answerer() string {
	if x.proxy == nil {
		return "the fallback"
	}
	return "the upstream " + x.arrival.Snapshot.Upstream.Host
}

// askUpstream lets the upstream answer. If the upstream does not, the answer is an error that says
// why. If the client has gone away, or the server was closed, nothing is sent.
func (x *exchange) askUpstream(p *passage) {
	failure := x.proxy.Pass(p, p.request, upstream.Options{
		BasePath:          x.arrival.Snapshot.BasePath,
		AllowsCredentials: p.header.Get("Access-Control-Allow-Credentials") == "true",
	})
	switch {
	case failure == nil || p.hasBegun:
		// The answer has begun. It is complete, unless the client went away during an upgrade.
	case p.isOver():
		x.reason.ending = "nothing was sent until " + x.whoBrokeAnswer()
		x.complete(0)
		panic(http.ErrAbortHandler)
	default:
		p.returnHeader()
		x.isWarning = true
		x.sendError(failure.Status, "not answered by the upstream: "+failure.Reason,
			words.Sentence(failure.Reason))
	}
}
