package fake

import (
	"cmp"
	"fmt"
	"iter"
	"net/http"
)

// A reply is a Reply that is ready to be played.
type reply struct {
	given  Reply  // a copy
	times  int    // Always, or at least 1
	text   string // what it does, in words
	place  string // which of how many it is, in words
	answer answer
	size   int  // bytes that it counts for; 0 if it came in no body
	owed   bool // it was enqueued in Go: a strict test fails if it is not played
	users  bool // the body is that of the user's normal answer
}

// reply prepares a reply that has been checked.
func (p *setup) reply(given Reply) (*reply, error) {
	r := &reply{given: given.Clone(), times: cmp.Or(given.Times, 1), text: given.String()}
	switch {
	case given.Response != "":
		r.answer = *p.answers.named(given.Response)
		r.answer.headers = r.answer.headers.Clone()
	case given.Body != nil && given.Status < 300:
		success := p.service.Success
		success.Status = cmp.Or(given.Status, success.Status)
		success.Body = given.Body
		r.answer = newAnswer(success, "")
	case given.Status >= 300:
		r.answer = newAnswer(Response{Status: given.Status, Body: given.Body}, "application/problem+json")
		if given.Body == nil && given.Status < 400 {
			r.answer.body = []byte{}
			delete(r.answer.headers, "Content-Type")
		}
	default:
		r.answer = p.answers.success
		r.answer.status = cmp.Or(given.Status, p.service.Success.Status)
		r.answer.headers = r.answer.headers.Clone()
		r.users = given.Campaigns == nil
		if !r.users {
			body, err := p.service.AppendJSON(nil, "", User{Campaigns: given.Campaigns})
			if err != nil {
				return nil, err
			}
			r.answer.body = body
		}
	}
	if given.Fault == "wrong_type" {
		r.users = false
		r.answer.body = []byte(wrongPage)
		r.answer.headers.Set("Content-Type", "text/html; charset=utf-8")
	}
	for name, value := range given.Headers {
		r.answer.headers.Set(name, value)
	}
	// These statuses have a header that a client may count on.
	switch r.answer.status {
	case http.StatusUnauthorized:
		if given.Response == "" { // whose settings may well leave it out
			r.answer.defaultHeader("WWW-Authenticate", "Bearer")
		}
	case http.StatusMethodNotAllowed:
		r.answer.defaultHeader("Allow", allowed)
	case http.StatusTooManyRequests:
		r.answer.defaultHeader("Retry-After", "1")
	}
	return r, nil
}

// defaultHeader sets a header that is not set yet.
func (a *answer) defaultHeader(name, value string) {
	if a.headers.Get(name) == "" {
		a.headers.Set(name, value)
	}
}

// replies prepares several replies. What they are is said before the number of
// each.
func (p *setup) replies(what string, given []Reply) ([]*reply, error) {
	list := make([]*reply, len(given))
	for i := range given {
		r, err := p.reply(given[i])
		if err != nil {
			return nil, fmt.Errorf("replies[%d]: %w", i, err)
		}
		r.place = fmt.Sprintf("%s %d of %d (%s)", what, i+1, len(given), r.text)
		list[i] = r
	}
	return list, nil
}

// A script is how far the replies of a token have been played. Its methods are
// called with the server's lock held.
type script struct {
	queue  []*reply // by Enqueue, and before those of the user
	queued int      // how often the first of the queue was played

	next   int // of the user's replies
	played int // how often that was played
	round  int // how often they started over
}

// play returns the reply that the next request meets, and where in the script
// that is, in words; nil if the answer is the normal one.
func (s *script) play(u *user) (*reply, string) {
	if len(s.queue) > 0 {
		r := s.queue[0]
		s.queued++
		place := r.at(s.queued)
		if s.queued == r.times {
			s.queue, s.queued = s.queue[1:], 0
		}
		return r, place
	}
	if s.next == len(u.replies) {
		return nil, ""
	}
	r := u.replies[s.next]
	s.played++
	place := r.at(s.played)
	if s.round > 0 {
		place += fmt.Sprintf(", in round %d", s.round+1)
	}
	if s.played == r.times {
		s.next, s.played = s.next+1, 0
		if s.next == len(u.replies) || u.replies[s.next].times == Always {
			u.exhausted = true // of what is owed
		}
		if s.next == len(u.replies) && u.given.Repeat {
			s.next = 0
			s.round++
		}
	}
	return r, place
}

// at says that the reply is played for so many times now.
func (r *reply) at(time int) string {
	switch r.times {
	case Always:
		return fmt.Sprintf("%s, played always, time %d", r.place, time)
	case 1:
		return r.place
	}
	return fmt.Sprintf("%s, time %d of %d", r.place, time, r.times)
}

// enqueue adds replies to those that are played before the user's. One that is
// played always ends when there is something after it.
func (s *script) enqueue(replies []*reply) {
	if last := len(s.queue) - 1; last >= 0 && len(replies) > 0 && s.queue[last].times == Always {
		s.queue = s.queue[:last:last]
		if last == 0 {
			s.queued = 0
		}
	}
	s.queue = append(s.queue, replies...)
}

// unplayed describes the replies that are still to be played a finite number of
// times, each on a line.
func (s *script) unplayed(u *user) (lines []string) {
	owed := func(r *reply, played int) {
		switch {
		case r.times == Always:
		case played == 0:
			lines = append(lines, r.place+": never played")
		default:
			lines = append(lines, fmt.Sprintf("%s: played %d of %d times", r.place, played, r.times))
		}
	}
	for r, played := range remaining(s.queue, s.queued) {
		if r.owed {
			owed(r, played)
		}
	}
	if u == nil || !u.owed || u.exhausted || u.given.Repeat {
		return lines
	}
	for r, played := range remaining(u.replies[s.next:], s.played) {
		owed(r, played)
	}
	return lines
}

// remaining yields replies that are still to be played, each with how often it
// has been: the first alone may have been.
func remaining(replies []*reply, played int) iter.Seq2[*reply, int] {
	return func(yield func(*reply, int) bool) {
		for _, r := range replies {
			if !yield(r, played) {
				return
			}
			played = 0
		}
	}
}
