package engine

import (
	"errors"
	"log/slog"
	"time"

	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fixtures"
)

// A ReloadResult is what an attempt to reload came to.
type ReloadResult struct {
	At  time.Time // zero if there was none
	Err error     // in the fixtures
}

// Reload reads the fixtures again, and puts them in force if nothing is wrong in them.
func (e *Engine) Reload() error {
	e.Reading.Lock()
	defer e.Reading.Unlock()
	if e.Closed() {
		return ErrClosed
	}
	next, err := plan.NewSnapshot(plan.Configure(e.Config.Options))
	if err != nil {
		e.logMistakes(err)
		next = e.InForce()
	}
	e.putInForce(next, e.InForce().Unchanged(next), err)
	e.KeepAlives()
	if err == nil {
		e.Config.Logger.Info("the fixtures were reloaded", slog.Int("users", len(next.Users)))
	}
	return err
}

// putInForce puts a snapshot in force, and notes the error of the reload that has made it. A
// token keeps its place in its replies if its user is unchanged, and keeps its user if that was
// set or removed since the start, as does a token that is like such a user.
func (e *Engine) putInForce(next *plan.Snapshot, unchanged map[string]bool, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	before := e.snapshot
	e.snapshot, e.mayBreak, e.reload = next, e.mayBreak || next.MayBreak, ReloadResult{At: time.Now(), Err: err}
	for _, n := range e.accounts.byToken {
		e.accounts.replace(n, before, next, unchanged)
	}
	for _, u := range next.Users {
		if n := e.accounts.of(u.Token, next); before.User(u.Token) == nil && !n.isOwn() {
			e.accounts.give(n, u)
		}
	}
	e.changedLocked()
}

// replace gives an account the user of the next snapshot in place of the one that it has from
// the snapshot before, if it has one. A token without a user of its own that is not like the
// same one any more gets another at its next request.
func (a *accounts) replace(n *account, before, next *plan.Snapshot, unchanged map[string]bool) {
	old := n.user
	if old == nil || old != before.User(old.Token) && old != before.UnknownUser {
		return
	}
	now := next.User(old.Token)
	if old == before.UnknownUser {
		now = next.UnknownUser
	}
	switch {
	case now == nil && n.in != &a.users, !n.known && before.Like != next.Like:
		n.use(nil, false)
	case now == nil:
		a.removeUser(n)
	case unchanged[old.Token] || old == before.UnknownUser:
		n.user, n.own.replies, now.Exhausted = now, now.Replies, old.Exhausted
	default:
		n.use(now, n.known)
	}
}

// logMistakes logs a reload that has changed nothing, each mistake on its own line.
func (e *Engine) logMistakes(err error) {
	const kept = "the fixtures could not be reloaded, and the last good ones are served"
	var mistakes *fixtures.Mistakes
	if !errors.As(err, &mistakes) {
		e.Config.Logger.Error(kept, slog.String("error", err.Error()))
		return
	}
	for _, m := range mistakes.List {
		e.Config.Logger.Error(kept, slog.Any("error", m)) // an object in JSON
	}
}
