package fake

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"net/http"
	"time"
)

// A draw is what chance has for one request of a token. It depends on the seed,
// the token and the number of the request among those of its token and kind, and
// on nothing else: not on when it came, or on what other tokens did meanwhile.
type draw struct{ fate, delay float64 } // from 0 to less than 1

func newDraw(seed uint64, token, kind string, number int) draw {
	text := binary.BigEndian.AppendUint64([]byte(kind), seed)
	text = binary.BigEndian.AppendUint64(text, uint64(number))
	hash := sha256.Sum256(append(text, token...))
	share := func(b []byte) float64 { return float64(binary.BigEndian.Uint64(b)>>11) / (1 << 53) }
	return draw{share(hash[:8]), share(hash[8:16])}
}

// heldBack is how long one answer is held back, and why.
type heldBack struct {
	length time.Duration
	why    string
}

// held draws the delay of a request, which is told by its kind and its number.
func (s *Server) held(x *exchange, d *Delay, kind string, number int) heldBack {
	if d == nil || *d == (Delay{}) {
		return heldBack{}
	}
	if d.Fixed > 0 {
		return heldBack{d.Fixed, "held back " + d.String()}
	}
	length := drawDelay(*d, newDraw(x.setup.service.Seed, x.token, kind, number).delay)
	return heldBack{length, fmt.Sprintf("held back %s, drawn from %s for %s %d of the token under seed %d", length, d, kind, number, x.setup.service.Seed)}
}

// longestDelay is that of the format, of which log-normal ones know nothing.
const longestDelay = 24 * time.Hour

// drawDelay turns a number from 0 to 1 into a delay, in whole microseconds: what
// is finer would differ from one processor's logarithm to another's.
func drawDelay(d Delay, share float64) time.Duration {
	if d.Median == 0 {
		return min(d.From+time.Duration(share*float64(d.To-d.From)).Round(time.Microsecond), d.To)
	}
	// 99 of 100 values of a normal distribution are less than this many standard
	// deviations above its mean.
	const ninetyNine = 2.3263478740408408
	deviation := math.Log(float64(d.P99)/float64(d.Median)) / ninetyNine
	normal := math.Sqrt2 * math.Erfinv(2*share-1)
	length := float64(d.Median) * math.Exp(deviation*normal)
	return time.Duration(min(length, 10*float64(d.P99), float64(longestDelay))).Round(time.Microsecond)
}

// hold holds an answer back. If the client goes away meanwhile, or the server
// stops, it ends the exchange and returns false.
func (s *Server) hold(x *exchange, delay heldBack) bool {
	if delay.why == "" {
		return true
	}
	x.reason += "; " + delay.why
	if delay.length <= 0 {
		return true
	}
	x.note()
	timer := time.NewTimer(delay.length)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-s.attended(x).Done():
	case <-s.stopping.Done():
	}
	x.reason += "; " + s.ended() + " before that"
	if x.request.ProtoMajor == 2 {
		x.complete(0, x.reason)
		panic(http.ErrAbortHandler)
	}
	if conn := x.hijack(); conn != nil {
		x.complete(0, x.reason)
		conn.Close()
		return false
	}
	http.Error(x, "The request was given up while its answer was held back.", http.StatusServiceUnavailable)
	return false
}

// wait returns when the client has gone away or the server stops, and which of
// them it is, in words.
func (s *Server) wait(x *exchange) string {
	ctx := s.attended(x)
	if x.unread {
		ctx = s.watched(x.takeOver())
	}
	select {
	case <-ctx.Done():
	case <-s.stopping.Done():
	}
	return s.ended()
}

// ended says what has ended a wait, or an answer.
func (s *Server) ended() string {
	if s.stopping.Err() != nil {
		return "the server was closed"
	}
	return "the client went away"
}
