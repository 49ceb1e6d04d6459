package wire_test

import (
	"testing"
	"testing/synctest"
	"time"

	"example.com/campaignfake/fake/internal/wire"
)

// A bubble is recognized for the first twenty years that pass in it, and no other place is taken
// for a bubble.
func TestInBubble(t *testing.T) {
	t.Parallel()
	if wire.InBubble() {
		t.Error("outside of a bubble, one is recognized")
	}
	synctest.Test(t, func(t *testing.T) {
		const year = 365 * 24 * time.Hour
		for _, want := range []bool{true, true, false} {
			if wire.InBubble() != want {
				t.Errorf("in %s, the bubble is recognized: %t", time.Now(), !want)
			}
			time.Sleep(year*10 + 4*24*time.Hour)
		}
	})
}
