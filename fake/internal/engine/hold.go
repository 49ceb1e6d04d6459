package engine

import (
	"sync/atomic"

	"example.com/campaignfake/fake/internal/plan"
)

// A Hold stands for the requests of a token that wait until they are released together.
type Hold struct {
	Released chan struct{} // closed by the release
	Waiting  atomic.Int64  // how many requests wait; a request that goes on subtracts 1

	// reply is the reply whose delay holds the requests. Until the release, every request of the
	// token gets this reply. The field is nil if the delay belongs to the user or the service, or
	// if the reply was dropped.
	reply *plan.Reply
}

// A Release is the result of releasing the requests of some tokens.
type Release struct {
	Requests int // how many requests were held

	// IsEarly is true if no request was held, but the next request of a token will be held. This
	// request then waits until somebody calls Release again.
	IsEarly bool
}

// Release releases the held requests of the tokens of a scope.
func (e *Engine) Release(scope Scope) Release {
	e.mu.Lock()
	defer e.mu.Unlock()
	var release Release
	for _, token := range e.accounts.tokensIn(scope) {
		a := e.accounts.of(token)
		if a.holdingReply() == nil && e.accounts.willHold(a) {
			release.IsEarly = true
		}
		release.Requests += a.releaseHeld()
	}
	if release.Requests > 0 {
		release.IsEarly = false
	}
	return release
}

// willHold reports whether the account's next request for the campaigns will be held. It assumes
// that the rate limit allows this request.
func (all *accounts) willHold(a *account) bool {
	user, _ := all.userNow(a)
	if user == nil {
		return false
	}
	delay := delayOf(user, all.nextReply(a))
	return delay != nil && delay.UntilReleased
}

// releaseHeld releases the requests of an account, and returns how many there were.
func (a *account) releaseHeld() int {
	if a.hold == nil {
		return 0
	}
	requests := a.hold.Waiting.Load() // read before close: each released request subtracts 1
	close(a.hold.Released)
	a.hold = nil
	return int(requests)
}

// joinHold counts a request among the held requests of the account. If the delay comes from a
// reply, later requests get the same reply until the release. The reason is that clients send some
// requests twice: React in its StrictMode aborts the first request and sends a second. The second
// request must not use up the next reply.
func (a *account) joinHold(reply *plan.Reply) {
	if a.hold == nil {
		a.hold = &Hold{Released: make(chan struct{})}
	}
	a.hold.Waiting.Add(1)
	if reply != nil && reply.Fixture.Delay != nil {
		a.hold.reply = reply
	}
}

// holdingReply returns the reply that holds all requests of the account until their release. It
// returns nil if no reply does.
func (a *account) holdingReply() *plan.Reply {
	if a.hold == nil {
		return nil
	}
	return a.hold.reply
}
