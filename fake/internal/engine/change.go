package engine

import (
	"errors"
	"fmt"
	"slices"

	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fake/internal/report"
	"example.com/campaignfake/fixtures"
)

// What others change: users, replies, requests.

const (
	// maxUsers bounds how many users there can be when one is put over HTTP.
	maxUsers = 10_000

	// maxPut bounds the bytes of the bodies in which users and replies came over HTTP that
	// are there.
	maxPut = 32 << 20

	// maxQueued bounds how many replies of one token wait to be played.
	maxQueued = 10_000
)

var (
	ErrNoUser = errors.New("no user has the token")
	ErrClosed = errors.New("the server is closed")
	ErrFull   = errors.New("there is no room")
)

func noUser(token string) error {
	return fmt.Errorf("%w %q; name one that was given by WithUser, WithFixtures or SetUser", ErrNoUser, token)
}

// SetUser gives a token a copy of a user, or fails if that is not valid.
func (e *Engine) SetUser(token string, u fixtures.User) error {
	p := e.InForce()
	if err := p.Service.CheckUser(token, u); err != nil {
		return err
	}
	_, _, err := e.PutUser(p, token, u.Clone(), plan.Origin{Required: true}, false)
	return err
}

// PutUser gives a token a user that has been checked by the settings of a snapshot, and reports
// whether it had none before. anew makes the token start anew; otherwise it keeps its counts,
// its requests and the replies that were enqueued. It fails with ErrClosed, or with ErrFull if
// there is no room for a user that came over HTTP.
func (e *Engine) PutUser(p *plan.Snapshot, token string, given fixtures.User, origin plan.Origin, anew bool) (bool, Dropped, error) {
	u := p.NewUser(token, given)
	u.Origin = origin
	defer e.KeepAlives() // when the lock is free again
	e.mu.Lock()
	defer e.mu.Unlock()
	dropped := Dropped{Unplayed: []report.Unplayed{}}
	if e.flights.closed {
		return false, dropped, ErrClosed
	}
	n, added := e.accounts.of(token, e.snapshot), u.Size
	if n.isOwn() {
		added -= n.user.Size
	}
	if u.Size > 0 {
		if err := e.roomForLocked(n, added); err != nil {
			return false, dropped, err
		}
	}
	isNew := n.in != &e.accounts.users
	if anew {
		dropped = e.startAnewLocked(token)
	} else {
		dropped.Unplayed = append(dropped.Unplayed, n.unplayed(false)...)
	}
	e.accounts.setUser(token, u)
	e.mayBreak = e.mayBreak || u.MayBreak
	e.changedLocked()
	return isNew, dropped, nil
}

// RemoveUser removes the user of a token, or fails if it has none. A token that is like a user
// gets the one that is in force then. anew makes the token start anew; otherwise it keeps its
// counts and its requests.
func (e *Engine) RemoveUser(token string, anew bool) (dropped Dropped, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	n := e.accounts.of(token, e.snapshot)
	switch {
	case !n.known:
		return dropped, noUser(token)
	case anew:
		dropped = e.startAnewLocked(token)
		e.accounts.remove(n)
	default:
		dropped.Unplayed = append([]report.Unplayed{}, n.unplayed(true)...)
		e.accounts.removeUser(n)
	}
	e.changedLocked()
	return dropped, nil
}

// Enqueue enqueues copies of replies, or fails if one is not valid.
func (e *Engine) Enqueue(token string, replies []fixtures.Reply) error {
	if err := e.InForce().Service.CheckUser(token, fixtures.User{Replies: replies}); err != nil {
		return err
	}
	return e.PutReplies(token, fixtures.User{Replies: replies}.Clone().Replies, plan.Origin{Required: true})
}

// PutReplies has replies that have been checked played for the next requests of a token. An
// unknown token becomes a known one by it, unless those are rejected. It fails with ErrClosed,
// ErrNoUser or ErrFull.
func (e *Engine) PutReplies(token string, given []fixtures.Reply, origin plan.Origin) error {
	replies := e.InForce().NewReplies(given, true)
	for _, r := range replies {
		r.Origin = origin
	}
	defer e.KeepAlives() // when the lock is free again
	e.mu.Lock()
	defer e.mu.Unlock()
	n := e.accounts.of(token, e.snapshot)
	switch {
	case e.flights.closed:
		return ErrClosed
	case n.user == nil:
		return noUser(token)
	}
	if waiting := len(n.queue.replies) + len(replies); waiting > maxQueued {
		return fmt.Errorf("%w for so many replies of token %q: %d would wait, and at most %d can", ErrFull, token, waiting, maxQueued)
	}
	if origin.Size > 0 {
		if err := e.roomForLocked(n, origin.Size*int64(len(replies))); err != nil {
			return err
		}
	}
	e.accounts.keep(n)
	n.queue.enqueue(replies)
	e.mayBreak = e.mayBreak || slices.ContainsFunc(replies, (*plan.Reply).MayBreak)
	e.changedLocked()
	return nil
}

// roomForLocked returns an error if a call over HTTP would make an account one too many with
// users or replies, or add too many bytes of them. A user counts once who is that of several
// tokens.
func (e *Engine) roomForLocked(to *account, added int64) error {
	counted := make(map[*plan.User]bool)
	for _, n := range e.accounts.byToken {
		if n.user != nil && !counted[n.user] {
			counted[n.user] = true
			added += n.user.Size
		}
		for _, r := range n.queue.replies {
			added += r.Size
		}
	}
	switch {
	case to.in != &e.accounts.users && e.accounts.users.Len() >= maxUsers:
		return fmt.Errorf("%w for more than %d users; remove some, or reset the server", ErrFull, maxUsers)
	case added > maxPut:
		return fmt.Errorf("%w for more users and replies, whose bodies may have %d MiB together; remove some, or reset the server",
			ErrFull, maxPut>>20)
	}
	return nil
}

// DropReplies drops the replies that were enqueued for a token, or fails if it has no user.
func (e *Engine) DropReplies(token string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	n := e.accounts.of(token, e.snapshot)
	if !n.known {
		return noUser(token)
	}
	n.queue = script{}
	e.changedLocked()
	return nil
}
