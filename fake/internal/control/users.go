package control

import (
	"net/http"
	"strconv"

	"example.com/campaignfake/fake/internal/engine"
	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fixtures"
)

// A listedUser is a user as the control plane lists it.
type listedUser struct {
	Token        string `json:"token"`
	Like         string `json:"like,omitempty"` // the token of the user whose answers it gets, if none was given for its own
	Description  string `json:"description,omitempty"`
	Summary      string `json:"summary"`          // how its requests are answered, in words
	NormalAnswer string `json:"normal_answer"`    // its campaigns, in words
	Repeat       bool   `json:"repeat,omitempty"` // its own replies start over after the last
	Requests     int    `json:"requests"`         // that carried the token
	Waiting      int    `json:"waiting"`          // replies that were enqueued
}

func listed(status engine.UserStatus) listedUser {
	given := status.User.Given
	listed := listedUser{
		Token: status.Token, Description: given.Description, Summary: given.String(), NormalAnswer: status.User.Reason,
		Repeat: given.Repeat, Requests: status.Requests, Waiting: status.Enqueued,
	}
	if status.User.Token != status.Token {
		listed.Like = status.User.Token
	}
	return listed
}

// unknownTokens are the answers to tokens that no user has.
type unknownTokens struct {
	Summary      string `json:"summary"`
	NormalAnswer string `json:"normal_answer,omitempty"` // "" if they are refused
}

func (c *call) unknownTokens() unknownTokens {
	const unknown = " " // is a token that no user can have, because no client can send it
	switch u := c.plane.User(unknown).User; {
	case u == nil:
		return unknownTokens{Summary: strconv.Itoa(c.plane.InForce().Service.Responses.InvalidToken.Status)}
	case u.Token != "":
		return unknownTokens{"like " + u.Token, u.Reason}
	default:
		return unknownTokens{u.Reason + ", always the same", u.Reason}
	}
}

// getUsers lists all users, or answers with the one that has the token.
func getUsers(c *call) error {
	if _, isOne := c.query["token"]; isOne {
		status, err := c.user()
		if err != nil {
			return err
		}
		return c.json(http.StatusOK, struct {
			listedUser
			User fixtures.User `json:"user"`
		}{listed(status), status.User.Given})
	}
	users := []listedUser{}
	for _, status := range c.plane.Users() {
		users = append(users, listed(status))
	}
	return c.json(http.StatusOK, object{"users": users, "unknown": c.unknownTokens()})
}

// user returns the user of the token in the query, or an error if there is none.
func (c *call) user() (engine.UserStatus, error) {
	status := c.plane.User(c.query["token"])
	if !status.Known {
		return status, engine.ErrNoUser
	}
	return status, nil
}

// putUser answers with 201 if nothing was given for the token before.
func putUser(c *call) error {
	status, token := http.StatusOK, c.query["token"]
	err := c.change(func(in *plan.Snapshot, body []byte) error {
		user, err := in.Service.ReadUser("body", token, body)
		if err != nil {
			return err
		}
		created, err := c.plane.PutUser(in, token, user, plan.Origin{Size: int64(len(body))}, c.startsAnew())
		if created {
			status = http.StatusCreated
		}
		return err
	})
	return c.done(status, err)
}

func deleteUser(c *call) error {
	return c.done(http.StatusNoContent, c.plane.RemoveUser(c.query["token"], c.startsAnew()))
}

// startsAnew reports whether the token of a call that changes its user starts anew.
func (c *call) startsAnew() bool { return c.query["anew"] != "false" }

func postRelease(c *call) error {
	return c.json(http.StatusOK, object{"released": c.plane.Release(c.query["token"])})
}

func getReplies(c *call) error {
	status, err := c.user()
	if err != nil {
		return err
	}
	return c.json(http.StatusOK, object{"replies": status.Waiting})
}

// postReplies answers with how many replies are played before those that it enqueues.
func postReplies(c *call) error {
	before, token := 0, c.query["token"]
	err := c.change(func(in *plan.Snapshot, body []byte) error {
		replies, err := in.Service.ReadReplies("body", body)
		if err != nil {
			return err
		}
		before, err = c.plane.PutReplies(in, token, replies, plan.Origin{Size: int64(max(len(body)/max(len(replies), 1), 1))})
		return err
	})
	if err != nil {
		return err
	}
	return c.json(http.StatusOK, object{"before": before})
}

func deleteReplies(c *call) error {
	return c.done(http.StatusNoContent, c.plane.DropReplies(c.query["token"]))
}
