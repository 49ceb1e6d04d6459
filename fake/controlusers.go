package fake

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	"example.com/campaignfake/fixtures"
)

// A listedUser is a user as the control plane shows it.
type listedUser struct {
	Token       string `json:"token"`
	Description string `json:"description,omitempty"`
	Requests    int    `json:"requests"` // that carried the token
	Waiting     int    `json:"waiting"`  // replies that were enqueued

	User *User `json:"user,omitempty"` // of one user alone
}

func (n *account) listed() listedUser {
	return listedUser{Token: n.token, Description: n.user.given.Description, Requests: n.count, Waiting: len(n.script.queue)}
}

func (s *Server) getUsers(x *exchange) {
	values, ok := x.parameters("token")
	if !ok {
		return
	}
	token, one := values["token"]
	if !one {
		users := []listedUser{}
		s.mu.Lock()
		for _, n := range s.accounts.listed() {
			users = append(users, n.listed())
		}
		s.mu.Unlock()
		x.json(http.StatusOK, map[string]any{"users": users})
		return
	}
	s.mu.Lock()
	n := s.accounts.known(token)
	var user listedUser
	if n != nil {
		user = n.listed()
		user.User = &n.user.given
	}
	s.mu.Unlock()
	if n == nil {
		x.noSuchUser(token)
		return
	}
	x.json(http.StatusOK, user)
}

func (x *exchange) noSuchUser(token string) {
	x.refuse(http.StatusNotFound, fmt.Sprintf("No user has the token %q. GET /_fake/users lists the users.", shorten(token))+x.aboutPlus(token))
}

// aboutPlus says why there is a space in a token, "" if there is none: nobody means
// one, but some mean a plus.
func (x *exchange) aboutPlus(token string) string {
	if !strings.Contains(token, " ") || !strings.Contains(x.request.URL.RawQuery, "+") {
		return ""
	}
	return " In a query + stands for a space; send a + of the token as %2B."
}

func (s *Server) putUser(x *exchange) {
	token, body, ok := x.tokenAndBody()
	if !ok {
		return
	}
	user, created, refuse := s.takeUser(token, body)
	if refuse != nil {
		refuse(x)
		return
	}
	status := http.StatusOK
	if created {
		status = http.StatusCreated
	}
	put := listedUser{Token: token, Description: user.Description}
	s.mu.Lock()
	if n := s.accounts.known(token); n != nil {
		put = n.listed()
	}
	s.mu.Unlock()
	put.User = &user
	x.json(status, put)
}

// takeUser gives a token the user that a body has. If that cannot be, it returns
// what answers it.
func (s *Server) takeUser(token string, body []byte) (user User, created bool, refuse func(*exchange)) {
	s.parsing.Lock() // since one body at a time takes memory enough, and what is kept is counted
	defer s.parsing.Unlock()
	if s.stopping.Err() != nil {
		return user, false, (*exchange).refuseClosed
	}
	user, err := s.setup.Load().service.ReadUser("body", token, body)
	if err != nil {
		return user, false, func(x *exchange) { x.refuseBody(err) }
	}
	if full := s.full(token, len(body), true); full != "" {
		return user, false, func(x *exchange) { x.refuse(http.StatusInsufficientStorage, full) }
	}
	created = s.unknownTo(token)
	if err := s.setUser(token, user, len(body), false); err != nil {
		return user, false, func(x *exchange) { x.refuseBody(err) }
	}
	return user, created, nil
}

// refuseClosed answers what has waited until the server was closed.
func (x *exchange) refuseClosed() {
	x.refuse(http.StatusServiceUnavailable, "The server is closed.")
}

// unknownTo reports whether a token has no user.
func (s *Server) unknownTo(token string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.accounts.known(token) == nil
}

// full says why there is no room for so many bytes that somebody sent for a token,
// "" if there is. A user replaces the one of the token.
func (s *Server) full(token string, size int, replaces bool) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	users := 0
	for _, n := range s.accounts.byToken {
		if !n.known {
			continue
		}
		users++
		if !replaces || n.token != token {
			size += n.user.size
		}
		for _, r := range n.script.queue {
			size += r.size
		}
	}
	switch {
	case users >= controlUsers && s.accounts.known(token) == nil:
		return fmt.Sprintf("There are %d users, and no room for more. Remove some, or reset the server.", controlUsers)
	case size > controlTotal:
		return fmt.Sprintf("What was put and enqueued would take more than %d MiB. Remove some of it, or reset the server.", controlTotal>>20)
	}
	return ""
}

func (s *Server) deleteUser(x *exchange) {
	token, ok := x.tokenParameter()
	if !ok {
		return
	}
	if !s.removeUser(token) {
		x.noSuchUser(token)
		return
	}
	x.WriteHeader(http.StatusNoContent)
}

// A waitingReply is a reply that waits to be played.
type waitingReply struct {
	Reply  Reply `json:"reply"`
	Played int   `json:"played"` // how often it has been, of its times
}

func (s *Server) getReplies(x *exchange) {
	token, ok := x.tokenParameter()
	if !ok {
		return
	}
	s.mu.Lock()
	n := s.accounts.known(token)
	waiting := []waitingReply{}
	if n != nil {
		for r, played := range remaining(n.script.queue, n.script.queued) {
			waiting = append(waiting, waitingReply{r.given, played})
		}
		for r, played := range remaining(n.user.replies[n.script.next:], n.script.played) {
			waiting = append(waiting, waitingReply{r.given, played})
		}
	}
	s.mu.Unlock()
	if n == nil {
		x.noSuchUser(token)
		return
	}
	x.json(http.StatusOK, map[string]any{"replies": waiting})
}

func (s *Server) postReplies(x *exchange) {
	token, body, ok := x.tokenAndBody()
	if !ok {
		return
	}
	if refuse := s.takeReplies(token, body); refuse != nil {
		refuse(x)
		return
	}
	s.getReplies(x)
}

// takeReplies enqueues the replies that a body has. If that cannot be, it returns
// what answers it.
func (s *Server) takeReplies(token string, body []byte) (refuse func(*exchange)) {
	s.parsing.Lock()
	defer s.parsing.Unlock()
	if s.stopping.Err() != nil {
		return (*exchange).refuseClosed
	}
	replies, err := s.setup.Load().service.ReadReplies("body", body)
	switch {
	case errors.Is(err, fixtures.ErrTooManyReplies):
		return func(x *exchange) { x.refuse(http.StatusInsufficientStorage, sentence(err.Error())) }
	case err != nil:
		return func(x *exchange) { x.refuseBody(err) }
	}
	if s.unknownTo(token) && s.setup.Load().makeUnknown == nil {
		return func(x *exchange) { x.noSuchUser(token) }
	}
	if full := s.full(token, len(body)+len(replies)*replyBytes, false); full != "" {
		return func(x *exchange) { x.refuse(http.StatusInsufficientStorage, full) }
	}
	prepared, err := s.setup.Load().replies("enqueued reply", replies)
	if err != nil {
		return func(x *exchange) { x.refuseBody(err) }
	}
	for _, r := range prepared {
		r.size = len(body)/len(prepared) + replyBytes
	}
	switch err := s.enqueueReplies(token, prepared, false); {
	case errors.Is(err, errNoUser):
		return func(x *exchange) { x.noSuchUser(token) }
	case err != nil:
		return func(x *exchange) { x.refuse(http.StatusInsufficientStorage, sentence(err.Error())) }
	}
	return nil
}

func (s *Server) deleteReplies(x *exchange) {
	token, ok := x.tokenParameter()
	if !ok {
		return
	}
	defer s.settle()
	s.mu.Lock()
	n := s.accounts.known(token)
	if n != nil {
		n.script.queue, n.script.queued = nil, 0
		s.changed("replies", &token)
	}
	s.mu.Unlock()
	if n == nil {
		x.noSuchUser(token)
		return
	}
	x.WriteHeader(http.StatusNoContent)
}
