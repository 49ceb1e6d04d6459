package engine

import (
	"math"
	"time"

	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fixtures"
	"golang.org/x/time/rate"
)

// A Turn is what a request for the campaigns gets from the user of its token: a number, a reply and
// a delay, or a refusal by the rate limit.
type Turn struct {
	Wait int // seconds until the rate limit allows a request; if not 0, all other fields are zero

	Number int             // counts the turns of the token, from 1
	Reply  *plan.Reply     // nil for the normal answer
	Played int             // how often the reply has been played, this request included
	Delay  *fixtures.Delay // nil for no delay
	Hold   *Hold           // nil unless the delay lasts until the release
}

// takeTurn counts a request against the rate limit of the user. If the limit allows the request,
// the Turn has the next number, and the reply and delay of the request.
func (a *account) takeTurn() Turn {
	wait := a.useLimit()
	if wait > 0 {
		return Turn{Wait: wait}
	}
	a.turns++
	turn := Turn{Number: a.turns}
	turn.Reply, turn.Played = a.takeReply()
	turn.Delay = delayOf(a.user, turn.Reply)
	turn.Hold = a.takeHold(turn)
	return turn
}

// useLimit counts a request against the rate limit of the user. If the limit is reached, it returns
// the whole seconds until the next request is allowed.
func (a *account) useLimit() (wait int) {
	allowed := a.user.Fixture.RateLimit
	if allowed == nil {
		return 0
	}
	if a.limiter == nil {
		perSecond := float64(allowed.Requests) / allowed.Per.Seconds()
		a.limiter = rate.NewLimiter(rate.Limit(perSecond), allowed.Requests)
	}
	now := time.Now()
	if a.limiter.AllowN(now, 1) {
		return 0
	}
	missing := 1 - a.limiter.TokensAt(now)
	seconds := missing / float64(a.limiter.Limit())
	// Ceil must not add a whole second because of a rounding error. The tolerance is in seconds. It
	// is larger than any rounding error, and smaller than a nanosecond, the unit of the limiter.
	const tolerance = 1e-10
	return int(math.Ceil(seconds - tolerance))
}

// takeReply takes the reply for a request: the reply that holds all requests until their release,
// or else the next enqueued reply, or else the next reply of the user. It returns nil for the
// normal answer. It also returns how often the reply has been played.
func (a *account) takeReply() (reply *plan.Reply, played int) {
	holding := a.holdingReply()
	if holding != nil {
		return holding, 1
	}
	reply, played = a.queue.next()
	if reply == nil {
		reply, played = a.userReplies.next()
	}
	if len(a.userReplies.replies) == 0 && a.user.Fixture.Repeat {
		a.userReplies.replies = a.user.Replies
	}
	if a.userReplies.isOver() {
		a.user.IsPlayed = true
	}
	return reply, played
}

// delayOf returns the delay of a request: the delay of its reply, or else of its user. The reply is
// nil for the normal answer. delayOf returns nil for no delay.
func delayOf(user *plan.User, reply *plan.Reply) *fixtures.Delay {
	if reply != nil && reply.Fixture.Delay != nil {
		return reply.Fixture.Delay
	}
	return user.Delay
}

// takeHold adds a request to the held requests of the account, if the delay of the request lasts
// until a release. It returns the Hold for which the request then waits. For any other delay it
// returns nil.
func (a *account) takeHold(turn Turn) *Hold {
	if turn.Delay == nil || !turn.Delay.UntilReleased {
		return nil
	}
	a.joinHold(turn.Reply)
	return a.hold
}
