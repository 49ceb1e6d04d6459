package engine_test

import (
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"
)

// The end of a server waits for the requests under way, and accepts no others.
func TestFlights(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		e := newEngine(t)
		w := httptest.NewRecorder()
		r := httptest.NewRequest("GET", listPath, nil)
		if !e.Enter(w, r) {
			t.Error("a request is refused before the end")
		}
		_, hasEnded := e.Next()
		if hasEnded {
			t.Error("the server has ended before its end")
		}
		e.End()
		_, hasEnded = e.Next()
		if !hasEnded || !e.Ended() || e.Stopping.Err() != nil {
			t.Error("the server has not ended, or is stopping already")
		}
		if e.Enter(w, httptest.NewRequest("GET", listPath, nil)) {
			t.Error("a request is accepted after the end")
		}
		isOver := false
		go func() {
			e.Wait()
			isOver = true
		}()
		synctest.Wait()
		if isOver {
			t.Error("Wait returns while a request is under way")
		}
		e.Leave(r)
		synctest.Wait()
		if !isOver {
			t.Error("Wait does not return when no request is under way")
		}
		if !e.Close(time.Now()) || e.Close(time.Now()) || e.Stopping.Err() == nil {
			t.Error("Close does not report that it was the first, or that it was not")
		}
	})
}
