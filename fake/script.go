package fake

import (
	"fmt"
	"iter"
	"slices"
)

// A script holds the replies that wait for a token, and how far they have been
// played.
type script struct {
	queue  []*reply // given by Enqueue; played before those of the user
	queued int      // how often the first reply of the queue was played

	next   int // index of the next of the user's replies
	played int // how often that reply was played
	round  int // how often the user's replies started over
}

// playQueued plays the first reply of the queue. It returns the reply, nil if the
// queue is empty, and how often it has been played.
func (s *script) playQueued() (r *reply, time int) {
	if len(s.queue) == 0 {
		return nil, 0
	}
	r = s.queue[0]
	s.queued++
	time = s.queued
	if s.queued == r.times {
		s.queue, s.queued = s.queue[1:], 0
	}
	return r, time
}

// play plays the next of a user's own replies. It returns the reply, nil if none is
// left, how often it has been played, and the round, which counts from 0.
func (s *script) play(u *user) (r *reply, time, round int) {
	if s.next == len(u.replies) {
		return nil, 0, 0
	}
	r, round = u.replies[s.next], s.round
	s.played++
	time = s.played
	if s.played < r.times || r.times == Always {
		return r, time, round
	}
	s.next, s.played = s.next+1, 0
	if s.next == len(u.replies) || u.replies[s.next].times == Always {
		*u.exhausted = true
	}
	if s.next == len(u.replies) && u.given.Repeat {
		s.next = 0
		s.round++
	}
	return r, time, round
}

// enqueue adds replies at the end of the queue. A reply that is played always stays
// the last: later ones are played before it, and a second one replaces it.
func (s *script) enqueue(replies []*reply) {
	waiting, always := cutAlways(s.queue)
	if len(waiting) == 0 {
		s.queued = 0 // another reply is the first now
	}
	replies, later := cutAlways(replies)
	if later != nil {
		always = later
	}
	s.queue = slices.Concat(waiting, replies, always)
}

// cutAlways separates the last reply from the others if it is played always.
func cutAlways(replies []*reply) (finite, always []*reply) {
	if last := len(replies) - 1; last >= 0 && replies[last].times == Always {
		return replies[:last], replies[last:]
	}
	return replies, nil
}

// waiting yields the replies that wait to be played, each with how often it has been
// played: first the queue, then those of the user.
func (s *script) waiting(u *user) iter.Seq2[*reply, int] {
	return func(yield func(*reply, int) bool) {
		played := s.queued
		for _, r := range s.queue {
			if !yield(r, played) {
				return
			}
			played = 0
		}
		played = s.played
		for _, r := range u.replies[s.next:] {
			if !yield(r, played) {
				return
			}
			played = 0
		}
	}
}

// unplayed describes the required replies that have not been played, one on each
// line.
func (s *script) unplayed(u *user) (lines []string) {
	ownRequired := u.required && !*u.exhausted && !u.given.Repeat
	number := 0
	for r, played := range s.waiting(u) {
		number++
		required := r.required
		if number > len(s.queue) {
			required = ownRequired
		}
		switch {
		case !required || r.times == Always:
		case played == 0:
			lines = append(lines, r.what()+": never played")
		default:
			lines = append(lines, fmt.Sprintf("%s: played %d of %d times", r.what(), played, r.times))
		}
	}
	return lines
}
