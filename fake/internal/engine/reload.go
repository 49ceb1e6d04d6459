package engine

import (
	"errors"
	"log/slog"
	"slices"
	"time"

	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fixtures"
)

// A ReloadResult is the result of an attempt to reload.
type ReloadResult struct {
	At  time.Time // zero before the first attempt
	Err error     // the mistakes in the fixtures; nil if the reload succeeded
}

// Reload reads the fixtures again, and puts them in force if nothing is wrong in them.
func (e *Engine) Reload() error {
	e.Parsing.Lock()
	defer e.Parsing.Unlock()
	if e.Ended() {
		return ErrClosed
	}
	next, err := plan.NewSnapshot(plan.NewSetup(e.Config.Options))
	e.finishReload(next, err)
	if err != nil {
		e.logMistakes(err)
		return err
	}
	e.OnBreaksChanged()
	e.Config.Logger.Info("the fixtures were reloaded", slog.Int("users", len(next.Users)))
	return nil
}

// finishReload keeps the result of a reload, and puts its snapshot in force if the reload has
// succeeded.
func (e *Engine) finishReload(next *plan.Snapshot, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if err == nil {
		e.accounts.putInForce(next)
	}
	e.reload = ReloadResult{At: time.Now().UTC(), Err: err}
	e.changedLocked()
}

// putInForce puts a snapshot in force. The replies and the rate limit of each user in the snapshot
// start from the beginning. For the user demo, this also holds for tokens such as demo~1. But if
// somebody has given or removed the user of a token while the server ran, this token stays as it
// is.
func (all *accounts) putInForce(next *plan.Snapshot) {
	before := all.snapshot
	all.snapshot = next
	for _, former := range before.Users {
		isUnchanged := all.givenUser(former.Token) == former
		if isUnchanged {
			all.replace(former)
		}
	}
	for _, user := range next.Users {
		isNew := before.User(user.Token) == nil
		if isNew && all.givenUser(user.Token) == nil {
			all.giveUser(all.of(user.Token), user)
		}
	}
	all.forgetChangedUsers()
	all.removeQueuesOfNobody()
}

// replace replaces a user of the previous snapshot by the user that the new snapshot has for the
// same token. If the new snapshot has none, the token loses its user.
func (all *accounts) replace(former *plan.User) {
	a := all.of(former.Token)
	user := all.snapshot.User(former.Token)
	if user == nil {
		all.removeUser(a)
		return
	}
	user.IsPlayed = former.IsPlayed
	all.giveUser(a, user)
}

// removeQueuesOfNobody removes the replies that were enqueued for tokens without a user: no request
// could play them.
func (all *accounts) removeQueuesOfNobody() {
	for _, a := range slices.Clone(all.pinned) {
		user, _ := all.userNow(a)
		if user == nil {
			all.removeUser(a)
		}
	}
}

// logMistakes logs why a reload has changed nothing. Each mistake gets a line of the log.
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
