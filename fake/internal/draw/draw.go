// Package draw decides by chance, and always in the same way: what it draws for a
// request depends on a seed, a token and a number, and on nothing else.
package draw

import (
	"crypto/sha256"
	"encoding/binary"
	"math"
	"time"

	"example.com/campaignfake/fixtures"
)

// Shares are what is drawn for one request: numbers from 0 to less than 1, evenly
// distributed and independent of each other.
type Shares struct{ Fate, Delay float64 }

// New draws for one request of a token. It is told by its kind, and by its number
// among the requests of its token and kind: when it came, and what other tokens
// did meanwhile, makes no difference.
func New(seed uint64, token, kind string, number int) Shares {
	text := binary.BigEndian.AppendUint64([]byte(kind), seed)
	text = binary.BigEndian.AppendUint64(text, uint64(number))
	hash := sha256.Sum256(append(text, fixtures.DrawnAs(token)...))
	return Shares{share(hash[:8]), share(hash[8:16])}
}

// share turns eight bytes into a number from 0 to less than 1.
func share(b []byte) float64 { return float64(binary.BigEndian.Uint64(b)>>11) / (1 << 53) }

// Pick returns the index of one of several chances, which are given as parts of 1,
// or -1 for what is left of 1 after all of them.
func Pick(chances []float64, share float64) int {
	sum := 0.0
	for i, chance := range chances {
		if sum += chance; share < sum {
			return i
		}
	}
	return -1
}

// longest is the longest delay that the fixture format allows. A log-normal
// distribution knows no bound.
const longest = 24 * time.Hour

// Delay returns a delay of the distribution d: evenly distributed from d.From to
// d.To, or log-normal if d has a median. It is a whole number of microseconds:
// what is finer would differ from one processor's logarithm to another's.
func Delay(d fixtures.Delay, share float64) time.Duration {
	if d.Median == 0 {
		return min(d.From+time.Duration(share*float64(d.To-d.From)).Round(time.Microsecond), d.To)
	}
	// 99 of 100 values of a normal distribution are less than this many standard
	// deviations above its mean.
	const ninetyNine = 2.3263478740408408
	deviation := math.Log(float64(d.P99)/float64(d.Median)) / ninetyNine
	normal := math.Sqrt2 * math.Erfinv(2*share-1)
	length := float64(d.Median) * math.Exp(deviation*normal)
	return time.Duration(min(length, 10*float64(d.P99), float64(longest))).Round(time.Microsecond)
}
