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
	x.reason.Answer = x.passedOn()
	x.note()
	sent, err := x.proxy.Pass(x.writer, x.received, upstream.Options{
		BasePath:    x.arrival.Snapshot.BasePath,
		ReplaceCORS: x.arrival.Snapshot.CORS != nil,
		Begin:       x.beginPassedOn,
	})
	x.endPassedOn(int(sent), err)
}

// refuseHost answers a request whose host may lead here by DNS rebinding, and reports whether it
// did: a web page could use the upstream as if it were its own.
func (x *exchange) refuseHost() bool {
	why := hosts.Refuse(x.received, x.engine.Config.Hosts)
	if why == "" {
		return false
	}
	x.sendError(http.StatusForbidden, reason.ForeignHost{
		Host:   words.Shorten(x.received.Host),
		Advice: why,
	})
	return true
}

// passedOn returns the reason for the answer of the upstream. A reply may have delayed it.
func (x *exchange) passedOn() reason.PassedOn {
	target := x.proxy.Target(x.received, x.arrival.Snapshot.BasePath)
	passedOn := reason.PassedOn{URL: words.Shorten(target)}
	reply, isReply := x.reason.Answer.(reason.Reply)
	if isReply {
		passedOn.Reply = reply
	}
	return passedOn
}

// beginPassedOn completes the entry in the journal, just before the header of the upstream's answer
// is sent. A stream may last for hours, so its line in the log comes now.
func (x *exchange) beginPassedOn(answer upstream.Answer) {
	x.header = answer.Header
	x.isStream = answer.IsStream
	x.entry.Answer.Bytes = int(max(answer.Length, 0))
	x.complete(answer.Status)
	if x.isStream {
		x.log()
	}
}

// endPassedOn notes how the answer of the upstream has ended, or answers in its place. It breaks
// the connection if only a part of the answer was sent, so that the client does not take that for
// all of it.
func (x *exchange) endPassedOn(sent int, err error) {
	x.entry.Answer.Sent = sent
	x.entry.Answer.Bytes = max(x.entry.Answer.Bytes, sent)
	if err == nil {
		x.note()
		return
	}
	var failure *upstream.Error
	isFailure := errors.As(err, &failure)
	switch {
	case isFailure && failure.Status != 0:
		x.sendError(failure.Status, reason.FailedUpstream{
			Cause:  failure.Reason,
			Advice: failure.Advice,
		})
		return
	case isFailure:
		x.cut(reason.BrokenUpstream{Cause: failure.Reason})
	case x.isStream: // which has no end of its own
		x.reason.Cut = reason.EndedStream{By: x.ending()}
		x.note()
	case x.entry.Complete:
		x.cut(reason.BrokenBody{Sent: sent, Bytes: x.entry.Answer.Bytes, By: x.ending()})
	default:
		x.reason.Unsent = reason.NoAnswer{Until: x.ending()}
		x.complete(0)
	}
	abort()
}

// sendError sends an error of the server itself, in the form of the service.
func (x *exchange) sendError(status int, why reason.Refusal) {
	x.reason.Answer = why
	answer := x.arrival.Snapshot.Error(status, why.Detail())
	x.body = answer.Body
	x.send(&answer, x.body)
}
