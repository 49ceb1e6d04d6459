package engine_test

import (
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"
)

// A deadlineWriter notes the deadline that is set for writing.
type deadlineWriter struct {
	*httptest.ResponseRecorder
	deadline time.Time
}

func (w *deadlineWriter) SetWriteDeadline(deadline time.Time) error {
	w.deadline = deadline
	return nil
}

// A server that is closed sets a deadline for the requests under way, and for no others.
func TestCloseSetsDeadlines(t *testing.T) {
	t.Parallel()
	e := newEngine(t)
	over := &deadlineWriter{ResponseRecorder: httptest.NewRecorder()}
	request := httptest.NewRequest("GET", listPath, nil)
	e.Enter(over, request)
	e.Leave(request)
	underWay := &deadlineWriter{ResponseRecorder: httptest.NewRecorder()}
	e.Enter(underWay, httptest.NewRequest("GET", listPath, nil))
	deadline := time.Now().Add(time.Second)
	e.Close(deadline)
	if !underWay.deadline.Equal(deadline) || !over.deadline.IsZero() {
		t.Errorf("the deadlines are %s and %s, want %s and none",
			underWay.deadline, over.deadline, deadline)
	}
}

// The end of a server waits for the requests under way, and accepts no others.
func TestFlights(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		e := newEngine(t)
		w := httptest.NewRecorder()
		r := httptest.NewRequest("GET", listPath, nil)
		_, hasEnded := e.Next()
		if !e.Enter(w, r) || hasEnded {
			t.Error("the server has ended before its end")
		}
		e.End()
		_, hasEnded = e.Next()
		if !hasEnded || e.Stopping.Err() != nil || e.Enter(w, r) {
			t.Error("the server has not ended, or is stopping already")
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
