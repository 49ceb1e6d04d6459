package engine

import (
	"math"
	"time"

	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fixtures"
	"golang.org/x/time/rate"
)

// A Turn is what a request for the campaigns takes of the user of its token.
type Turn struct {
	Wait int // seconds until the rate limit allows a request; if it is not 0, all else is zero

	Number int             // of the request among those of its token, from 1
	Reply  *plan.Reply     // nil for the normal answer
	Played int             // how often the reply has been played, with this request
	Delay  *fixtures.Delay // nil if there is none
	Hold   *Hold           // nil unless the delay is until the release of the request
}

// takeTurn gives a request of a user its turn among those of its token.
func (all *accounts) takeTurn(a *account) Turn {
	wait := a.useLimit()
	if wait > 0 {
		return Turn{Wait: wait}
	}
	a.turns++
	turn := Turn{Number: a.turns}
	turn.Reply, turn.Played = all.takeReply(a)
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
	// An error of rounding must not add a second. It is less than this, which is less than the
	// nanoseconds in which the limiter counts.
	const rounding = 1e-10
	return int(math.Ceil(seconds - rounding))
}

// takeReply takes the reply for a request: the one that holds all requests until their release, or
// else the next one that was enqueued, or else that of the user. It returns nil for the normal
// answer, and how often the reply has been played.
func (all *accounts) takeReply(a *account) (reply *plan.Reply, played int) {
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
		all.exhausted[a.user] = true
	}
	return reply, played
}

// delayOf returns the delay of a request that gets a reply of a user, or the normal answer if that
// is nil: the reply's, or else the user's. It returns nil if there is none.
func delayOf(user *plan.User, reply *plan.Reply) *fixtures.Delay {
	if reply != nil && reply.Fixture.Delay != nil {
		return reply.Fixture.Delay
	}
	return user.Delay
}

// takeHold has a request join those that the account holds, if its delay lasts until it is
// released. It returns nil if the delay is another.
func (a *account) takeHold(turn Turn) *Hold {
	if turn.Delay == nil || !turn.Delay.UntilReleased {
		return nil
	}
	a.joinHold(turn.Reply)
	return a.hold
}
