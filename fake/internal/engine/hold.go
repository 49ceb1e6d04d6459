package engine

// A Hold is the requests of a token that wait until they are released.
type Hold struct {
	Released chan struct{} // closed by their release
	requests int
}

// hold makes a request wait for the release of its token's requests. Unhold ends the wait.
func (n *account) hold() *Hold {
	if n.held == nil {
		n.held = &Hold{Released: make(chan struct{})}
	}
	n.held.requests++
	return n.held
}

// Unhold is called when a request no longer waits.
func (e *Engine) Unhold(h *Hold) {
	e.mu.Lock()
	defer e.mu.Unlock()
	h.requests--
}

// Release releases the requests of a token that wait for it, and returns how many there
// were.
func (e *Engine) Release(token string) int {
	e.mu.Lock()
	defer e.mu.Unlock()
	if n := e.accounts.byToken[token]; n != nil {
		return n.release()
	}
	return 0
}

// release releases the requests of an account.
func (n *account) release() int {
	h := n.held
	if h == nil {
		return 0
	}
	n.held = nil
	close(h.Released)
	return h.requests
}
