package engine

import (
	"cmp"
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

// play plays the next reply, of which there is one, and says so.
func (s *script) play() (r *plan.Reply, reason string) {
	r = s.replies[0]
	s.played++
	reason = r.Played(s.played)
	if s.played == r.Times {
		s.replies, s.played = s.replies[1:], 0
	}
	return r, reason
}

// enqueue adds replies at the end, and returns how many others are played before them. A reply
// that is played always stays the last: replies that come later are played before it, except
// another such one, which replaces it.
func (s *script) enqueue(replies []*plan.Reply) (before int) {
	end := len(s.replies)
	if end > 0 && s.replies[end-1].Times == fixtures.Always {
		end--
	}
	if end == 0 {
		s.played = 0 // another reply is the first now
	}
	s.replies = slices.Insert(s.replies, end, replies...)
	// Of two that are played always, the one that came later stands before the other.
	if last := len(s.replies) - 1; last > 0 && s.replies[last-1].Times == fixtures.Always {
		s.replies = s.replies[:last]
	}
	return end
}

// limit counts a request against the rate limit. If the limit is reached, it returns
// the whole seconds until the next request is allowed.
func (n *account) limit(allowed *fixtures.RateLimit) (wait int) {
	if allowed == nil {
		return 0
	}
	if n.limiter == nil {
		n.limiter = rate.NewLimiter(rate.Limit(float64(allowed.Requests)/allowed.Per.Seconds()), allowed.Requests)
	}
	now := time.Now()
	if n.limiter.AllowN(now, 1) {
		return 0
	}
	missing := (1 - n.limiter.TokensAt(now)) / float64(n.limiter.Limit())
	// Rounding errors must not add a second.
	return max(1, int(math.Ceil(missing-1e-9)))
}

// takeTurn gives a request of a user its turn among those of its token, and the reply for it:
// first those that were enqueued, and then those of the user. It uses the rate limit.
func (n *account) takeTurn(x *Arrival) {
	if x.Wait = n.limit(x.User.Given.RateLimit); x.Wait > 0 {
		return
	}
	n.turns++
	x.Turn, x.Reason = n.turns, x.User.Reason
	if len(n.queue.replies) > 0 {
		x.Reply, x.Reason = n.queue.play()
	} else if len(n.own.replies) > 0 {
		x.Reply, x.Reason = n.own.play()
	}
	// What was played once, nobody owes any more: not after a reset either, nor another token that
	// is like the same user.
	if left := n.own.replies; len(left) == 0 && x.User.Given.Repeat {
		n.own.replies = x.User.Replies
	} else if len(left) == 0 || left[0].Times == fixtures.Always {
		x.User.Exhausted = true
	}
	// Of several delays the most specific holds.
	if x.Delay = x.User.Delay; x.Reply != nil {
		x.Delay = cmp.Or(x.Reply.Given.Delay, x.Delay)
	}
	if x.Delay != nil && x.Delay.UntilReleased && (n.kept || n.recent != nil) { // else nobody could release it
		n.held = cmp.Or(n.held, &Hold{Released: make(chan struct{})})
		n.held.Requests.Add(1)
		x.Hold = n.held
	}
}
