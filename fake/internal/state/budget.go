package state

import (
	"fmt"

	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fake/internal/words"
)

// The budget of memory bounds everything that requests leave behind or occupy. The
// journal and the unknown tokens have an eighth each, and forget what is oldest. Users
// and replies that came over HTTP have up to a half, and bodies and answers of the control
// plane what is left of three quarters.

// Occupy reserves bytes of the budget for a call of the control plane; has is how many the
// call has reserved before. Release gives them back. Occupy returns false if there is no
// room. A call that is alone may have the whole budget, because no other call could make
// room for it.
func (s *State) Occupy(bytes, has int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	alone := s.occupied == has
	if has+bytes > s.limits.Budget || !alone && s.occupied+bytes > s.limits.Budget*3/4-s.accounts.load().put {
		return false
	}
	s.occupied += bytes
	return true
}

// Vacate gives bytes of the budget back.
func (s *State) Vacate(bytes int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.occupied -= bytes
}

// A load is what the users take, and the replies that wait.
type load struct {
	users int
	put   int64 // bytes of the users and replies that came over HTTP
	sent  int64 // bytes of the normal answers of all users
}

func (a *accounts) load() (l load) {
	for n := range a.own {
		l.users++
		l.put += n.script.user.Size
		l.sent += n.script.user.AnswerBytes
		for _, r := range n.queue.replies {
			l.put += r.Size
		}
	}
	return l
}

// roomFor returns an error if a call would add too much.
func (s *State) roomFor(added load) error {
	now, most := s.accounts.load(), s.limits.Answers()
	switch {
	case added.users > 0 && now.users >= maxUsers:
		return fmt.Errorf("%w for more than %d users; remove some, or reset the server", plan.ErrFull, maxUsers)
	case added.put > 0 && now.put+added.put > s.limits.Put():
		return fmt.Errorf("%w for more users and replies, which may take %s of memory%s; remove some, or reset the server", plan.ErrFull, words.InBytes(s.limits.Put()), s.limits.Of())
	case added.sent > 0 && most > 0 && now.sent+added.sent > most:
		return fmt.Errorf("%w for more than %s of campaigns%s; generate fewer", plan.ErrFull, words.InBytes(most), s.limits.Of())
	}
	return nil
}
