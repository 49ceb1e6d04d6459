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
	Err error     // what is wrong in the fixtures; nil if nothing is
}

// Reload reads the fixtures again, and puts them in force if nothing is wrong in them.
func (e *Engine) Reload() error {
	if err := e.ParseLock.Enter(e.Ending); err != nil {
		return err
	}
	defer e.ParseLock.Leave()
	if e.Ended() {
		return ErrClosed
	}
	next, err := plan.NewSnapshot(plan.NewSetup(e.Config.Options))
	err = e.finishReload(next, err)
	if err != nil {
		e.logMistakes(err)
		return err
	}
	e.announce(next)
	return nil
}

// announce makes known that a snapshot was put in force by a reload.
func (e *Engine) announce(next *plan.Snapshot) {
	e.OnBreaksChanged()
	e.Config.Logger.Info("the fixtures were reloaded", slog.Int("users", len(next.Users)))
}

// finishReload notes what a reload came to, and puts its snapshot in force unless it has failed. It
// fails as well if the snapshot has conflicts with users that were set since the start: then the
// snapshot waits until they are gone.
func (e *Engine) finishReload(next *plan.Snapshot, err error) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.waiting = nil
	if err == nil {
		e.waiting = next
		err = e.tryWaitingLocked()
	}
	e.reload = ReloadResult{At: time.Now(), Err: err}
	e.changedLocked()
	return err
}

// tryWaitingLocked puts the snapshot that waits in force, or returns its conflicts.
func (e *Engine) tryWaitingLocked() error {
	err := e.conflictsLocked(e.waiting)
	if err != nil {
		return err
	}
	e.accounts.putInForce(e.waiting)
	e.waiting = nil
	return nil
}

// resumeReload puts the snapshot that waits in force, if its conflicts are gone. Whoever has set or
// removed users calls it without the lock.
func (e *Engine) resumeReload() {
	resumed := e.resumedReload()
	if resumed != nil {
		e.announce(resumed)
	}
}

// resumedReload returns the snapshot that resumeReload has put in force, nil if there is none.
func (e *Engine) resumedReload() *plan.Snapshot {
	e.mu.Lock()
	defer e.mu.Unlock()
	next := e.waiting
	if next == nil || e.tryWaitingLocked() != nil {
		return nil
	}
	e.reload = ReloadResult{At: time.Now()}
	e.changedLocked()
	return next
}

// putInForce puts a snapshot in force. Its users start from the beginning. But a token whose user
// was set or removed since the start stays as it is. Tokens that are like a user follow.
func (all *accounts) putInForce(next *plan.Snapshot) {
	before := all.snapshot
	all.snapshot = next
	for _, former := range before.Users {
		isUnchanged := all.ownUser(former.Token) == former
		if isUnchanged {
			all.replace(former)
		}
	}
	for _, user := range next.Users {
		isNew := before.User(user.Token) == nil
		if isNew && all.ownUser(user.Token) == nil {
			all.setUser(all.of(user.Token), user)
		}
	}
	all.chooseAllUsers()
	all.removeQueuesOfNobody()
	all.forgetFormerUsers()
}

// replace gives the token of a former user, which an earlier snapshot had, the user that the
// snapshot in force has for it. If that has none, the token loses its user.
func (all *accounts) replace(former *plan.User) {
	a := all.of(former.Token)
	user := all.snapshot.User(former.Token)
	if user == nil {
		all.removeUser(a)
		return
	}
	if all.exhausted[former] {
		all.exhausted[user] = true
	}
	all.setUser(a, user)
}

// removeQueuesOfNobody removes the replies that were enqueued for tokens without a user: no request
// could play them.
func (all *accounts) removeQueuesOfNobody() {
	for _, a := range slices.Clone(all.pinned) {
		if a.user == nil && a.ownUser == nil {
			all.removeUser(a)
		}
	}
}

// logMistakes logs a reload that has changed nothing, each mistake on its own line.
func (e *Engine) logMistakes(err error) {
	var mistakes *fixtures.Mistakes
	if !errors.As(err, &mistakes) {
		other := fixtures.Mistake{Problem: err.Error()}
		mistakes = &fixtures.Mistakes{List: []fixtures.Mistake{other}}
	}
	for _, mistake := range mistakes.List {
		const text = "the fixtures could not be reloaded, and the last good ones are served"
		e.Config.Logger.Error(text,
			slog.String("error", mistake.String()))
	}
}
