// Package draw decides by chance, and always in the same way: what it draws for a
// request depends on a seed, a token and a number, and on nothing else. Serve draws delays
// by it.
package draw

import (
	"crypto/sha256"
	"encoding/binary"
	"time"

	"example.com/campaignfake/fixtures"
)

// Delay draws a delay from d.From to d.To, each as likely, for one request of a token. The
// request is told by its number among those of its token: when it came, and what other
// tokens did meanwhile, makes no difference. The delay is a whole number of microseconds.
func Delay(d fixtures.Delay, seed uint64, token string, number int) time.Duration {
	text := binary.BigEndian.AppendUint64([]byte("request"), seed)
	text = binary.BigEndian.AppendUint64(text, uint64(number))
	hash := sha256.Sum256(append(text, token...))
	share := float64(binary.BigEndian.Uint64(hash[8:16])>>11) / (1 << 53) // from 0 to less than 1
	return min(d.From+time.Duration(share*float64(d.To-d.From)).Round(time.Microsecond), d.To)
}
