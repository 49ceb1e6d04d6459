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
	replies []*plan.Reply
	next    int // index of the reply that is played next
	played  int // how often that reply was played
}

// play plays the next reply. It returns the reply, nil if none is left, and how often it has
// been played.
func (s *script) play() (r *plan.Reply, nth int) {
	if s.next == len(s.replies) {
		return nil, 0
	}
	r = s.replies[s.next]
	s.played++
	nth = s.played
	if nth == r.Times {
		s.next, s.played = s.next+1, 0
	}
	return r, nth
}

// enqueue adds replies at the end. A reply that is played always stays the last: replies that
// come later are played before it, except another such one, which replaces it.
func (s *script) enqueue(replies []*plan.Reply) {
	end := len(s.replies)
	if endsAlways(s.replies) {
		end--
		if endsAlways(replies) {
			s.replies = s.replies[:end]
		}
	}
	if end == 0 {
		s.played = 0 // another reply is the first now
	}
	s.replies = slices.Insert(s.replies, end, replies...)
}

// endsAlways reports whether the last of some replies is played always.
func endsAlways(replies []*plan.Reply) bool {
	return len(replies) > 0 && replies[len(replies)-1].Times == fixtures.Always
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

// A Turn is the place of a request among those of its token, and the reply for it. A request
// takes its turn when it arrives.
type Turn struct {
	Wait   int         // seconds until the rate limit allows a request; 0 if it does
	Number int         // of the request among those of its token
	Reply  *plan.Reply // nil for the normal answer
	Reason string      // of the reply
	Delay  *fixtures.Delay
	Hold   *Hold // nil unless the delay is until the release of the request
}

// takeTurn takes the next turn of an account for a request. It uses the rate limit.
// Enqueued replies are played first, and then those of the user.
func (n *account) takeTurn(u *plan.User) (t Turn) {
	if t.Wait = n.limit(u.Given.RateLimit); t.Wait > 0 {
		return t
	}
	n.turns++
	t.Number = n.turns
	if r, nth := n.queue.play(); r != nil {
		n.queue.replies, n.queue.next = slices.Delete(n.queue.replies, 0, n.queue.next), 0
		t.Reply, t.Reason = r, r.Played("enqueued", nth)
	} else {
		t.Reply, t.Reason = n.playOwn(u)
	}
	t.Delay = u.DelayOf(t.Reply)
	if t.Delay != nil && t.Delay.UntilReleased {
		t.Hold = n.hold()
	}
	return t
}

// playOwn plays the next of the user's own replies, if there is one, and says so.
func (n *account) playOwn(u *plan.User) (r *plan.Reply, reason string) {
	r, nth := n.own.play()
	if r == nil {
		return nil, ""
	}
	reason = r.Played("scripted", nth)
	isLast := n.own.next == len(n.own.replies)
	if isLast || n.own.replies[n.own.next].Times == fixtures.Always {
		u.Exhausted = true
	}
	if isLast && u.Given.Repeat {
		n.own.next = 0
	}
	return r, reason
}
