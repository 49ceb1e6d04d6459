package fake

import (
	"fmt"
	"net/http"
)

// treat answers a request whose token meets more than the normal answer.
func (s *Server) treat(x *exchange) {
	t := s.turn(x)
	if t.wait > 0 {
		s.rateLimited(x, t.wait)
		return
	}
	if t.reply != nil && t.reply.isFragile() {
		s.settle() // it may have been the last
	}
	x.reason = x.user.reason
	r, delay := t.reply, x.user.delay
	if r != nil {
		x.because("user %q, %s", x.token, t.place)
	} else if c := x.user.chaos; c != nil {
		r = c.strike(x, x.setup.service.Seed, t.number)
	}
	if r != nil && r.given.Delay != nil {
		delay = r.given.Delay
	}
	s.play(x, r, s.held(x, delay, "request", t.number))
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
	// Somebody may have given the token another user since the request arrived,
	// who has what was enqueued now. What came before a Reset is left behind.
	if now := s.accounts.byToken[x.token]; now != nil && now.user != nil && x.journal == s.journal {
		x.account, x.user, x.setup = now, now.user, s.setup.Load()
	}
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
		r = &reply{answer: x.setup.answers.success, users: true}
	}
	if r.given.Fault == "hang" || r.given.Fault == "stall" || r.given.Rate > 0 || delay.length > 0 {
		x.drain()
	}
	if r.given.Fault == "hang" {
		s.hang(x)
		return
	}
	if !s.hold(x, delay) {
		return
	}
	if s.breakOff(x, r) {
		return
	}
	body := r.answer.body
	switch {
	case r.users:
		body, _ = x.user.answer()
		x.kept = len(body)
	case body == nil:
		body = problem(r.answer.status, detail(r.answer.status))
	}
	s.deliver(x, r, body)
}

// detail is what a problem document says of a status that was asked for.
func detail(status int) string {
	switch status {
	case http.StatusUnauthorized:
		return "The bearer token is not valid."
	case http.StatusForbidden:
		return "The bearer token does not allow this."
	case http.StatusNotFound:
		return "There is nothing here."
	case http.StatusTooManyRequests:
		return "Too many requests were sent. Try again later."
	case http.StatusInternalServerError:
		return "The service has failed."
	case http.StatusBadGateway:
		return "A server behind the service has failed."
	case http.StatusServiceUnavailable:
		return "The service is not available at the moment."
	case http.StatusGatewayTimeout:
		return "A server behind the service has not answered in time."
	}
	return fmt.Sprintf("The service answers this request with status %d.", status)
}
