package serve

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"time"

	"example.com/campaignfake/fake/internal/advice"
	"example.com/campaignfake/fixtures"
)

// longestHold is how long a request is held that nobody releases.
const longestHold = 24 * time.Hour

// delayAnswer delays the answer, for a time or until the request is released. If the client goes
// away meanwhile, or the server is closed, it ends the exchange.
func delayAnswer(x *exchange) bool {
	length := longestHold
	switch d := x.Delay; {
	case d == nil || *d == (fixtures.Delay{}) || d.UntilReleased && x.Hold == nil:
		return false
	case x.Hold != nil:
		x.Reason += "; held until released"
		defer x.Hold.Requests.Add(-1)
	case d.Fixed > 0:
		length = d.Fixed
		x.Reason += "; delayed " + d.String()
	default:
		seed := x.Snapshot.Service.Seed
		length = drawDelay(*d, seed, x.Token, x.Turn)
		x.Reason += fmt.Sprintf("; delayed %s, drawn from %s for request %d of the token under seed %d", length, d, x.Turn, seed)
	}
	if x.wait(length) {
		return false
	}
	x.Reason += "; " + x.whyEnded() + " before that"
	closeUnanswered(x)
	return true
}

// drawDelay draws a delay from d.From to d.To, each as likely, for one request of a token, and
// always in the same way. The request is told by its number among those of its token: when it
// came, and what other tokens did meanwhile, makes no difference. The delay is a whole number of
// microseconds.
func drawDelay(d fixtures.Delay, seed uint64, token string, number int) time.Duration {
	text := binary.BigEndian.AppendUint64([]byte("request"), seed)
	text = binary.BigEndian.AppendUint64(text, uint64(number))
	hash := sha256.Sum256(append(text, token...))
	share := float64(binary.BigEndian.Uint64(hash[8:16])>>11) / (1 << 53) // from 0 to less than 1
	return min(d.From+time.Duration(share*float64(d.To-d.From)).Round(time.Microsecond), d.To)
}

// wait waits for a time, or until the request is released. It returns false if the client goes
// away before, or the server is closed: one that ends sends the answers that are delayed, and none
// that are held. It fails a strict test that has not released a request for the longest time,
// which a testing/synctest bubble passes by itself.
func (x *exchange) wait(length time.Duration) bool {
	x.handler.Note(&x.Arrival)
	var released chan struct{}
	if x.Hold != nil {
		released = x.Hold.Released
	}
	select {
	case <-released:
	case <-time.After(length):
		if x.Hold != nil {
			x.handler.TestOf(x.Token).Fail("campaignfake: a request was held for 24h, and never released:\n\t%s\n"+
				"Call Release(%q) when it may be answered, or give it a delay that ends.", advice.Describe(x.Received), x.Token)
		}
	case <-x.handler.Ending.Done():
		return x.Hold == nil && x.handler.Stopping.Err() == nil
	case <-x.Received.Context().Done():
		return false
	}
	return true
}
