package engine

import (
	"maps"
	"slices"

	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fake/internal/report"
	"example.com/campaignfake/fixtures"
)

// Unplayed lists the replies that a test gave a finite number of times, and that have not
// been played so often. Replies of a user that repeats them are not among them.
func (e *Engine) Unplayed() []report.Unplayed {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.unplayedLocked()
}

func (e *Engine) unplayedLocked() []report.Unplayed {
	list := []report.Unplayed{}
	for _, token := range slices.Sorted(maps.Keys(e.accounts.byToken)) {
		list = append(list, e.accounts.byToken[token].unplayed()...)
	}
	return list
}

// unplayed lists the unplayed replies of the queue, and of an account's own user. What a token
// that is like a user has played, the user has played.
func (n *account) unplayed() (list []report.Unplayed) {
	var own plan.Origin
	if n.isOwn() && !n.user.Exhausted && !n.user.Given.Repeat {
		own = n.user.Origin
	}
	n.waiting(func(r *plan.Reply, played int) {
		origin := own
		if r.Enqueued {
			origin = r.Origin
		}
		if origin.ByTest() && r.Times != fixtures.Always {
			list = append(list, report.Unplayed{
				Token: n.token, Summary: r.What(), Played: played, Times: r.Times, Required: origin.Required,
			})
		}
	})
	return list
}

// waiting calls visit with each reply that waits to be played, and with how often it has
// been played: first the queue, then those of the user.
func (n *account) waiting(visit func(r *plan.Reply, played int)) {
	n.queue.waiting(visit)
	n.own.waiting(visit)
}
