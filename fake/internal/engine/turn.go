package engine

import (
	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fixtures"
)

// A Turn is the place of a request among those of its token, and the reply for it.
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
	if t.Wait = n.script.limit(u.Given.RateLimit); t.Wait > 0 {
		return t
	}
	n.turns++
	t.Number = n.turns
	if r, nth := n.queue.play(); r != nil {
		t.Reply, t.Reason = r, r.Played("enqueued", nth, 0)
	} else if r, nth, round := n.script.play(); r != nil {
		t.Reply, t.Reason = r, r.Played("scripted", nth, round)
	}
	t.Delay = u.DelayOf(t.Reply)
	if t.Delay != nil && t.Delay.UntilReleased {
		t.Hold = n.hold()
	}
	return t
}
