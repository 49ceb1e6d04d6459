package fake

import "slices"

// Whether connections are used for more than one request. Browsers, and Go's
// client, silently repeat a request if the connection that it was sent on breaks
// and has been used before, be it for a preflight or another token: the fault would
// go unseen, and use up two replies. So no connection is kept while one can break.

// expectBreaks is called before a change that brings what can break a connection, if
// it does: from then on every connection is closed after its answer. What it returns
// is called after the change.
func (s *Server) expectBreaks(fragile bool) (settle func()) {
	if !fragile {
		return s.settle
	}
	s.reuse.Lock()
	defer s.reuse.Unlock()
	s.expected++
	s.keepConnections(false)
	return func() {
		s.reuse.Lock()
		s.expected--
		s.reuse.Unlock()
		s.settle()
	}
}

// settle has connections kept again unless one can break. It is called when what can
// break one may be gone.
func (s *Server) settle() {
	s.reuse.Lock()
	defer s.reuse.Unlock()
	if s.expected == 0 && s.fragile.Load() && !s.canBreak() {
		s.keepConnections(true)
	}
}

// keepConnections is called with the lock of what it changes held.
func (s *Server) keepConnections(keep bool) {
	s.fragile.Store(!keep)
	s.http.SetKeepAlivesEnabled(keep) // which closes those that are idle, or not
}

// canBreak reports a token whose connections can break before an answer, and do not
// always.
func (s *Server) canBreak() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.setup.Load().unknownFragile {
		return true
	}
	for _, n := range s.accounts.byToken {
		if n.isFragile() {
			return true
		}
	}
	return false
}

// isFragile reports an account of which that holds.
func (n *account) isFragile() bool {
	if slices.ContainsFunc(n.script.queue, (*reply).isFragile) {
		return true
	}
	u := n.user
	if u == nil || !u.fragile {
		return false
	}
	return u.given.Repeat || u.chaos.isFragile() || slices.ContainsFunc(u.replies[n.script.next:], (*reply).isFragile)
}

// isFragile reports chaos that strikes so.
func (c *chaos) isFragile() bool {
	return c != nil && slices.ContainsFunc(c.fates, func(f fate) bool { return f.reply.isFragile() })
}

// isFragile reports a user of whom that holds when nothing has been played.
func (u *user) isFragile() bool {
	return slices.ContainsFunc(u.replies, (*reply).isFragile) || u.chaos.isFragile()
}

// isFragile reports a reply that breaks a connection before any answer, for some
// requests and not for others.
func (r *reply) isFragile() bool {
	return r.times != Always && (r.given.Fault == "reset" || r.given.Fault == "close")
}
