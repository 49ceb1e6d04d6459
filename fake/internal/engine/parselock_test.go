package engine_test

import (
	"context"
	"errors"
	"testing"

	"example.com/campaignfake/fake/internal/engine"
)

// One at a time has the lock, and who is given up does not wait for it.
func TestParseLock(t *testing.T) {
	t.Parallel()
	e := newEngine(t)
	givenUp, giveUp := context.WithCancel(t.Context())
	giveUp()
	err := e.ParseLock.Enter(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := e.ParseLock.Enter(givenUp); !errors.Is(err, engine.ErrClosed) {
		t.Errorf("while somebody has the lock, Enter returns %v, want %v", err, engine.ErrClosed)
	}
	e.ParseLock.Leave()
	if err := e.ParseLock.Enter(t.Context()); err != nil {
		t.Errorf("when the lock is free again, Enter returns %v", err)
	}
}

// A reload that waits for the lock ends with the server.
func TestReloadThatWaitsEnds(t *testing.T) {
	t.Parallel()
	e := newEngine(t)
	err := e.ParseLock.Enter(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	e.End()
	if err := e.Reload(); !errors.Is(err, engine.ErrClosed) {
		t.Errorf("Reload returns %v, want %v", err, engine.ErrClosed)
	}
}
