package serve

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"net/http"
	"time"

	"example.com/campaignfake/fake/internal/advice"
	"example.com/campaignfake/fake/internal/engine"
	"example.com/campaignfake/fixtures"
	"example.com/campaignfake/fixtures/text"
)

// longestHold bounds how long a request is held if nobody releases it.
const longestHold = 24 * time.Hour

// delayAnswer waits for a time, or until the request is released. A later step then answers the
// request. If the client goes away meanwhile, or the server is closed, nothing is sent.
func delayAnswer(x *exchange) bool {
	mayAnswer := x.awaitDelay()
	if mayAnswer {
		return false
	}
	x.reason.ending = x.whoEndedWait() + " before that"
	if x.arrival.Turn.Reply != nil && x.arrival.Turn.Hold == nil {
		x.reason.ending += ", and the reply counts as played"
	}
	x.complete(0)
	panic(http.ErrAbortHandler)
}

// awaitDelay waits as long as the answer is delayed. It returns false if the client goes away or
// the server is closed first: then no answer can be sent.
func (x *exchange) awaitDelay() (mayAnswer bool) {
	hold := x.arrival.Turn.Hold
	if hold != nil {
		x.reason.delay = "held until released"
		return x.awaitRelease(hold)
	}
	delay := x.arrival.Turn.Delay
	hasDelay := delay != nil && *delay != fixtures.Delay{}
	if !hasDelay {
		return true
	}
	if delay.Fixed > 0 {
		x.reason.delay = "delayed " + delay.String()
		return x.wait(delay.Fixed)
	}
	seed := x.arrival.Snapshot.Service.Seed
	number := x.arrival.Turn.Number
	length := drawDelay(*delay, seed, x.token, number)
	x.reason.delay = fmt.Sprintf(
		"delayed %s, drawn from %s for request %d of the token under seed %d",
		length, delay, number, seed)
	return x.wait(length)
}

// drawDelay picks a delay at random from a range. All lengths in the range are equally likely. The
// same seed, token and number always give the same delay. The argument number counts the requests
// of the token for the campaigns that the rate limit allowed. So neither the time nor the requests
// of other tokens change the delay. Only the part of the token before the first tilde counts:
// demo~1 has the delays of demo. The part of the delay above the lower end of the range is rounded
// to microseconds.
func drawDelay(from fixtures.Delay, seed uint64, token string, number int) time.Duration {
	source := []byte("request")
	source = binary.BigEndian.AppendUint64(source, seed)
	source = binary.BigEndian.AppendUint64(source, uint64(number))
	source = append(source, text.WithoutRuns(token)...)
	hash := sha256.Sum256(source)

	const bits = 53 // a float64 holds 53 bits exactly
	drawn := binary.BigEndian.Uint64(hash[8:16]) >> (64 - bits)
	share := float64(drawn) / (1 << bits) // at least 0, and less than 1
	width := float64(from.To - from.From)
	beyond := time.Duration(share * width).Round(time.Microsecond)
	return min(from.From+beyond, from.To) // rounding may lead beyond To
}

// failHeld fails a strict test: the request has waited for longestHold, and nobody has released it.
func failHeld(x *exchange) {
	const message = `campaignfake: a request was held for 24h, and never released:
	%s
Call Release(%q) when it may be answered, or give it a delay that ends.`
	x.test().Fail(message, advice.Describe(x.received), x.token)
}

// wait waits for a time. It returns false if the client goes away or the server is closed first.
func (x *exchange) wait(length time.Duration) (mayAnswer bool) {
	x.note()
	select {
	case <-time.After(length):
		return true
	case <-x.engine.Ending.Done():
		return false
	case <-x.received.Context().Done():
		return false
	}
}

// awaitRelease waits until the request is released. It returns false if the client goes away or the
// server is closed first. After longestHold it fails a strict test, and lets the request go on. In
// a testing/synctest bubble, longestHold takes no real time.
func (x *exchange) awaitRelease(hold *engine.Hold) (mayAnswer bool) {
	defer hold.Waiting.Add(-1)
	x.note()
	x.entry.Request.Held = false // the next call of x.note copies this into the journal
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
