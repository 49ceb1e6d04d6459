package fake

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"example.com/campaignfake/fixtures"
)

// A reply is a Reply that is ready to be played.
type reply struct {
	times  int    // Always, or at least 1
	text   string // what it does, in words
	place  string // which of how many it is, in words
	delay  *Delay
	fault  string
	rate   int
	answer answer
	users  bool   // the body is that of the user's normal answer
	detail string // of the answer, where that is a problem document
}

// newReply prepares a reply that has been checked.
func newReply(service *Service, prepared *answers, given Reply, detail string) (*reply, error) {
	r := &reply{
		times: cmp.Or(given.Times, 1), text: given.String(), fault: given.Fault, rate: given.Rate, detail: detail,
	}
	if given.Delay != nil {
		delay := *given.Delay
		r.delay = &delay
	}
	switch {
	case given.Response != "":
		r.answer = *prepared.named(given.Response)
		r.answer.headers = r.answer.headers.Clone()
		switch given.Response {
		case "rate_limited":
			r.answer.defaultHeader("Retry-After", "1")
		case "method_not_allowed":
			r.answer.defaultHeader("Allow", allowed)
		}
	case given.Body != nil || given.Status >= 300:
		r.answer = newAnswer(Response{Status: cmp.Or(given.Status, service.Success.Status), Body: given.Body}, "application/problem+json")
		if given.Body == nil && given.Status < 400 {
			r.answer.body = []byte{}
			delete(r.answer.headers, "Content-Type")
		}
	default:
		r.answer = prepared.success
		r.answer.status = cmp.Or(given.Status, service.Success.Status)
		r.answer.headers = r.answer.headers.Clone()
		r.users = given.Campaigns == nil
		if !r.users {
			body, err := service.AppendJSON(nil, "", User{Campaigns: given.Campaigns})
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
	return r, nil
}

// defaultHeader sets a header that the settings of the service do not set.
func (a *answer) defaultHeader(name, value string) {
	if a.headers.Get(name) == "" {
		a.headers.Set(name, value)
	}
}

// newReplies prepares several replies. what they are is said before the number
// of each.
func newReplies(service *Service, prepared *answers, what string, given []Reply) ([]*reply, error) {
	list := make([]*reply, len(given))
	for i := range given {
		r, err := newReply(service, prepared, given[i], "A reply asks for this answer.")
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
		if s.next == len(u.replies) {
			u.exhausted = true
			if u.repeat {
				s.next = 0
				s.round++
			}
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
			lines = append(lines, r.place+": never played"+times(r.times))
		default:
			lines = append(lines, fmt.Sprintf("%s: played %d of %d times", r.place, played, r.times))
		}
	}
	for i, r := range s.queue {
		owed(r, s.queued*first(i))
	}
	if u != nil && u.owed && !u.exhausted && !u.repeat {
		for i, r := range u.replies[s.next:] {
			owed(r, s.played*first(i))
		}
	}
	return lines
}

func times(count int) string {
	if count == 1 {
		return ""
	}
	return fmt.Sprintf(", of %d times", count)
}

// first is 1 for the first of a list, which alone may have been played, and 0
// for the others.
func first(i int) int {
	if i == 0 {
		return 1
	}
	return 0
}

// maxQueued bounds how many replies of one token wait to be played.
const maxQueued = 10_000

// Enqueue has replies played for the next requests that carry the token, in
// their order, before the user's own replies and after those that were enqueued
// before. An enqueued reply that is played Always ends when another is enqueued.
//
// It is an error if the token has no user, if a reply breaks the rules of the
// format, or if more than 10,000 would wait; nothing is enqueued then, and the
// test that a server was made for hears of it as well. RemoveUser and Reset drop
// what has not been played.
func (s *Server) Enqueue(token string, replies ...Reply) error {
	if s.test != nil {
		s.test.Helper()
	}
	set := fixtures.Set{Users: map[string]User{token: {Replies: replies}}}
	if err := set.Check(); err != nil {
		return s.refuse("Enqueue", err)
	}
	prepared, err := newReplies(&s.service, &s.answers, "enqueued reply", replies)
	if err != nil {
		return s.refuse("Enqueue", err)
	}
	if err := s.enqueue(token, prepared); err != nil {
		return s.refuse("Enqueue", err)
	}
	return nil
}

func (s *Server) enqueue(token string, replies []*reply) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.accounts.byToken[token]
	if n == nil || !n.known {
		if s.accounts.makeUnknown == nil {
			return noUser(token)
		}
		// An unknown token that somebody speaks of is known from then on.
		s.accounts.set(token, s.accounts.makeUnknown(token))
		n = s.accounts.byToken[token]
	}
	if len(n.script.queue)+len(replies) > maxQueued {
		return fmt.Errorf("%d replies of token %q wait to be played, and at most %d can; let requests play them first", len(n.script.queue), token, maxQueued)
	}
	n.script.enqueue(replies)
	return nil
}

func noUser(token string) error {
	return fmt.Errorf("no user has the token %q; name one that was given by WithUser, WithFixtures or SetUser", token)
}

// checkPlayed fails the test if replies that were given in Go have not been
// played. A test that has failed already learns of them from its log.
func (s *Server) checkPlayed(tb TB) {
	tb.Helper()
	var b strings.Builder
	s.mu.Lock()
	for _, token := range slices.Sorted(maps.Keys(s.accounts.byToken)) {
		n := s.accounts.byToken[token]
		for _, line := range n.script.unplayed(n.user) {
			fmt.Fprintf(&b, "\n\t%s: %s", ofToken(token), line)
		}
	}
	s.mu.Unlock()
	if b.Len() == 0 {
		return
	}
	report := tb.Errorf
	if tb.Failed() {
		report = tb.Logf
	}
	report("campaignfake: replies were not played:%s\nThe client sent fewer requests than the test has replies for. "+
		"Take away what is not meant to be met, give it Times: fake.Always, or make the server with fake.Lenient().", b.String())
}

// treat answers a request whose token meets more than the normal answer.
func (s *Server) treat(x *exchange) {
	if x.user.breaks { // the next request comes over a connection of its own
		x.Header().Set("Connection", "close")
	}
	t := s.turn(x)
	if t.wait > 0 {
		s.rateLimited(x, t.wait)
		return
	}
	x.reason = x.user.reason
	r, delay := t.reply, x.user.delay
	if r != nil {
		x.because("user %q, %s", x.token, t.place)
	} else if c := x.user.chaos; c != nil {
		var why string
		r, why = c.strike(s.service.Seed, x.token, t.number)
		x.reason += why
		if c.delay != nil {
			delay = c.delay
		}
	}
	if r != nil && r.delay != nil {
		delay = r.delay
	}
	s.play(x, r, s.held(x, delay, t.number))
}

// A turn is what the state of a token has for one request.
type turn struct {
	wait   int // seconds until the rate limit allows a request; 0 if it does
	number int // of the request, among those that got here
	reply  *reply
	place  string
}

// turn takes what is next for the request.
func (s *Server) turn(x *exchange) (t turn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := x.account
	if t.wait = n.limit(); t.wait > 0 {
		return t
	}
	n.turns++
	t.number = n.turns
	t.reply, t.place = n.script.play(n.user)
	return t
}

// play answers as the reply has it, or normally if it is nil, after a delay.
func (s *Server) play(x *exchange, r *reply, delay heldBack) {
	if r == nil {
		r = &reply{answer: s.answers.success, users: true}
	}
	if r.fault == "hang" {
		s.hang(x)
		return
	}
	if !s.hold(x, delay) {
		return
	}
	body := r.answer.body
	switch {
	case r.users:
		body, _ = x.user.answer()
		x.kept = len(body)
	case body == nil:
		body = problem(r.answer.status, r.detail)
	}
	s.deliver(x, r, body)
}

// checkedReply returns the first thing that is wrong with a reply.
func checkedReply(r Reply) error {
	set := fixtures.Set{Users: map[string]User{"any": {Replies: []Reply{r}}}}
	var mistakes *fixtures.Mistakes
	if errors.As(set.Check(), &mistakes) {
		m := mistakes.List[0]
		if key := m.Path[strings.LastIndexByte(m.Path, '.')+1:]; strings.HasPrefix(m.Problem, "cannot ") {
			return fmt.Errorf("%s %s; %s", key, m.Problem, m.Instead)
		}
		return fmt.Errorf("%s; %s", m.Problem, m.Instead)
	}
	return nil
}

// wrongPage is what a proxy or a captive portal sends in place of JSON.
const wrongPage = `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>Sign in</title></head>
<body><h1>Sign in</h1><p>This is a page, where a list of campaigns should be.</p></body>
</html>
`
