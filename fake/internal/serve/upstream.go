package serve

import (
	"errors"
	"net/http"

	"example.com/campaignfake/fake/internal/hosts"
	"example.com/campaignfake/fake/internal/reason"
	"example.com/campaignfake/fake/internal/upstream"
	"example.com/campaignfake/fake/internal/words"
)

// passOn has the upstream answer the request, and passes its answer back as it comes.
func (x *exchange) passOn() {
	if x.refuseHost() {
		return
	}
	x.entry.PassedOn = true
	x.reason.Answer = x.passedOnReason()
	x.note()
	sent, err := x.proxy.Pass(x.writer, x.received, upstream.Options{
		BasePath:    x.arrival.Snapshot.BasePath,
		ReplaceCORS: x.arrival.Snapshot.CORS != nil,
		Begin:       x.noteUpstreamHeader,
	})
	x.endUpstreamAnswer(int(sent), err)
}

// refuseHost answers a request whose host may lead here by DNS rebinding, and reports whether it
// did: a web page could use the upstream as if it were its own.
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
	why := reason.PassedOn{URL: words.CutInput(target)}
	reply, isReply := x.reason.Answer.(reason.Reply)
	if isReply {
		why.Reply = reply
	}
	return why
}

// noteUpstreamHeader completes the entry in the journal, just before the header of the upstream's
// answer is sent. A stream may last for hours, so its line in the log comes now.
func (x *exchange) noteUpstreamHeader(answer upstream.Answer) {
	x.header = answer.Header
	x.isStream = answer.IsStream
	x.entry.Answer.Bytes = int(max(answer.Length, 0))
	x.complete(answer.Status)
	if x.isStream {
		x.log()
	}
}

// endUpstreamAnswer notes how the answer of the upstream has ended, or answers in its place. It
// breaks the connection if only a part of the answer was sent, so that the client does not take
// that for all of it.
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
		x.cut(reason.BrokenUpstream{Cause: failure.Reason})
	case x.isStream: // which has no end of its own
		x.reason.Cut = reason.EndedStream{By: x.ending()}
		x.note()
	default:
		x.cut(reason.BrokenBody{Sent: sent, Bytes: x.entry.Answer.Bytes, By: x.ending()})
	}
	abort()
}

// answerForUpstream answers a request in place of the upstream, of whose answer nothing was sent.
// It closes the connection if the error is not that of the upstream: the client went away, or the
// server was closed.
func (x *exchange) answerForUpstream(err error) {
	var failure *upstream.Error
	if !errors.As(err, &failure) {
		x.reason.Unsent = reason.NoAnswer{Until: x.ending()}
		abortUnanswered(x)
		return
	}
	status := failure.Status
	if status == 0 { // it has failed in the middle of an answer that was kept
		status = http.StatusBadGateway
	}
	x.sendError(status, reason.FailedUpstream{
		Cause:  failure.Reason,
		Advice: failure.Advice,
	})
}
