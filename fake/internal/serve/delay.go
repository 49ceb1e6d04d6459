package serve

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"time"

	"example.com/campaignfake/fake/internal/advice"
	"example.com/campaignfake/fixtures"
)

// lengthOf returns the length of a delay, which is drawn unless it is fixed. It adds the
// length to the reason.
func (x *exchange) lengthOf(d fixtures.Delay) time.Duration {
	if d.Fixed > 0 {
		x.Reason += "; delayed " + d.String()
		return d.Fixed
	}
	seed := x.Snapshot.Service.Seed
	length := drawDelay(d, seed, x.Token, x.Turn)
	x.Reason += fmt.Sprintf("; delayed %s, drawn from %s for request %d of the token under seed %d", length, d, x.Turn, seed)
	return length
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

// longestHold is how long a request is held that nobody releases.
const longestHold = 24 * time.Hour

// hold waits until the requests of the token are released. It returns false if the client
// goes away before, or the server is closed. It fails a strict test that has not released
// them for the longest time, which a testing/synctest bubble passes by itself.
func (x *exchange) hold() bool {
	x.Reason += "; held until released"
	defer x.Hold.Requests.Add(-1)
	if !x.sleep(longestHold, x.Hold.Released) {
		return false
	}
	select {
	case <-x.Hold.Released:
	default:
		x.handler.TestOf(x.Token).Fail("campaignfake: a request was held for 24h, and never released:\n\t%s\n"+
			"Call Release(%q) when it may be answered, or give it a delay that ends.", advice.Describe(x.Received), x.Token)
	}
	return true
}

// sleep waits for a time, or until a channel is closed. It returns false if the client goes
// away before, or the server is closed. A server that ends waits for neither: it sends the
// answers that are delayed, and none that are held.
func (x *exchange) sleep(length time.Duration, released <-chan struct{}) bool {
	x.handler.Note(&x.Arrival)
	timer := time.NewTimer(length)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-released:
	case <-x.handler.Ending.Done():
		return released == nil && x.handler.Stopping.Err() == nil
	case <-x.Received.Context().Done():
		return false
	}
	return true
}
