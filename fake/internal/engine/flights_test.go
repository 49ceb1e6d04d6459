package engine_test

import (
	"testing"
	"testing/synctest"
	"time"
)

// The end of a server waits for the requests under way, but not for ever, and accepts no others.
func TestFlights(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		e := newEngine(t)
		_, hasEnded := e.Next()
		if !e.BeginHandler() || hasEnded {
			t.Error("the server has ended before its end")
		}
		isFirst, isFirstAgain := e.Close(), e.Close()
		_, hasEnded = e.Next()
		if !isFirst || isFirstAgain || !hasEnded || e.BeginHandler() {
			t.Errorf("that it ends is %t, and again %t; has it ended: %t",
				isFirst, isFirstAgain, hasEnded)
		}
		start := time.Now()
		e.Wait(time.Second)
		if took := time.Since(start); took != time.Second {
			t.Errorf("with a request under way, Wait takes %s", took)
		}
		time.AfterFunc(time.Second, e.EndHandler)
		start = time.Now()
		e.Wait(time.Hour)
		if took := time.Since(start); took != time.Second {
			t.Errorf("for a request of a second, Wait takes %s", took)
		}
	})
}
