package engine

import (
	"math"
	"slices"
	"time"

	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fixtures"
	"golang.org/x/time/rate"
)

// A script is a user of a token, with the state of the user's replies and rate limit. A
// request takes its turn when it arrives, and does not come back to the script.
type script struct {
	user    *plan.User    // nil for an unknown token where those are rejected
	cursor                // in the user's replies
	round   int           // how often they started over
	limiter *rate.Limiter // nil until the rate limit is used
}

// A queue is replies that were given by Enqueue. They are played before those of the user.
type queue struct {
	replies []*plan.Reply
	cursor  // at the first
}

// A cursor is a position in a list of replies.
type cursor struct {
	next   int // index of the reply that is played next
	played int // how often that reply was played
}

// play plays the next of some replies. It returns the reply, nil if none is left, and how
// often it has been played.
func (c *cursor) play(replies []*plan.Reply) (r *plan.Reply, nth int) {
	if c.next == len(replies) {
		return nil, 0
	}
	r = replies[c.next]
	c.played++
	nth = c.played
	if nth == r.Times {
		c.next, c.played = c.next+1, 0
	}
	return r, nth
}

// waiting calls visit with each reply that is left, and with how often it has been played.
func (c *cursor) waiting(replies []*plan.Reply, visit func(r *plan.Reply, played int)) {
	played := c.played
	for _, r := range replies[c.next:] {
		visit(r, played)
		played = 0
	}
}

// play plays the first reply of the queue.
func (q *queue) play() (r *plan.Reply, nth int) {
	r, nth = q.cursor.play(q.replies)
	q.replies, q.next = slices.Delete(q.replies, 0, q.next), 0
	return r, nth
}

// enqueue adds replies at the end of the queue. A reply that is played always stays the
// last: replies that come later are played before it, except another such one, which
// replaces it. The queue is not copied each time, since it may be long.
func (q *queue) enqueue(replies []*plan.Reply) {
	last := playedAlways(q.replies)
	if last != nil {
		q.replies = q.replies[:len(q.replies)-1]
	}
	if len(q.replies) == 0 {
		q.played = 0 // another reply is the first now
	}
	q.replies = append(q.replies, replies...)
	if last != nil && playedAlways(replies) == nil {
		q.replies = append(q.replies, last)
	}
}

// playedAlways returns the last of some replies if it is played always, else nil.
func playedAlways(replies []*plan.Reply) *plan.Reply {
	if last := len(replies) - 1; last >= 0 && replies[last].Times == fixtures.Always {
		return replies[last]
	}
	return nil
}

// play plays the next of the user's own replies, and also returns the round, which counts
// from 0.
func (s *script) play() (r *plan.Reply, nth, round int) {
	u := s.user
	round = s.round
	r, nth = s.cursor.play(u.Replies)
	if r == nil {
		return nil, 0, 0
	}
	if s.next == len(u.Replies) || u.Replies[s.next].Times == fixtures.Always {
		*u.Exhausted = true
	}
	if s.next == len(u.Replies) && u.Given.Repeat {
		s.next = 0
		s.round++
	}
	return r, nth, round
}

// limit counts a request against the rate limit. If the limit is reached, it returns
// the whole seconds until the next request is allowed.
func (s *script) limit(allowed *fixtures.RateLimit) (wait int) {
	if allowed == nil {
		return 0
	}
	if s.limiter == nil {
		s.limiter = rate.NewLimiter(rate.Limit(float64(allowed.Requests)/allowed.Per.Seconds()), allowed.Requests)
	}
	now := time.Now()
	if s.limiter.AllowN(now, 1) {
		return 0
	}
	missing := (1 - s.limiter.TokensAt(now)) / float64(s.limiter.Limit())
	// Rounding errors must not add a second.
	return max(1, int(math.Ceil(missing-1e-9)))
}

// waiting calls visit with each reply that waits to be played, and with how often it has
// been played: first the queue, then those of the user.
func (n *account) waiting(visit func(r *plan.Reply, played int)) {
	n.queue.waiting(n.queue.replies, visit)
	n.script.waiting(n.script.user.Replies, visit)
}
