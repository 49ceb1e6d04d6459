package fake

import (
	"errors"
	"fmt"
	"net/http"
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
	x.refuse(http.StatusNotFound, fmt.Sprintf("No user has the token %q. GET /_fake/users lists the users.", shorten(token)))
}

func (s *Server) putUser(x *exchange) {
	token, ok := x.tokenParameter()
	if !ok {
		return
	}
	body, ok := x.readBody()
	if !ok {
		return
	}
	s.parsing.Lock() // since one body at a time takes memory enough
	user, err := s.setup.Load().service.ReadUser("body", token, body)
	s.parsing.Unlock()
	if err != nil {
		x.refuseBody(err)
		return
	}
	created, room := s.roomFor(token)
	if !room {
		x.crowded()
		return
	}
	if err := s.setUser(token, user, false); err != nil {
		x.refuseBody(err)
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

// roomFor reports whether a token has no user yet, and whether it can have one.
func (s *Server) roomFor(token string) (unknown, room bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	unknown = s.accounts.known(token) == nil
	return unknown, !unknown || len(s.accounts.byToken)-s.accounts.unknown.Len() < controlUsers
}

func (x *exchange) crowded() {
	x.refuse(http.StatusInsufficientStorage, fmt.Sprintf("There are %d users, and no room for more. Remove some, or reset the server.", controlUsers))
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
	token, ok := x.tokenParameter()
	if !ok {
		return
	}
	body, ok := x.readBody()
	if !ok {
		return
	}
	s.parsing.Lock()
	replies, err := s.setup.Load().service.ReadReplies("body", body)
	s.parsing.Unlock()
	if err != nil {
		x.refuseBody(err)
		return
	}
	if _, room := s.roomFor(token); !room {
		x.crowded()
		return
	}
	prepared, err := s.setup.Load().replies("enqueued reply", replies)
	if err != nil {
		x.refuseBody(err)
		return
	}
	switch err := s.enqueueReplies(token, prepared, false); {
	case errors.Is(err, errNoUser):
		x.noSuchUser(token)
	case err != nil:
		x.refuse(http.StatusInsufficientStorage, sentence(err.Error()))
	default:
		s.getReplies(x)
	}
}

func (s *Server) deleteReplies(x *exchange) {
	token, ok := x.tokenParameter()
	if !ok {
		return
	}
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
