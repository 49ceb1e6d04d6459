package serve

import (
	"crypto/sha256"
	"encoding/binary"
	"time"

	"example.com/campaignfake/fake/internal/advice"
	"example.com/campaignfake/fake/internal/engine"
	"example.com/campaignfake/fake/internal/reason"
	"example.com/campaignfake/fixtures"
	"example.com/campaignfake/fixtures/text"
)

// longestHold is how long a request is held that nobody releases.
const longestHold = 24 * time.Hour

// delayAnswer delays the answer, for a time or until the request is released. If the client goes
// away meanwhile, or the server is closed, it ends the exchange.
func delayAnswer(x *exchange) bool {
	isOver := x.awaitDelay()
	if isOver {
		return false
	}
	x.reason.Unsent = reason.EndedDelay{By: x.ending()}
	abortUnanswered(x)
	return true
}

// awaitDelay waits as long as the answer is delayed. It returns false if the client goes away
// before, or the server is closed.
func (x *exchange) awaitDelay() (isOver bool) {
	hold := x.arrival.Hold
	if hold != nil {
		x.reason.Delay = reason.Held{}
		return x.waitForRelease(hold)
	}
	delay := x.arrival.Delay
	switch {
	case delay == nil, *delay == fixtures.Delay{}:
		return true
	case delay.UntilReleased: // nobody could release it
		return true
	case delay.Fixed > 0:
		x.reason.Delay = reason.FixedDelay{Delay: *delay}
		return x.wait(delay.Fixed)
	}
	drawn := x.draw(*delay)
	x.reason.Delay = drawn
	return x.wait(drawn.Length)
}

// draw draws a delay for the request from a range.
func (x *exchange) draw(from fixtures.Delay) reason.DrawnDelay {
	seed := x.arrival.Snapshot.Service.Seed
	return reason.DrawnDelay{
		Length: drawDelay(from, seed, x.token, x.arrival.Turn),
		From:   from,
		Number: x.arrival.Turn,
		Seed:   seed,
	}
}

// drawDelay draws a delay from d.From to d.To, each as likely, for one request of a token, and
// always in the same way. The request is told by its number among those of its token: when it
// came, and what other tokens did meanwhile, makes no difference, nor does what follows the last @
// of the token. The delay is a whole number of microseconds.
func drawDelay(d fixtures.Delay, seed uint64, token string, number int) time.Duration {
	source := binary.BigEndian.AppendUint64([]byte("request"), seed)
	source = binary.BigEndian.AppendUint64(source, uint64(number))
	hash := sha256.Sum256(append(source, text.WithoutRun(token)...))
	const bits = 53 // that a float64 holds exactly
	drawn := binary.BigEndian.Uint64(hash[8:16]) >> (64 - bits)
	share := float64(drawn) / (1 << bits) // from 0 to less than 1
	length := d.From + time.Duration(share*float64(d.To-d.From)).Round(time.Microsecond)
	return min(length, d.To)
}

// failHeld fails a strict test because of a request that it has not released.
func failHeld(x *exchange) {
	const text = `campaignfake: a request was held for 24h, and never released:
	%s
Call Release(%q) when it may be answered, or give it a delay that ends.`
	x.test().Fail(text, advice.Describe(x.received), x.token)
}

// wait waits for a time. It returns false if the client goes away before, or the server is closed.
// A server that ends sends the answers that are delayed at once.
func (x *exchange) wait(length time.Duration) bool {
	x.note()
	select {
	case <-time.After(length):
		return true
	case <-x.engine.Ending.Done():
		return x.engine.Stopping.Err() == nil
	case <-x.received.Context().Done():
		return false
	}
}

// waitForRelease waits until the request is released. It returns false if the client goes away
// before, or the server ends. It fails a strict test that has not released a request for the
// longest time, which a testing/synctest bubble passes by itself.
func (x *exchange) waitForRelease(hold *engine.Hold) bool {
	defer hold.Waiting.Add(-1)
	x.note()
	x.entry.Held = false // as the next note has it
	select {
	case <-hold.Released:
		return true
	case <-time.After(longestHold):
		failHeld(x)
		return true
	case <-x.engine.Ending.Done():
		return false
	case <-x.received.Context().Done():
		return false
	}
}
