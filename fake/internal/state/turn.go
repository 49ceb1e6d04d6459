package state

import (
	"example.com/campaignfake/fake/internal/draw"
	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fixtures"
)

// A Preference is what a Prefer header asks for (RFC 7240), as in Prefer: code=503,
// delay=2s.
type Preference struct {
	Reply            *fixtures.Reply // nil if it asks for none
	Applied, Ignored []string        // the preferences that the reply has, and the names of others
	Wrong            error           // why it cannot be honoured
}

// A Turn is the place of a request among those of its token, and the reply for it.
type Turn struct {
	Wait      int         // seconds until the rate limit allows a request; 0 if it does
	Number    int         // of the request among those of its token and kind
	Preferred bool        // its kind: the Prefer header asks for the reply
	Reply     *plan.Reply // nil for the normal answer, and with Preferred
	Reason    string      // of the reply, unless it is of chaos
	Fate      float64     // what was drawn, if there is chaos and no other reply
	Delay     *fixtures.Delay
	Hold      *Hold // nil unless the delay is until the release of the request
}

// takeTurn takes the next turn of an account for a request. It uses the rate limit.
// Enqueued replies are played first, then those of the user, and then those of chaos. A
// request with a Prefer header uses none of these, and has a number among such requests.
func (n *account) takeTurn(x *Arrival) (t Turn) {
	u := x.User
	var given *fixtures.Reply
	if x.Snapshot.Service.Prefer != fixtures.PreferOff {
		if given = x.Asked.Reply; x.Asked.Wrong != nil {
			return t
		}
	}
	if given != nil {
		n.preferred++
		t.Number, t.Preferred = n.preferred, true
	} else {
		if t.Wait = n.script.limit(u.Given.RateLimit); t.Wait > 0 {
			return t
		}
		n.turns++
		t.Number = n.turns
		if r, nth := n.queue.play(); r != nil {
			t.Reply, t.Reason = r, r.Played("enqueued", nth, 0)
		} else if r, nth, round := n.script.play(); r != nil {
			t.Reply, t.Reason = r, r.Played("scripted", nth, round)
		} else if c := u.Chaos; c != nil {
			t.Fate = draw.New(x.Snapshot.Service.Seed, n.token, "request", t.Number).Fate
			t.Reply = c.Strikes(t.Fate)
		}
		if t.Reply != nil {
			given = &t.Reply.Given
		}
	}
	t.Delay = u.DelayOf(given)
	if t.Delay != nil && t.Delay.UntilReleased {
		t.Hold = n.hold()
	}
	return t
}
