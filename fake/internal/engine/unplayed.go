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
func (s *State) Unplayed() []report.Unplayed {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := []report.Unplayed{}
	for _, token := range slices.Sorted(maps.Keys(s.accounts.byToken)) {
		if n := s.accounts.byToken[token]; n.known {
			list = append(list, n.unplayed(true)...)
		}
	}
	return list
}

// unplayed lists the unplayed replies of an account's user, and those of the queue if
// they are wanted too.
func (n *account) unplayed(queued bool) (list []report.Unplayed) {
	u := n.script.user
	own := u.Origin
	if own.ByTest() && (*u.Exhausted || u.Given.Repeat) {
		own = plan.Origin{}
	}
	n.waiting(func(r *plan.Reply, played int) {
		origin := own
		if r.Enqueued {
			origin = r.Origin
		}
		if origin.ByTest() && (queued || !r.Enqueued) && r.Times != fixtures.Always {
			list = append(list, report.Unplayed{
				Token: n.token, Summary: r.What(), Played: played, Times: r.Times, Required: origin.Required,
			})
		}
	})
	return list
}

// A Dropped is what a token loses when it starts anew.
type Dropped struct {
	Requests int               `json:"requests"` // in the journal
	Unplayed []report.Unplayed `json:"unplayed"`
}

// startAnew forgets what has become of a token: its user's replies, the queue, the rate
// limit, the draws, the counts, and the requests that matched the route. Requests in flight
// end with what they arrived with, and are not in the journal. Those that matched nothing stay.
func (s *State) startAnew(token string) Dropped {
	dropped := Dropped{Unplayed: []report.Unplayed{}}
	for e := range s.journal.Entries {
		switch {
		case e.Token != token:
		case e.Unmatched:
			e.Former = true
		default:
			s.journal.Clear(e)
			dropped.Requests++
		}
	}
	n := s.accounts.byToken[token]
	if n == nil {
		return dropped
	}
	if n.known {
		dropped.Unplayed = append(dropped.Unplayed, n.unplayed(true)...)
	}
	s.accounts.remove(n)
	return dropped
}
