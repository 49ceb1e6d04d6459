package engine

import (
	"slices"

	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fixtures"
)

// A script holds replies that are played one after the other, each for its number of requests.
type script struct {
	// replies are the replies that are left. The slice may belong to the user, and other accounts
	// may share it, so nobody writes to its elements.
	replies []*plan.Reply

	played int // how often the first reply was played
}

// next takes the reply for a request, and returns how often it was played, this time included. It
// returns nil if no reply is left.
func (s *script) next() (reply *plan.Reply, played int) {
	if len(s.replies) == 0 {
		return nil, 0
	}
	reply = s.replies[0]
	s.played++
	played = s.played
	if played == reply.Times {
		s.replies = s.replies[1:]
		s.played = 0
	}
	return reply, played
}

// nextReply returns the reply that the next request of an account will take. It returns nil if the
// request will get the normal answer.
func (all *accounts) nextReply(a *account) *plan.Reply {
	for _, s := range []script{a.queue, all.repliesOf(a)} {
		if len(s.replies) > 0 {
			return s.replies[0]
		}
	}
	return nil
}

// isOver reports whether no reply is left, or only a reply with Times Always.
func (s *script) isOver() bool {
	return len(s.replies) == 0 || s.replies[0].Times == fixtures.Always
}

// enqueue adds replies at the end, and returns how many other replies are played before them. A
// reply with Times Always stays last: enqueue inserts new replies before it. But if the last new
// reply has Times Always, too, it replaces the old reply with Times Always.
func (s *script) enqueue(replies []*plan.Reply) (before int) {
	before = len(s.replies)
	if before > 0 && s.replies[before-1].Times == fixtures.Always {
		before--
	}
	if len(replies) == 0 {
		return before
	}
	if before == 0 {
		s.played = 0 // the first reply has changed
	}
	s.replies = slices.Insert(s.replies, before, replies...)
	last := len(s.replies) - 1
	if last > 0 && s.replies[last-1].Times == fixtures.Always {
		s.replies = s.replies[:last] // a new reply with Times Always replaces the old reply
	}
	return before
}

// dropQueue drops the replies that were enqueued for an account.
func (a *account) dropQueue() {
	a.queue = script{}
	holding := a.holdingReply()
	if holding != nil && holding.Enqueued {
		a.hold.reply = nil // requests that are already held wait on for the release
	}
}
