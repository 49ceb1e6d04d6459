package fake

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
)

// chaos is a Chaos that is ready to strike.
type chaos struct {
	shares []float64 // how often each reply strikes
	strike []*reply
}

// newChaos prepares chaos that has been checked, nil if it strikes nobody. Its
// delay is no part of it: see delayOf.
func (p *snapshot) newChaos(given *Chaos) *chaos {
	if given == nil {
		return nil
	}
	c := &chaos{}
	add := func(share float64, r Reply) {
		if share == 0 {
			return
		}
		played, _ := p.newReply(r) // without campaigns nothing fails
		c.shares, c.strike = append(c.shares, share), append(c.strike, played)
	}
	// In a fixed order, so that a draw always means the same.
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

// mayBreak reports whether the chaos breaks connections.
func (c *chaos) mayBreak() bool {
	return c != nil && slices.ContainsFunc(c.strike, (*reply).mayBreak)
}

// drawn says which draw decided what a request meets.
func drawn(share float64, number int, seed uint64) string {
	return fmt.Sprintf("request %d of the token drew %s under seed %d", number, strconv.FormatFloat(share, 'f', 6, 64), seed)
}
