package engine

import (
	"errors"
	"fmt"

	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fixtures"
)

const (
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
	err := p.Service.CheckUser(token, u)
	if err == nil {
		_, err = e.PutUser(p, token, u.Clone(), plan.Origin{Required: true}, false)
	}
	return err
}

// PutUser gives a token a user that has been checked by the settings of a snapshot, and reports
// whether nothing was given for it before. anew makes the token start anew; otherwise it keeps its
// counts, its requests and the replies that were enqueued. It fails with ErrClosed, or with ErrFull
// if there is no room for a user that came over HTTP.
func (e *Engine) PutUser(p *plan.Snapshot, token string, given fixtures.User, origin plan.Origin, anew bool) (created bool, err error) {
	u := p.NewUser(token, given, origin)
	defer e.KeepAlives() // when the lock is free again
	e.mu.Lock()
	defer e.mu.Unlock()
	n := e.accounts.of(token, e.snapshot)
	if err := e.roomLocked(u.Size, n.ownUser()); err != nil {
		return false, err
	}
	created = !n.kept
	if anew {
		e.startAnewLocked(n)
	}
	e.accounts.give(n, u)
	e.changedLocked()
	return created, nil
}

// RemoveUser removes the user of a token, or fails if the token is unknown. A token that is like a user
// gets the one that is in force then. anew makes the token start anew; otherwise it keeps its
// counts and its requests.
func (e *Engine) RemoveUser(token string, anew bool) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	n := e.accounts.of(token, e.snapshot)
	switch {
	case !n.known():
		return noUser(token)
	case anew:
		e.startAnewLocked(n)
	}
	e.accounts.give(n, nil)
	e.changedLocked()
	return nil
}

// Enqueue enqueues copies of replies, or fails if one is not valid.
func (e *Engine) Enqueue(token string, replies []fixtures.Reply) error {
	p, u := e.InForce(), fixtures.User{Replies: replies}
	err := p.Service.CheckUser(token, u)
	if err == nil {
		_, err = e.PutReplies(p, token, u.Clone().Replies, plan.Origin{Required: true})
	}
	return err
}

// PutReplies has replies that have been checked by the settings of a snapshot played for the
// next requests of a token. An unknown token becomes a known one by it, unless those are
// rejected. It returns how many others are played before them, and fails with ErrClosed, ErrNoUser
// or ErrFull.
func (e *Engine) PutReplies(p *plan.Snapshot, token string, given []fixtures.Reply, origin plan.Origin) (before int, err error) {
	origin.Enqueued = true
	replies := p.NewReplies(token, given, origin)
	defer e.KeepAlives() // when the lock is free again
	e.mu.Lock()
	defer e.mu.Unlock()
	n := e.accounts.of(token, e.snapshot)
	switch waiting := len(n.queue.replies) + len(replies); {
	case n.user == nil && !e.Ended():
		return 0, noUser(token)
	case waiting > maxQueued:
		return 0, fmt.Errorf("%w for so many replies of token %q: %d would wait, and at most %d can", ErrFull, token, waiting, maxQueued)
	}
	if err := e.roomLocked(origin.Size*int64(len(replies)), nil); err != nil {
		return 0, err
	}
	if len(replies) > 0 {
		e.accounts.keep(n, replies)
		e.changedLocked()
	}
	return n.queue.enqueue(replies), nil
}

// roomLocked returns an error if the server has ended, or if a call over HTTP would add too many
// bytes of users and replies, beside all but the user that it replaces.
func (e *Engine) roomLocked(added int64, replaced *plan.User) error {
	if e.Ended() {
		return ErrClosed
	}
	total := added
	for _, n := range e.accounts.users {
		if u := n.ownUser(); u != nil && u != replaced {
			total += u.Size
		}
		for _, r := range n.queue.replies {
			total += r.Size
		}
	}
	if total > maxPut {
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
	if !n.known() {
		return noUser(token)
	}
	n.queue = script{}
	e.changedLocked()
	return nil
}
