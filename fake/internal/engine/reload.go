package engine

import (
	"context"
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
		e.replace(nil, nil, err)
		e.logMistakes(err)
		return err
	}
	kept := e.replace(next, e.InForce().Unchanged(next), nil)
	e.KeepAlives()
	e.logReload(next, kept)
	return nil
}

// replace notes a reload, and puts its snapshot in force unless that is nil. A token keeps its
// place in its replies if its user is unchanged, and keeps its user if that was set or removed
// since the start, as does a token that is like such a user. It returns the tokens whose user in
// the next snapshot is new or changed, and not in force because of that.
func (e *Engine) replace(next *plan.Snapshot, unchanged map[string]bool, err error) (kept []string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.reload = ReloadResult{At: time.Now(), Err: err}
	e.changedLocked()
	if next == nil {
		return nil
	}
	before := e.snapshot
	e.snapshot, e.mayBreak = next, e.mayBreak || next.MayBreak
	for _, n := range e.accounts.byToken {
		e.accounts.replace(n, before, next, unchanged)
	}
	for _, u := range next.Users {
		n, old := e.accounts.byToken[u.Token], before.User(u.Token)
		switch isOwn := n != nil && n.isOwn(); {
		case isOwn && n.user == u:
		case !isOwn && old == nil:
			e.accounts.setUser(u.Token, u)
		case !unchanged[u.Token]:
			kept = append(kept, u.Token)
		}
	}
	return kept
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

// maxNamed is how many tokens the log of a reload names.
const maxNamed = 10

// logReload logs a reload, and the first tokens that have kept another user than the fixtures
// have for them now.
func (e *Engine) logReload(next *plan.Snapshot, kept []string) {
	about := []slog.Attr{slog.Int("users", len(next.Users))}
	if len(kept) > 0 {
		const hint = "they were set or removed while the server ran; POST /_fake/reset?token=… brings the user of the fixtures back"
		about = append(about, slog.Any("not_in_force", kept[:min(len(kept), maxNamed)]), slog.String("hint", hint))
	}
	e.Config.Logger.LogAttrs(context.Background(), slog.LevelInfo, "the fixtures were reloaded", about...)
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
