package serve

import (
	"errors"
	"fmt"
	"net/http"

	"example.com/campaignfake/fake/internal/hosts"
	"example.com/campaignfake/fake/internal/upstream"
	"example.com/campaignfake/fake/internal/words"
)

// passOn passes the request on to the upstream, and the answer back as it comes.
func (x *exchange) passOn() {
	if x.refuseHost() {
		return
	}
	x.entry.Request.PassedOn = true
	x.engine.CountPassedOn()
	x.reason.answer = x.passedOnReason()
	x.note()
	sent, err := x.proxy.Pass(x.writer, x.received, upstream.Options{
		BasePath:    x.arrival.Snapshot.BasePath,
		ReplaceCORS: x.arrival.Snapshot.CORS != nil,
		Begin:       x.noteUpstreamHead,
	})
	x.endUpstreamAnswer(int(sent), err)
}

// refuseHost refuses a request whose host may lead here by DNS rebinding, because a web page could
// use the upstream as if it were its own. It reports whether it has answered the request.
func (x *exchange) refuseHost() bool {
	why := hosts.Refuse(x.received, x.engine.Config.Hosts)
	if why == "" {
		return false
	}
	x.hasUpstreamFailed = true
	x.sendError(http.StatusForbidden,
		fmt.Sprintf("not passed on, since the host %q is not one of this server",
			words.CutInput(x.received.Host)),
		why)
	return true
}

// passedOnReason returns the reason for the answer of the upstream. A reply may have delayed it.
func (x *exchange) passedOnReason() string {
	target := x.proxy.Target(x.received, x.arrival.Snapshot.BasePath)
	passedOn := "passed on to " + words.CutInput(target)
	if x.arrival.Turn.Reply == nil {
		return passedOn
	}
	return x.reason.answer + "; " + passedOn
}

// noteUpstreamHead completes the entry in the journal. The head of the upstream's answer is about
// to be sent. A stream may last for hours, so its line is logged already now.
func (x *exchange) noteUpstreamHead(head upstream.ResponseHead) {
	x.upstreamHeader = head.Header
	x.isUpstreamStream = head.IsStream
	x.entry.Request.Answer.Bytes = int(max(head.Length, 0))
	x.complete(head.Status)
	if x.isUpstreamStream {
		x.log()
	}
}

// endUpstreamAnswer notes how the answer of the upstream has ended. If nothing of it was sent, it
// answers in place of the upstream. If a part was sent, it breaks the connection, so that the
// client does not take the part for the whole.
func (x *exchange) endUpstreamAnswer(sent int, err error) {
	x.entry.Request.Answer.Sent = sent
	x.entry.Request.Answer.Bytes = max(x.entry.Request.Answer.Bytes, sent)
	if err == nil {
		x.note()
		return
	}
	hasBegun := x.entry.Request.Complete
	if !hasBegun {
		x.answerForUpstream(err)
		return
	}
	var failure *upstream.Error
	switch {
	case errors.As(err, &failure):
		x.noteCut(failure.Reason)
	case x.isUpstreamStream: // it has no end of its own, so nothing is missing
		x.reason.cut = "it lasted until " + x.ending()
		x.note()
	default:
		x.noteCut(brokenBody(sent, x.entry.Request.Answer.Bytes, x.ending()))
	}
	panic(http.ErrAbortHandler)
}

// answerForUpstream answers the request in place of the upstream, when nothing of the upstream's
// answer was sent. If the error is not one of the upstream, it sends nothing: then the client went
// away, or the server was closed.
func (x *exchange) answerForUpstream(err error) {
	var failure *upstream.Error
	if !errors.As(err, &failure) {
		x.reason.unsent = "nothing was sent until " + x.ending()
		x.complete(0)
		panic(http.ErrAbortHandler)
	}
	status := failure.Status
	if status == 0 {
		// The upstream has failed in the middle of an answer that fetch has kept.
		status = http.StatusBadGateway
	}
	x.hasUpstreamFailed = true
	x.sendError(status, "not answered by the upstream: "+failure.Reason,
		words.Sentence(failure.Reason)+" "+failure.Advice)
}
