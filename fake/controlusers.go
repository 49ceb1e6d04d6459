package fake

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"example.com/campaignfake/fixtures"
)

// A listedUser is a user as the control plane shows it.
type listedUser struct {
	Token        string `json:"token"`
	Description  string `json:"description,omitempty"`
	Summary      string `json:"summary"`          // how its requests are answered, in words
	NormalAnswer string `json:"normal_answer"`    // its campaigns, in words
	Repeat       bool   `json:"repeat,omitempty"` // its own replies start over after the last
	Requests     int    `json:"requests"`         // that carried the token
	Waiting      int    `json:"waiting"`          // replies that were enqueued
}

func listed(status userStatus) listedUser {
	u := status.user
	return listedUser{
		Token: u.token, Description: u.given.Description, Summary: u.given.String(), NormalAnswer: u.reason, Repeat: u.given.Repeat,
		Requests: status.requests, Waiting: status.enqueued,
	}
}

// unknownTokens describes the answers to tokens that no user has.
type unknownTokens struct {
	Summary      string `json:"summary"`
	NormalAnswer string `json:"normal_answer,omitempty"` // "" if they are refused
}

func (p *snapshot) unknownTokens() unknownTokens {
	if p.unknownUser == nil {
		return unknownTokens{Summary: strconv.Itoa(p.service.Responses.InvalidToken.Status)}
	}
	answer := p.unknownUser.given.String()
	return unknownTokens{answer + ", always the same", answer}
}

func getUsers(c *call) {
	p := c.parameters("token", "format")
	format, given := p.values["format"]
	if given && format != "json" && format != "yaml" {
		p.refuse("The parameter format is %q; send json, or yaml for a file of fixtures.", shorten(format))
	}
	token := p.token()
	switch {
	case p.refused:
		return
	case format == "yaml":
		c.answerFixtures(token)
		return
	case token != nil:
		c.answerUser(http.StatusOK, *token)
		return
	}
	c.jsonOf(func() any {
		users := []listedUser{}
		for _, status := range c.server.state.users() {
			users = append(users, listed(status))
		}
		return map[string]any{"users": users, "unknown": c.server.state.inForce().unknownTokens()}
	})
}

// answerFixtures answers with the user of a token, or with all users if that is nil, as
// a file of fixtures.
func (c *call) answerFixtures(token *string) {
	set := &fixtures.Set{Users: make(map[string]User)}
	for _, status := range c.server.state.users() {
		if token == nil || status.user.token == *token {
			set.Users[status.user.token] = status.user.given
		}
	}
	if token != nil && len(set.Users) == 0 {
		c.refuseNoUser(*token)
		return
	}
	c.sendLarge(http.StatusOK, "application/yaml", func() ([]byte, error) {
		text := boundedBuffer{limits: c.server.config.limits}
		err := set.WriteYAML(&text)
		return text.Bytes(), err
	})
}

// A boundedBuffer is an answer that must find room in the memory: lists that users share
// are written for each of them.
type boundedBuffer struct {
	bytes.Buffer
	limits Limits
}

func (b *boundedBuffer) Write(text []byte) (int, error) {
	if most := b.limits.Reading; int64(b.Len()+len(text)) > most {
		return 0, fmt.Errorf("%w for a file of more than %s%s; ask for one user, with the parameter token", errFull, inBytes(most), b.limits.of())
	}
	return b.Buffer.Write(text)
}

// answerUser answers with the user of a token.
func (c *call) answerUser(httpStatus int, token string) {
	status := c.server.state.user(token)
	if !status.known {
		c.refuseNoUser(token)
		return
	}
	c.sendLarge(httpStatus, "application/json", func() ([]byte, error) {
		user, err := status.user.given.MarshalJSON() // of which encoding/json would make two copies
		about := bytes.TrimSuffix(marshaled(listed(status)), []byte("}\n"))
		return append(slices.Insert(user, 0, append(about, `,"user":`...)...), "}\n"...), err
	})
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

// readUser gives a token the user in a body, and reports whether the token had none
// before.
func (s *Server) readUser(token string, body []byte) (created bool, err error) {
	err = s.read(body, func(p *snapshot, limits Limits) error {
		user, err := p.service.ReadUser("body", token, body)
		if err == nil {
			err = limits.checkReplies(len(user.Replies))
		}
		if err == nil {
			created, err = s.setUser(p, token, user, limits.kept(body, len(user.Replies)), false)
		}
		return err
	})
	return created, err
}

// read calls a function that reads a body, and changes what that says. It does so for one
// body at a time, and fails if there is no memory for what the body holds.
func (s *Server) read(body []byte, change func(*snapshot, Limits) error) error {
	s.reading.Lock()
	defer s.reading.Unlock()
	if s.stopping.Err() != nil {
		return errClosed
	}
	limits := s.config.limits
	if err := limits.checkValues(body); err != nil {
		return err
	}
	return change(s.state.inForce(), limits)
}

// refuseChange answers a change that failed.
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

func deleteUser(c *call) { c.forUser(c.server.state.removeUser) }

// forUser calls a function with the token of the call. The function returns false
// if no user has the token.
func (c *call) forUser(change func(token string) bool) {
	token, ok := c.requiredToken()
	switch {
	case !ok:
	case change(token):
		c.WriteHeader(http.StatusNoContent)
	default:
		c.refuseNoUser(token)
	}
}

func getReplies(c *call) {
	if token, ok := c.requiredToken(); ok {
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
	c.jsonOf(func() any { return map[string]any{"replies": status.waiting} })
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

// readReplies enqueues the replies in a body.
func (s *Server) readReplies(token string, body []byte) error {
	return s.read(body, func(p *snapshot, limits Limits) error {
		replies, err := p.service.ReadReplies("body", body)
		if err == nil {
			err = limits.checkReplies(len(replies))
		}
		if err != nil {
			return err
		}
		return s.enqueue(token, replies, limits.kept(body, len(replies))/max(len(replies), 1)+replyBytes, false)
	})
}

func deleteReplies(c *call) { c.forUser(c.server.state.dropReplies) }
