package engine

import (
	"math"
	"slices"
	"time"

	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fixtures"
	"golang.org/x/time/rate"
)

// A script is replies that are played one after the other, each for its number of requests.
type script struct {
	replies []*plan.Reply // that are left; their list may be the user's, and is not written to
	played  int           // how often the first of them was played
}

// next returns the reply for a request, and how often it has been played with that. It returns nil
// if no reply is left.
func (s *script) next() (reply *plan.Reply, played int) {
	if len(s.replies) == 0 {
		return nil, 0
	}
	reply = s.replies[0]
	s.played++
	played = s.played
	if played == reply.Times {
		s.replies = s.replies[1:]
		s.played = 0
	}
	return reply, played
}

// nextReply returns the reply for the next request of an account, nil for the normal answer.
func (a *account) nextReply() *plan.Reply {
	for _, s := range []script{a.queue, a.own} {
		if len(s.replies) > 0 {
			return s.replies[0]
		}
	}
	return nil
}

// isOver reports whether no reply with a finite number of times is left.
func (s *script) isOver() bool {
	return len(s.replies) == 0 || s.replies[0].Times == fixtures.Always
}

// enqueue adds replies at the end, and returns how many others are played before them. A reply
// that is played always stays behind those that come later. If one of these is played always,
// too, it takes its place.
func (s *script) enqueue(replies []*plan.Reply) (before int) {
	before = len(s.replies)
	if before > 0 && s.replies[before-1].Times == fixtures.Always {
		before--
	}
	if len(replies) == 0 {
		return before
	}
	if before == 0 {
		s.played = 0 // since another reply is the first now
	}
	s.replies = slices.Insert(s.replies, before, replies...)
	last := len(s.replies) - 1
	if last > 0 && s.replies[last-1].Times == fixtures.Always {
		s.replies = s.replies[:last] // which is the former one
	}
	return before
}

// dropQueue drops the replies that were enqueued for an account.
func (a *account) dropQueue() {
	a.queue = script{}
	a.dropHoldingReply(true)
}

// takeTurn gives a request of a user its turn among those of its token: the reply and the delay
// that hold for it, unless the rate limit refuses it.
func (all *accounts) takeTurn(a *account, arrival *Arrival) {
	a.keepsUser = true
	arrival.Wait = a.useLimit()
	if arrival.Wait > 0 {
		return
	}
	a.turns++
	arrival.Turn = a.turns
	holding := a.holdingReply()
	if holding != nil {
		arrival.Reply = holding
		arrival.Played = 1
	} else {
		all.takeReply(a, arrival)
	}
	a.takeDelay(arrival)
}

// takeReply sets the reply of a request: the next one that was enqueued, or else that of the user.
func (all *accounts) takeReply(a *account, arrival *Arrival) {
	arrival.Reply, arrival.Played = a.queue.next()
	if arrival.Reply == nil {
		arrival.Reply, arrival.Played = a.own.next()
	}
	if len(a.own.replies) == 0 && a.user.Fixture.Repeat {
		a.own.replies = a.user.Replies
	}
	if a.own.isOver() {
		all.exhausted[a.user] = true
	}
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

// takeDelay sets the delay of a request. If that lasts until the request is released, it joins
// those that the account holds. A reply with such a delay holds those that come later, too, since
// clients send some requests twice: React in its StrictMode aborts the first one.
func (a *account) takeDelay(arrival *Arrival) {
	arrival.Delay = a.delayOf(arrival.Reply)
	if arrival.Delay == nil || !arrival.Delay.UntilReleased {
		return
	}
	if !a.isRemembered() {
		return // nobody could release it
	}
	a.joinHold(arrival)
}

// delayOf returns the delay of a request that gets a reply, or the normal answer if that is nil:
// the reply's, or else the user's. It returns nil if there is none.
func (a *account) delayOf(reply *plan.Reply) *fixtures.Delay {
	if reply != nil && reply.Fixture.Delay != nil {
		return reply.Fixture.Delay
	}
	return a.user.Delay
}
