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

// A FixedDelay is a delay whose length is fixed.
type FixedDelay struct {
	Delay fixtures.Delay
}

func (f FixedDelay) String() string {
	return "delayed " + f.Delay.String()
}

// A DrawnDelay is a delay whose length was drawn from a range.
type DrawnDelay struct {
	Length time.Duration
	From   fixtures.Delay
	Number int    // the request is this one of its token, counted from 1
	Seed   uint64 // the seed of the service
}

func (d DrawnDelay) String() string {
	return fmt.Sprintf("delayed %s, drawn from %s for request %d of the token under seed %d",
		d.Length, d.From, d.Number, d.Seed)
}
