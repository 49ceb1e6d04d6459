package reason

import (
	"fmt"
	"time"

	"example.com/campaignfake/fixtures"
)

// A Held answer waits until the requests of its token are released.
type Held struct{}

func (Held) String() string {
	return "held until released"
}

// A FixedDelay is always the same.
type FixedDelay struct {
	Delay fixtures.Delay
}

func (f FixedDelay) String() string {
	return "delayed " + f.Delay.String()
}

// A DrawnDelay was drawn from a range, for one request of a token.
type DrawnDelay struct {
	Length time.Duration
	From   fixtures.Delay
	Number int    // of the request, among those of its token
	Seed   uint64 // of the service
}

func (d DrawnDelay) String() string {
	return fmt.Sprintf("delayed %s, drawn from %s for request %d of the token under seed %d",
		d.Length, d.From, d.Number, d.Seed)
}
