package fake

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
)

// chaos is a Chaos that is ready to strike.
type chaos struct {
	whose string // the service or the user
	fates []fate // none overlaps another
}

// A fate is what becomes of requests whose draw is less than a number, and not
// less than that of the fate before.
type fate struct {
	below float64
	reply *reply
}

// newChaos prepares chaos that has been checked, nil if it strikes nobody. Its
// delay is no part of it: see delayOf.
func (p *setup) newChaos(whose string, given *Chaos) *chaos {
	if given == nil {
		return nil
	}
	c := &chaos{whose: whose}
	sum := 0.0
	add := func(share float64, r Reply) {
		if share == 0 {
			return
		}
		sum += share
		played, _ := p.reply(r) // without campaigns there is nothing to fail
		c.fates = append(c.fates, fate{sum, played})
	}
	// In a fixed order, so that a draw always means the same.
	for _, status := range slices.Sorted(maps.Keys(given.Status)) {
		add(given.Status[status], Reply{Status: status})
	}
	for _, fault := range slices.Sorted(maps.Keys(given.Faults)) {
		add(given.Faults[fault], Reply{Fault: fault})
	}
	if c.fates == nil {
		return nil
	}
	return c
}

// strike returns what a request meets, nil if it is spared, and says why.
func (c *chaos) strike(x *exchange, seed uint64, number int) *reply {
	drawn := newDraw(seed, x.token, "request", number).fate
	drew := fmt.Sprintf("request %d of the token drew %s under seed %d", number, strconv.FormatFloat(drawn, 'f', 6, 64), seed)
	for _, f := range c.fates {
		if drawn < f.below {
			x.because("chaos of %s struck with %s: %s", c.whose, f.reply.text, drew)
			return f.reply
		}
	}
	x.reason += fmt.Sprintf("; chaos of %s spared it: %s", c.whose, drew)
	return nil
}
