package engine

import (
	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fixtures"
)

// SetUser gives a token a copy of a user, or fails if that is not valid.
func (e *Engine) SetUser(token string, u fixtures.User) error {
	p := e.State.InForce()
	if err := p.Service.CheckUser(token, u); err != nil {
		return err
	}
	_, _, err := e.PutUser(p, token, u.Clone(), plan.Origin{Required: true}, false)
	return err
}

// PutUser gives the token a user that has been checked by the settings of a snapshot, and
// reports whether it had none before. anew makes the token start anew.
func (e *Engine) PutUser(p *plan.Snapshot, token string, given fixtures.User, origin plan.Origin, anew bool) (created bool, dropped Dropped, err error) {
	if e.State.Closed() {
		return false, dropped, ErrClosed
	}
	defer e.KeepAlives()
	u, err := p.NewUser(token, given)
	if err != nil {
		return false, dropped, err
	}
	u.Origin = origin
	return e.State.SetUser(u, anew)
}

// RemoveUser removes the user of a token, or fails if it has none.
func (e *Engine) RemoveUser(token string) error {
	if _, known := e.State.RemoveUser(token, false); !known {
		return NoUser(token)
	}
	return nil
}

// Enqueue enqueues copies of replies, or fails if one is not valid.
func (e *Engine) Enqueue(token string, replies []fixtures.Reply) error {
	if err := e.State.InForce().Service.CheckUser(token, fixtures.User{Replies: replies}); err != nil {
		return err
	}
	return e.PutReplies(token, fixtures.User{Replies: replies}.Clone().Replies, plan.Origin{Required: true})
}

// PutReplies enqueues replies that have been checked.
func (e *Engine) PutReplies(token string, given []fixtures.Reply, origin plan.Origin) error {
	if e.State.Closed() {
		return ErrClosed
	}
	defer e.KeepAlives()
	replies, err := e.State.InForce().NewReplies(given, true)
	if err != nil {
		return err
	}
	for _, r := range replies {
		r.Origin = origin
	}
	return e.State.Enqueue(token, replies)
}

// Reset puts tokens back to how the server started, or everything if none is given.
func (e *Engine) Reset(tokens ...string) {
	if len(tokens) > 0 {
		e.State.ResetTokens(tokens)
		return
	}
	e.State.ResetAll()
	e.KeepAlives()
}
