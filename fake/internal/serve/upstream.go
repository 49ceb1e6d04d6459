package serve

import (
	"errors"
	"net/http"

	"example.com/campaignfake/fake/internal/hosts"
	"example.com/campaignfake/fake/internal/reason"
	"example.com/campaignfake/fake/internal/upstream"
	"example.com/campaignfake/fake/internal/words"
)

// passOn passes the request on to the upstream, and the answer back as it comes.
func (x *exchange) passOn() {
	if x.refuseHost() {
		return
	}
	x.entry.PassedOn = true
	x.engine.CountPassedOn()
	x.reason.Answer = x.passedOnReason()
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
	x.sendError(http.StatusForbidden, reason.ForeignHost{
		Host:   words.CutInput(x.received.Host),
		Advice: why,
	})
	return true
}

// passedOnReason returns the reason for the answer of the upstream. A reply may have delayed it.
func (x *exchange) passedOnReason() reason.PassedOn {
	target := x.proxy.Target(x.received, x.arrival.Snapshot.BasePath)
	base := x.arrival.Snapshot.Upstream
	why := reason.PassedOn{
		URL:    words.CutInput(target),
		Scheme: base.Scheme,
		Host:   base.Hostname(),
	}
	reply, isReply := x.reason.Answer.(reason.Reply)
	if isReply {
		why.Reply = reply
	}
	return why
}

// noteUpstreamHead completes the entry in the journal. The head of the upstream's answer is about
// to be sent. A stream may last for hours, so its line is logged already now.
func (x *exchange) noteUpstreamHead(head upstream.ResponseHead) {
	x.upstreamHeader = head.Header
	x.isUpstreamStream = head.IsStream
	x.entry.Answer.Bytes = int(max(head.Length, 0))
	x.complete(head.Status)
	if x.isUpstreamStream {
		x.log()
	}
}

// endUpstreamAnswer notes how the answer of the upstream has ended. If nothing of it was sent, it
// answers in place of the upstream. If a part was sent, it breaks the connection, so that the
// client does not take the part for the whole.
func (x *exchange) endUpstreamAnswer(sent int, err error) {
	x.entry.Answer.Sent = sent
	x.entry.Answer.Bytes = max(x.entry.Answer.Bytes, sent)
	if err == nil {
		x.note()
		return
	}
	hasBegun := x.entry.Complete
	if !hasBegun {
		x.answerForUpstream(err)
		return
	}
	var failure *upstream.Error
	switch {
	case errors.As(err, &failure):
		x.noteCut(reason.BrokenUpstream{Cause: failure.Reason})
	case x.isUpstreamStream: // it has no end of its own, so nothing is missing
		x.reason.Cut = reason.EndedStream{By: x.ending()}
		x.note()
	default:
		x.noteCut(reason.BrokenBody{Sent: sent, Bytes: x.entry.Answer.Bytes, By: x.ending()})
	}
	panic(http.ErrAbortHandler)
}

// answerForUpstream answers the request in place of the upstream, when nothing of the upstream's
// answer was sent. If the error is not one of the upstream, it sends nothing: then the client went
// away, or the server was closed.
func (x *exchange) answerForUpstream(err error) {
	var failure *upstream.Error
	if !errors.As(err, &failure) {
		x.reason.Unsent = reason.NoAnswer{Until: x.ending()}
		x.complete(0)
		panic(http.ErrAbortHandler)
	}
	status := failure.Status
	if status == 0 {
		// The upstream has failed in the middle of an answer that fetch has kept.
		status = http.StatusBadGateway
	}
	x.sendError(status, reason.FailedUpstream{
		Cause:  failure.Reason,
		Advice: failure.Advice,
	})
}
