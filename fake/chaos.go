package fake

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
)

// chaos is a Chaos, prepared for use.
type chaos struct {
	shares []float64 // the share of requests that get each reply
	strike []*reply
}

// newChaos prepares chaos that has been checked. It returns nil if no request can get
// a reply. For the delay see delayOf.
func (p *snapshot) newChaos(given *Chaos) *chaos {
	if given == nil {
		return nil
	}
	c := &chaos{}
	add := func(share float64, r Reply) {
		if share == 0 {
			return
		}
		played, _ := p.newReply(r) // cannot fail without campaigns
		c.shares, c.strike = append(c.shares, share), append(c.strike, played)
	}
	// The order is fixed, so that the same draw always selects the same reply.
	for _, status := range slices.Sorted(maps.Keys(given.Status)) {
		add(given.Status[status], Reply{Status: status})
	}
	for _, fault := range slices.Sorted(maps.Keys(given.Faults)) {
		add(given.Faults[fault], Reply{Fault: fault})
	}
	if c.strike == nil {
		return nil
	}
	return c
}

// mayBreak reports whether the chaos resets or closes connections.
func (c *chaos) mayBreak() bool {
	return c != nil && slices.ContainsFunc(c.strike, (*reply).mayBreak)
}

// drawn describes the draw that decided the answer to a request.
func drawn(share float64, number int, seed uint64) string {
	return fmt.Sprintf("request %d of the token drew %s under seed %d", number, strconv.FormatFloat(share, 'f', 6, 64), seed)
}
