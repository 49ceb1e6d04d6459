package engine

import (
	"errors"
	"fmt"

	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fake/internal/reason"
	"example.com/campaignfake/fixtures"
	"example.com/campaignfake/fixtures/text"
)

const (
	// maxGiven bounds how many tokens get a user or replies while the server runs.
	maxGiven = 10_000

	// maxQueued bounds how many enqueued replies of one token wait.
	maxQueued = 1000
)

var (
	ErrClosed = errors.New("the server is closed")
	ErrFull   = errors.New("there is no room")
)

// A NoUserError says that no user has a token, and which token to write instead.
type NoUserError struct {
	Token    string
	SeenUser string // flaky if Token is flaky~1 and flaky has a user; else ""
	Near     string // the token that was probably meant; "" if no token is near
}

// Error explains the error to a test in Go.
func (e NoUserError) Error() string {
	if e.SeenUser != "" {
		return fmt.Sprintf("%q is a run, which has no user of its own; name %q",
			e.Token, e.SeenUser)
	}
	message := fmt.Sprintf("no user has the token %q; "+
		"give it a user with WithUser, WithFixtures or SetUser", e.Token)
	if e.Near != "" {
		message += "; did you mean " + e.Near + "?"
	}
	return message
}

// NoUser returns the error for a token to which nobody has given a user.
func (e *Engine) NoUser(token string) NoUserError {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.accounts.noUser(token)
}

func (all *accounts) noUser(token string) NoUserError {
	for userToken := range text.UserTokens(token) {
		if all.givenUser(userToken) != nil {
			return NoUserError{Token: token, SeenUser: userToken}
		}
	}
	return NoUserError{Token: token, Near: reason.Nearest(token, all.tokens())}
}

// A Past says whether a token keeps its past when its user is set or removed. The past is the
// token's counts, its requests in the journal, and the number of its next turn.
type Past int

const (
	ForgetPast Past = iota // the token starts anew
	KeepPast
)

// SetUser gives a copy of a user to a token. The token keeps its past: its counts, its requests in
// the journal, and the number of its next turn. SetUser fails if the user is not valid, or if
// PutUser fails.
func (e *Engine) SetUser(token string, u fixtures.User) error {
	snapshot := e.InForce()
	err := snapshot.Service.CheckUser(token, u)
	if err != nil {
		return err
	}
	_, err = e.PutUser(snapshot.NewUser(token, u.Clone(), plan.DoorGo), KeepPast)
	return err
}

// PutUser gives a user to the token user.Token, and drops the enqueued replies of the token. The
// result created is true if the token had neither a user of its own nor enqueued replies. PutUser
// fails with ErrClosed or ErrFull.
func (e *Engine) PutUser(user *plan.User, past Past) (created bool, err error) {
	defer e.OnBreaksChanged() // called when the lock is free again
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.putUserLocked(user.Token, user, past)
}

// PutUserLike gives a token the same user that sourceToken has. It fails with a NoUserError if
// nobody gave a user to exactly sourceToken. Everything else is as in PutUser.
func (e *Engine) PutUserLike(
	token, sourceToken string, past Past,
) (created bool, err error) {
	defer e.OnBreaksChanged() // called when the lock is free again
	e.mu.Lock()
	defer e.mu.Unlock()
	user := e.accounts.givenUser(sourceToken)
	if user == nil {
		return false, e.accounts.noUser(sourceToken)
	}
	return e.putUserLocked(token, user, past)
}

func (e *Engine) putUserLocked(token string, user *plan.User, past Past) (created bool, err error) {
	if e.Ended() {
		return false, ErrClosed
	}
	a := e.accounts.of(token)
	if err := e.accounts.checkMaxGiven(a); err != nil {
		return false, err
	}
	created = !a.pinned
	switch past {
	case ForgetPast:
		e.journal.Clear(OfTokens(token).Has)
		a.startAnew()
	case KeepPast:
		a.dropQueue()
	}
	e.accounts.giveUser(a, user)
	e.changedLocked()
	return created, nil
}

// RemoveUsers removes the users of the tokens of a scope, and drops the enqueued replies of these
// tokens. If the scope is a single unknown token, RemoveUsers fails with a NoUserError. For any
// other scope it succeeds, even if no token of the scope has a user.
func (e *Engine) RemoveUsers(scope Scope, past Past) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	token, isOne := scope.One()
	if isOne && !e.accounts.knows(token) {
		return e.accounts.noUser(token)
	}
	if past == ForgetPast {
		e.journal.Clear(scope.Has)
	}
	for _, token := range e.accounts.tokensIn(scope) {
		a := e.accounts.byToken[token]
		switch {
		case a == nil: // a token such as demo~1 that has sent nothing, or whose user was removed
		case past == ForgetPast:
			a.releaseHeld()
			e.accounts.forget(a)
		default:
			e.accounts.removeUser(a)
		}
	}
	e.changedLocked()
	return nil
}

// Enqueue enqueues copies of replies for a token. It fails if a reply is not valid, or if
// PutReplies fails.
func (e *Engine) Enqueue(token string, replies []fixtures.Reply) error {
	snapshot := e.InForce()
	user := fixtures.User{Replies: replies}
	err := snapshot.Service.CheckUser(token, user)
	if err != nil {
		return err
	}
	queue := snapshot.NewQueue(token, user.Clone().Replies, plan.DoorGo)
	_, err = e.PutReplies(token, queue)
	return err
}

// PutReplies enqueues replies, which the next requests of a token then play. An unknown token
// becomes known. PutReplies returns how many older replies are played before these. It fails with
// ErrClosed or ErrFull, and with a NoUserError if the server rejects the token.
func (e *Engine) PutReplies(token string, replies []*plan.Reply) (before int, err error) {
	defer e.OnBreaksChanged() // called when the lock is free again
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.Ended() {
		return 0, ErrClosed
	}
	a := e.accounts.of(token)
	user, _ := e.accounts.userNow(a)
	if user == nil {
		return 0, e.accounts.noUser(token)
	}
	waiting := len(a.queue.replies) + len(replies)
	if waiting > maxQueued {
		return 0, fmt.Errorf("%w for so many replies of token %q: "+
			"%d would wait, and at most %d can", ErrFull, token, waiting, maxQueued)
	}
	if err := e.accounts.checkMaxGiven(a); err != nil {
		return 0, err
	}
	e.accounts.pin(a, replies)
	e.changedLocked()
	return a.queue.enqueue(replies), nil
}

// checkMaxGiven fails with ErrFull if the account is not pinned and no further account may be
// pinned. An account is pinned once somebody has given its token a user or replies, until somebody
// removes them. Beside one account for each user of the snapshot, at most maxGiven accounts may be
// pinned.
func (all *accounts) checkMaxGiven(a *account) error {
	given := len(all.pinned) - len(all.snapshot.Users)
	if a.pinned || given < maxGiven {
		return nil
	}
	return fmt.Errorf("%w for more users and replies: at most %d tokens can have some "+
		"beside those of the start; remove some, or reset the server", ErrFull, maxGiven)
}

// DropReplies drops the replies that were enqueued for a token. It fails with a NoUserError if the
// token is unknown. A token that was known only because of these replies becomes unknown.
func (e *Engine) DropReplies(token string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.accounts.knows(token) {
		return e.accounts.noUser(token)
	}
	a := e.accounts.of(token)
	a.dropQueue()
	if a.pinned && a.given == nil {
		e.accounts.unpin(a)
	}
	e.changedLocked()
	return nil
}
