package control

import (
	"bytes"
	"errors"
	"net/http"
	"slices"
	"strconv"

	"example.com/campaignfake/fake/internal/engine"
	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fixtures"
)

// A listedUser is a user as the control plane shows it.
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
	u, like := status.User, ""
	if u.Token != status.Token {
		like = u.Token
	}
	return listedUser{
		Like: like, Token: status.Token, Description: u.Given.Description, Summary: u.Given.String(), NormalAnswer: u.Reason, Repeat: u.Given.Repeat,
		Requests: status.Requests, Waiting: status.Enqueued,
	}
}

// unknownTokens describes the answers to tokens that no user has.
type unknownTokens struct {
	Summary      string `json:"summary"`
	NormalAnswer string `json:"normal_answer,omitempty"` // "" if they are refused
}

// unknown is a token that no user can have, because no client can send it.
const unknown = " "

func (c *call) unknownTokens() unknownTokens {
	switch u := c.plane.User(unknown).User; {
	case u == nil:
		return unknownTokens{Summary: strconv.Itoa(c.plane.InForce().Service.Responses.InvalidToken.Status)}
	case u.Token != "":
		return unknownTokens{"like " + u.Token, u.Reason}
	default:
		return unknownTokens{u.Reason + ", always the same", u.Reason}
	}
}

func getUsers(c *call) error {
	token := c.query.token()
	switch {
	case c.query["format"] == "yaml":
		return c.answerFixtures(token)
	case token != nil:
		return c.answerUser(http.StatusOK, *token)
	}
	users := []listedUser{}
	for _, status := range c.plane.Users() {
		users = append(users, listed(status))
	}
	return c.json(map[string]any{"users": users, "unknown": c.unknownTokens()})
}

// answerFixtures answers with the user of a token as a file of fixtures, or if that is nil with
// all users that were given for their tokens.
func (c *call) answerFixtures(token *string) error {
	set := &fixtures.Set{Users: make(map[string]fixtures.User)}
	if token != nil {
		status := c.plane.User(*token)
		if !status.Known {
			return c.noUser(*token)
		}
		set.Users[*token] = status.User.Given
	} else {
		for _, status := range c.plane.Users() {
			if status.User.Token == status.Token {
				set.Users[status.Token] = status.User.Given
			}
		}
	}
	var text bytes.Buffer
	if err := set.WriteYAML(&text); err != nil {
		return err
	}
	return c.send(http.StatusOK, "application/yaml", text.Bytes())
}

// answerUser answers with the user of a token.
func (c *call) answerUser(httpStatus int, token string) error {
	status := c.plane.User(token)
	if !status.Known {
		return c.noUser(token)
	}
	user, err := status.User.Given.MarshalJSON() // of which encoding/json would make two copies
	if err != nil {
		return err
	}
	about := bytes.TrimSuffix(encoded(listed(status)), []byte("}\n"))
	return c.send(httpStatus, "application/json", append(slices.Insert(user, 0, append(about, `,"user":`...)...), "}\n"...))
}

func putUser(c *call, token string) error {
	status := http.StatusOK
	err := c.change(func(in *plan.Snapshot, body []byte) error {
		user, err := in.Service.ReadUser("body", token, body)
		if err != nil {
			return err
		}
		created, err := c.plane.PutUser(in, token, user, plan.Origin{Size: int64(len(body))}, !c.query.says("anew", false))
		if created {
			status = http.StatusCreated
		}
		return err
	})
	if err != nil {
		return err
	}
	return c.answerUser(status, token)
}

func deleteUser(c *call, token string) error {
	if c.plane.RemoveUser(token, !c.query.says("anew", false)) != nil {
		return c.noUser(token)
	}
	return c.noContent()
}

// postRelease releases the requests of a token that wait for it.
func postRelease(c *call, token string) error {
	return c.json(map[string]any{"released": c.plane.Release(token)})
}

// getReplies answers with the replies that wait for a token.
func getReplies(c *call, token string) error {
	status := c.plane.User(token)
	if !status.Known {
		return c.noUser(token)
	}
	return c.json(map[string]any{"replies": status.Waiting})
}

func postReplies(c *call, token string) error {
	err := c.change(func(in *plan.Snapshot, body []byte) error {
		replies, err := in.Service.ReadReplies("body", body)
		if err != nil {
			return err
		}
		return c.plane.PutReplies(in, token, replies, plan.Origin{Size: int64(max(len(body)/max(len(replies), 1), 1))})
	})
	switch {
	case errors.Is(err, engine.ErrNoUser):
		return c.noUser(token)
	case err != nil:
		return err
	}
	return getReplies(c, token)
}

func deleteReplies(c *call, token string) error {
	if c.plane.DropReplies(token) != nil {
		return c.noUser(token)
	}
	return c.noContent()
}
