package plan

import (
	"maps"
	"slices"

	"example.com/campaignfake/fake/internal/draw"
	"example.com/campaignfake/fixtures"
)

// chaos is a Chaos, prepared for use.
type chaos struct {
	shares  []float64 // the share of requests that get each reply
	replies []*Reply
}

// newChaos prepares chaos that has been checked. It returns nil if no request can get
// a reply. For the delay see delayOf.
func (p *Snapshot) newChaos(given *fixtures.Chaos) *chaos {
	if given == nil {
		return nil
	}
	c := &chaos{}
	add := func(share float64, r fixtures.Reply) {
		if share == 0 {
			return
		}
		played, _ := p.NewReply(r) // cannot fail without campaigns
		c.shares, c.replies = append(c.shares, share), append(c.replies, played)
	}
	// The order is fixed, so that the same draw always selects the same reply.
	for _, status := range slices.Sorted(maps.Keys(given.Status)) {
		add(given.Status[status], fixtures.Reply{Status: status})
	}
	for _, fault := range slices.Sorted(maps.Keys(given.Faults)) {
		add(given.Faults[fault], fixtures.Reply{Fault: fault})
	}
	if c.replies == nil {
		return nil
	}
	return c
}

// mayBreak reports whether the chaos resets or closes connections.
func (c *chaos) mayBreak() bool {
	return c != nil && slices.ContainsFunc(c.replies, (*Reply).MayBreak)
}

// Strikes returns the reply for a request that has drawn a number from 0 to less than 1, or
// nil for the normal answer.
func (c *chaos) Strikes(fate float64) *Reply {
	if i := draw.Pick(c.shares, fate); i >= 0 {
		return c.replies[i]
	}
	return nil
}
