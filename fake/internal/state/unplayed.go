package state

import (
	"maps"
	"slices"

	"example.com/campaignfake/fake/internal/api"
	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fixtures"
)

// maxDropped is how many replies are listed that were dropped before they were played: the
// latest, since a run asks for its own.
const maxDropped = 10_000

// Unplayed lists the replies that a test gave a finite number of times, and that have not
// been played so often: first those that were dropped with their user, then those that
// wait. Replies of a user that repeats them are not among them.
func (s *State) Unplayed() []api.Unplayed {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := append([]api.Unplayed{}, s.dropped...)
	for _, token := range slices.Sorted(maps.Keys(s.accounts.byToken)) {
		if n := s.accounts.byToken[token]; n.known {
			list = append(list, n.unplayed(true)...)
		}
	}
	return list
}

// unplayed lists the unplayed replies of an account's user, and those of the queue if
// they are wanted too.
func (n *account) unplayed(queued bool) (list []api.Unplayed) {
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
			list = append(list, api.Unplayed{
				Token: n.token, Summary: r.What(), Played: played, Times: r.Times, Version: origin.Version, Required: origin.Required,
			})
		}
	})
	return list
}

// asDropped marks replies whose user is replaced or removed.
func asDropped(list []api.Unplayed) []api.Unplayed {
	for i := range list {
		list[i].Dropped = true
	}
	return append([]api.Unplayed{}, list...)
}

// keepDropped goes on listing replies whose user is replaced or removed.
func (s *State) keepDropped(list []api.Unplayed) {
	s.dropped = append(s.dropped, list...)
	s.dropped = s.dropped[max(0, len(s.dropped)-maxDropped):]
}

// startAnew forgets what has become of a token: its user's replies, the queue, the rate
// limit, the draws, the counts, and the requests that matched the route. Requests in flight
// end with what they arrived with, and are not in the journal. Those that matched nothing stay,
// and so does the list of replies that were not played, so that a second attempt of a test
// hides nothing of the first.
func (s *State) startAnew(token string) api.Dropped {
	dropped := api.Dropped{Unplayed: []api.Unplayed{}}
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
	if dropped.Requests > 0 {
		s.updates.changed("requests", &token)
	}
	n := s.accounts.byToken[token]
	if n == nil {
		return dropped
	}
	if n.known {
		dropped.Unplayed = asDropped(n.unplayed(true))
		s.keepDropped(dropped.Unplayed)
	}
	s.accounts.remove(n)
	return dropped
}
