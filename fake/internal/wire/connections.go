package wire

import "sync"

// Connections counts the open connections of one Listener or several. The zero value
// is ready for use, by any number of goroutines at once.
type Connections struct {
	mu   sync.Mutex
	open int
	none chan struct{} // nil unless somebody waits
}

// add counts one more, unless there are so many already.
func (c *Connections) add(limit int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.open >= limit {
		return false
	}
	c.open++
	return true
}

// remove counts one that is closed.
func (c *Connections) remove() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.open--; c.open == 0 && c.none != nil {
		close(c.none)
		c.none = nil
	}
}

// None returns a channel that is closed when there is none, nil if there is none now.
func (c *Connections) None() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.none == nil && c.open > 0 {
		c.none = make(chan struct{})
	}
	return c.none
}
