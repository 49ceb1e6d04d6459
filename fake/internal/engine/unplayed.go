package engine

import (
	"example.com/campaignfake/fake/internal/report"
	"example.com/campaignfake/fixtures"
)

// Unplayed lists the replies that a test gave a finite number of times, and that have not
// been played so often. Replies of a user that repeats them are not among them, nor those of a
// token that is like a user: what that token has played, the user has played.
func (e *Engine) Unplayed() []report.Unplayed {
	e.mu.Lock()
	defer e.mu.Unlock()
	list := []report.Unplayed{}
	for _, n := range e.accounts.users {
		u := n.ownUser()
		isOwed := u != nil && !u.Exhausted && !u.Given.Repeat
		for r, played := range n.waiting {
			if r.ByTest() && r.Times != fixtures.Always && (isOwed || r.Enqueued) {
				list = append(list, report.Unplayed{
					Token: n.token, Summary: r.What(), Played: played, Times: r.Times, Required: r.Required,
				})
			}
		}
	}
	return list
}
