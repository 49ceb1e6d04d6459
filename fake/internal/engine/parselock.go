package engine

import "context"

// A ParseLock is held by whoever parses fixtures, or a body sent to the control plane, or makes a
// large answer of that. Each takes many times its size in memory, so one is done at a time. The
// type memory of package control has the other bounds. The lock guards no state.
type ParseLock struct {
	entered chan struct{} // has a value in it while the lock is held
}

func newParseLock() ParseLock {
	return ParseLock{entered: make(chan struct{}, 1)}
}

// Enter waits until nobody holds the lock, and takes it. Its caller calls Leave afterwards. Enter
// fails with ErrClosed if ctx is done before: then the server is closed, or the client has gone
// away, who reads no answer.
func (l ParseLock) Enter(ctx context.Context) error {
	select {
	case l.entered <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ErrClosed
	}
}

// Leave gives the lock back.
func (l ParseLock) Leave() {
	<-l.entered
}
