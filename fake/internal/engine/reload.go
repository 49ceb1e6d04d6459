package engine

import (
	"errors"
	"log/slog"
	"slices"
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
	e.Reading <- struct{}{}
	defer func() { <-e.Reading }()
	if e.Ended() {
		return ErrClosed
	}
	next, err := plan.NewSnapshot(plan.Configure(e.Config.Options))
	e.mu.Lock()
	if err == nil {
		e.putInForceLocked(next)
	}
	e.reload = ReloadResult{At: time.Now(), Err: err}
	e.changedLocked()
	e.mu.Unlock()
	if err != nil {
		e.logMistakes(err)
		return err
	}
	e.KeepAlives()
	e.Config.Logger.Info("the fixtures were reloaded", slog.Int("users", len(next.Users)))
	return nil
}

// putInForceLocked puts a snapshot in force. Its users start from the beginning, save that a token
// whose user was set or removed since the start keeps it so. Tokens that are like a user follow.
func (e *Engine) putInForceLocked(next *plan.Snapshot) {
	before := e.snapshot
	e.snapshot = next
	for _, u := range slices.Concat(before.Users, next.Users) {
		n, was := e.accounts.of(u.Token, next), before.User(u.Token)
		// It was set or removed since the start, or it was in both snapshots and has the next user by now.
		if n.ownUser() != was {
			continue
		}
		if again := next.User(u.Token); again != nil && was != nil {
			again.Exhausted = was.Exhausted
		}
		e.accounts.give(n, next.User(u.Token))
	}
	for _, n := range e.accounts.byToken {
		like := e.accounts.likeness(n.token, next)
		if n.ownUser() == nil && n.user != like {
			n.use(like)
		}
		// Nobody is left who could play the replies that were enqueued.
		if n.kept && n.user == nil {
			e.accounts.give(n, nil)
		}
	}
}

// logMistakes logs a reload that has changed nothing, each mistake on its own line.
func (e *Engine) logMistakes(err error) {
	mistakes := &fixtures.Mistakes{List: []fixtures.Mistake{{Problem: err.Error()}}}
	errors.As(err, &mistakes)
	for _, m := range mistakes.List {
		e.Config.Logger.Error("the fixtures could not be reloaded, and the last good ones are served", slog.String("error", m.String()))
	}
}
