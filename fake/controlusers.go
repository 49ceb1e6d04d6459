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

func listed(status userStatus) listedUser {
	return listedUser{Token: status.user.token, Description: status.user.given.Description, Requests: status.requests, Waiting: status.enqueued}
}

func getUsers(c *call) {
	values, ok := c.parameters("token")
	if !ok {
		return
	}
	if token, one := values["token"]; one {
		c.answerUser(http.StatusOK, token)
		return
	}
	users := []listedUser{}
	for _, status := range c.server.state.users() {
		users = append(users, listed(status))
	}
	c.json(http.StatusOK, map[string]any{"users": users})
}

// answerUser answers with the user of a token.
func (c *call) answerUser(httpStatus int, token string) {
	status := c.server.state.user(token)
	if !status.known {
		c.refuseNoUser(token)
		return
	}
	user := listed(status)
	user.User = &status.user.given
	c.json(httpStatus, user)
}

func (c *call) refuseNoUser(token string) {
	c.refuse(http.StatusNotFound, fmt.Sprintf("No user has the token %q. GET /_fake/users lists the users.", shorten(token))+c.aboutPlus(token))
}

// aboutPlus says why there is a space in a token, "" if there is none: nobody means
// one, but some mean a plus.
func (c *call) aboutPlus(token string) string {
	if !strings.Contains(token, " ") || !strings.Contains(c.r.URL.RawQuery, "+") {
		return ""
	}
	return " In a query + stands for a space; send a + of the token as %2B."
}

func putUser(c *call) {
	token, body, ok := c.tokenAndBody()
	if !ok {
		return
	}
	created, err := c.server.readUser(token, body)
	switch {
	case err != nil:
		c.refuseChange(token, err)
	case created:
		c.answerUser(http.StatusCreated, token)
	default:
		c.answerUser(http.StatusOK, token)
	}
}

var errClosed = errors.New("the server is closed")

// readUser gives a token the user that a body has, and reports whether it had none
// before.
func (s *Server) readUser(token string, body []byte) (created bool, err error) {
	s.reading.Lock()
	defer s.reading.Unlock()
	if s.stopping.Err() != nil {
		return false, errClosed
	}
	user, err := s.state.inForce().service.ReadUser("body", token, body)
	if err != nil {
		return false, err
	}
	return s.setUser(token, user, len(body), false)
}

// refuseChange answers a body that cannot be used, or that there is no room for.
func (c *call) refuseChange(token string, err error) {
	switch {
	case errors.Is(err, errClosed):
		c.refuse(http.StatusServiceUnavailable, "The server is closed.")
	case errors.Is(err, errNoUser):
		c.refuseNoUser(token)
	case errors.Is(err, errFull), errors.Is(err, fixtures.ErrTooManyReplies):
		c.refuse(http.StatusInsufficientStorage, sentence(err.Error()))
	default:
		c.refuseBody(err)
	}
}

func deleteUser(c *call) {
	token, ok := c.tokenParameter()
	if !ok {
		return
	}
	if !c.server.state.removeUser(token) {
		c.refuseNoUser(token)
		return
	}
	c.WriteHeader(http.StatusNoContent)
}

// A waitingReply is a reply that waits to be played.
type waitingReply struct {
	Reply  Reply `json:"reply"`
	Played int   `json:"played"` // how often it has been, of its times
}

func getReplies(c *call) {
	if token, ok := c.tokenParameter(); ok {
		c.answerReplies(token)
	}
}

// answerReplies answers with the replies that wait for a token.
func (c *call) answerReplies(token string) {
	status := c.server.state.user(token)
	if !status.known {
		c.refuseNoUser(token)
		return
	}
	c.json(http.StatusOK, map[string]any{"replies": append([]waitingReply{}, status.waiting...)})
}

func postReplies(c *call) {
	token, body, ok := c.tokenAndBody()
	if !ok {
		return
	}
	if err := c.server.readReplies(token, body); err != nil {
		c.refuseChange(token, err)
		return
	}
	c.answerReplies(token)
}

// readReplies enqueues the replies that a body has.
func (s *Server) readReplies(token string, body []byte) error {
	s.reading.Lock()
	defer s.reading.Unlock()
	if s.stopping.Err() != nil {
		return errClosed
	}
	replies, err := s.state.inForce().service.ReadReplies("body", body)
	if err != nil {
		return err
	}
	return s.enqueue(token, replies, len(body)/max(len(replies), 1)+replyBytes, false)
}

func deleteReplies(c *call) {
	token, ok := c.tokenParameter()
	if !ok {
		return
	}
	if !c.server.state.dropReplies(token) {
		c.refuseNoUser(token)
		return
	}
	c.WriteHeader(http.StatusNoContent)
}

// getCampaigns answers with what a normal answer has for a token, and counts as no
// request of it.
func getCampaigns(c *call) {
	token, ok := c.tokenParameter()
	if !ok {
		return
	}
	status := c.server.state.user(token)
	if status.user == nil {
		c.refuseNoUser(token)
		return
	}
	body, length := status.user.answer(token)
	c.uncached("application/json")
	c.Header()["Content-Length"] = length
	c.WriteHeader(http.StatusOK)
	if c.r.Method != http.MethodHead {
		c.Write(body)
	}
}

// getService lists the settings in force.
func getService(c *call) {
	if _, ok := c.parameters(); ok {
		c.json(http.StatusOK, map[string]any{"settings": c.server.Settings()})
	}
}
