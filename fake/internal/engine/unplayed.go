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
	if !own.ByTest() && len(n.queue.replies) == 0 {
		return nil
	}
	for _, w := range n.waiting() {
		origin := own
		if w.Enqueued {
			origin = w.prepared.Origin
		}
		if origin.ByTest() && w.prepared.Times != fixtures.Always {
			list = append(list, report.Unplayed{
				Token: n.token, Summary: w.prepared.What(), Played: w.Played, Times: w.prepared.Times, Required: origin.Required,
			})
		}
	}
	return list
}
