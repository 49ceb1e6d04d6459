package engine

import (
	"errors"
	"fmt"

	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fixtures"
)

const (
	// maxPut is at most how many bytes the users and replies take that came over HTTP. They are
	// counted as fixtures.Service.Size does.
	maxPut = 16 << 20

	// maxQueued bounds how many replies of one token wait to be played.
	maxQueued = 10_000
)

var (
	ErrNoUser  = errors.New("no user has the token")
	ErrRemoved = errors.New("was removed or reset")
	ErrClosed  = errors.New("the server is closed")
	ErrFull    = errors.New("there is no room")
)

// A Past is what becomes of the past of a token whose user is set or removed: of its counts, of its
// requests in the journal, and of the number of its next turn.
type Past int

const (
	ForgetPast Past = iota // the token starts anew
	KeepPast
)

func noUser(token string) error {
	return fmt.Errorf("%w %q; name one that was given by WithUser, WithFixtures or SetUser",
		ErrNoUser, token)
}

// whyNoUser returns why an account has no user: none has its token, or the one that does is like
// another that is not there any more.
func (a *account) whyNoUser() error {
	if !a.isLikeNobody() {
		return noUser(a.token)
	}
	return fmt.Errorf("the user of the token %q is like %q, which %w; set one of the two again",
		a.token, a.ownUser.Fixture.Like, ErrRemoved)
}

// SetUser gives a token a copy of a user, or fails if that is not valid.
func (e *Engine) SetUser(token string, u fixtures.User) error {
	snapshot := e.InForce()
	err := snapshot.Service.CheckUser(token, u)
	if err != nil {
		return err
	}
	_, err = e.PutUser(snapshot.NewUser(token, u.Clone(), plan.OfGo), KeepPast)
	return err
}

// PutUser gives a user to its token, and reports whether nothing was given for that before. If it
// keeps its past, the token keeps the replies that were enqueued, too; otherwise it drops them. It
// fails with ErrClosed, with ErrFull if there is no room for a user that came over HTTP, or with
// *fixtures.Mistakes if nobody has the token that the user is like, or if a user would be like one
// that is like another.
func (e *Engine) PutUser(user *plan.User, past Past) (created bool, err error) {
	defer e.OnBreaksChanged() // when the lock is free again
	defer e.resumeReload()    // then, too
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.Ended() {
		return false, ErrClosed
	}
	a := e.accounts.of(user.Token)
	dropped := a.userBytes()
	if past == ForgetPast {
		dropped += a.queueBytes()
	}
	if err := e.checkRoomLocked(user.Size, dropped); err != nil {
		return false, err
	}
	if err := e.accounts.checkLike(user); err != nil {
		return false, err
	}
	created = !a.pinned
	if past == ForgetPast {
		e.journal.Clear(OfTokens(user.Token).Has)
		a.startAnew()
	}
	e.accounts.setUser(a, user)
	e.accounts.forgetFormerUsers()
	e.changedLocked()
	return created, nil
}

// RemoveUsers removes the users of the tokens of a scope. It fails if it is for one token, and that
// is unknown; a test may have no user. Replies that were enqueued are dropped.
func (e *Engine) RemoveUsers(scope Scope, past Past) error {
	defer e.resumeReload() // when the lock is free again
	e.mu.Lock()
	defer e.mu.Unlock()
	token, isOne := scope.One()
	if isOne {
		a := e.accounts.of(token)
		e.accounts.chooseUser(a)
		if !a.isKnown() {
			return noUser(token)
		}
	}
	if past == ForgetPast {
		e.journal.Clear(scope.Has)
	}
	for _, token := range e.accounts.tokensIn(scope) {
		a := e.accounts.byToken[token]
		switch {
		case a == nil: // it is like another, or one of a test without a user
		case past == ForgetPast:
			a.releaseHeld()
			e.accounts.forget(a)
		default:
			e.accounts.removeUser(a)
		}
	}
	e.accounts.forgetFormerUsers()
	e.changedLocked()
	return nil
}

// Enqueue enqueues copies of replies, or fails if one is not valid.
func (e *Engine) Enqueue(token string, replies []fixtures.Reply) error {
	snapshot := e.InForce()
	user := fixtures.User{Replies: replies}
	err := snapshot.Service.CheckUser(token, user)
	if err != nil {
		return err
	}
	queue := snapshot.NewQueue(token, user.Clone().Replies, plan.OfGo)
	_, err = e.PutReplies(token, queue)
	return err
}

// PutReplies has replies played for the next requests of a token. An unknown token becomes a known
// one by it, unless those are rejected. It returns how many others are played before them, and
// fails with ErrClosed, ErrNoUser, ErrFull, or ErrRemoved if the token's user is like one that is
// not there any more.
func (e *Engine) PutReplies(token string, replies []*plan.Reply) (before int, err error) {
	defer e.OnBreaksChanged() // when the lock is free again
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.Ended() {
		return 0, ErrClosed
	}
	a := e.accounts.of(token)
	e.accounts.chooseUser(a)
	if a.user == nil {
		return 0, a.whyNoUser()
	}
	waiting := len(a.queue.replies) + len(replies)
	if waiting > maxQueued {
		return 0, fmt.Errorf("%w for so many replies of token %q: "+
			"%d would wait, and at most %d can", ErrFull, token, waiting, maxQueued)
	}
	if err := e.checkRoomLocked(bytesOf(replies), 0); err != nil {
		return 0, err
	}
	if len(replies) > 0 {
		e.accounts.pin(a, replies)
		e.changedLocked()
	}
	return a.queue.enqueue(replies), nil
}

// checkRoomLocked returns an error if users and replies would take too many bytes after a call over
// HTTP, which adds some bytes and drops others.
//
// It adds up all that was given. What came over HTTP counts a kilobyte or more for each user and
// each reply, so that there are some 16,000 of them at most, and that takes less than a
// millisecond. A sum that is kept would have to be changed wherever a reply is played or dropped,
// and wherever a user is replaced or forgotten.
func (e *Engine) checkRoomLocked(added, dropped int64) error {
	total := added - dropped
	for _, a := range e.accounts.pinned {
		total += a.userBytes() + a.queueBytes()
	}
	if total > maxPut {
		return fmt.Errorf("%w for more users and replies: what was put may have %d MiB in memory; "+
			"remove some, or reset the server", ErrFull, maxPut>>20)
	}
	return nil
}

// userBytes returns how many bytes the user takes that was set for an account over HTTP.
func (a *account) userBytes() int64 {
	if a.ownUser == nil {
		return 0
	}
	return a.ownUser.Size
}

// queueBytes returns how many bytes the replies take that were enqueued over HTTP.
func (a *account) queueBytes() int64 {
	return bytesOf(a.queue.replies)
}

func bytesOf(queue []*plan.Reply) int64 {
	var bytes int64
	for _, reply := range queue {
		bytes += reply.Size
	}
	return bytes
}

// DropReplies drops the replies that were enqueued for a token, or fails if it has no user. A token
// for which nothing else was given is an unknown one again.
func (e *Engine) DropReplies(token string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	a := e.accounts.of(token)
	e.accounts.chooseUser(a)
	if !a.isKnown() {
		return noUser(token)
	}
	a.dropQueue()
	if a.pinned && a.ownUser == nil {
		e.accounts.unpin(a)
	}
	e.changedLocked()
	return nil
}
