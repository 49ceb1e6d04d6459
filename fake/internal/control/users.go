package control

import (
	"net/http"
	"strconv"

	"example.com/campaignfake/fake/internal/engine"
	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fixtures"
)

// A listedUser is a user in the list of users.
type listedUser struct {
	Token        string `json:"token"`
	Like         string `json:"like,omitempty"`  // the token whose user it has
	Given        string `json:"given,omitempty"` // when its own user was; "" if it has none
	Description  string `json:"description,omitempty"`
	Summary      string `json:"summary"`          // how its requests are answered, in words
	NormalAnswer string `json:"normal_answer"`    // its campaigns, in words
	Repeat       bool   `json:"repeat,omitempty"` // its own replies start over after the last
	Requests     int    `json:"requests"`         // that carried the token
	Waiting      int    `json:"waiting"`          // replies that were enqueued
}

// When the user of a token was given.
const (
	givenAtStart = "start"    // it comes back when the token is reset
	givenLater   = "later"    // over HTTP or by a test, for a token that had none at the start
	givenInstead = "replaced" // in the same way, in place of the one of the start
)

// A wholeUser is a user with all that was given for it.
type wholeUser struct {
	listedUser
	User fixtures.User `json:"user"`
}

// unknownTokens says how tokens are answered that no user has.
type unknownTokens struct {
	Summary      string `json:"summary"`
	NormalAnswer string `json:"normal_answer,omitempty"` // "" if they are refused
}

// A userFilter is the parameters of the route that lists users.
type userFilter struct {
	scope  engine.Scope
	isYAML bool
}

func readUserFilter(q *query) userFilter {
	p := userFilter{
		scope:  q.scope(),
		isYAML: q.isYAML(),
	}
	_, isOne := p.scope.One()
	if p.isYAML && !isOne {
		q.incomplete = refuseMissing("token")
	}
	return p
}

// getUsers lists all users or the users of a test. For one token it answers with its user.
func getUsers(c *call, p userFilter) error {
	token, isOne := p.scope.One()
	if p.isYAML {
		return c.sendUserYAML(token)
	}
	if isOne {
		return c.sendUser(token)
	}
	return c.sendLargeJSON(func() any {
		users := []listedUser{}
		for _, status := range c.engine.Users(p.scope) {
			users = append(users, c.listed(status))
		}
		return object{"users": users, "unknown": c.describeUnknown()}
	})
}

func (c *call) sendUser(token string) error {
	status := c.engine.User(token)
	if !status.Known {
		return engine.ErrNoUser
	}
	return c.sendLargeJSON(func() any {
		return wholeUser{
			listedUser: c.listed(status),
			User:       ownUser(status),
		}
	})
}

// ownUser returns the user of a token as it was given.
func ownUser(status engine.UserStatus) fixtures.User {
	if status.OwnUser != nil {
		return status.OwnUser.Fixture
	}
	return status.User.Fixture
}

func (c *call) listed(status engine.UserStatus) listedUser {
	user := status.User
	if user == nil { // the user that it is like was removed
		user = status.OwnUser
	}
	like := ""
	switch {
	case status.OwnUser != nil:
		like = status.OwnUser.Fixture.Like
	case user.Token != status.Token:
		like = user.Token
	}
	description := user.Fixture.Description
	if status.OwnUser != nil && status.OwnUser.Fixture.Description != "" {
		description = status.OwnUser.Fixture.Description
	}
	return listedUser{
		Token:        status.Token,
		Like:         like,
		Given:        c.whenGiven(status),
		Description:  description,
		Summary:      user.Fixture.String(),
		NormalAnswer: user.Summary,
		Repeat:       user.Fixture.Repeat,
		Requests:     status.Requests,
		Waiting:      status.Enqueued,
	}
}

// whenGiven returns when the user of a token was given, "" if it has none of its own.
func (c *call) whenGiven(status engine.UserStatus) string {
	ofStart := c.engine.InForce().User(status.Token)
	switch {
	case status.OwnUser == nil:
		return ""
	case status.OwnUser == ofStart:
		return givenAtStart
	case ofStart == nil:
		return givenLater
	}
	return givenInstead
}

// describeUnknown says how tokens are answered now that no user has.
func (c *call) describeUnknown() unknownTokens {
	user := c.engine.UnknownUser()
	if user == nil {
		refusal := c.engine.InForce().Service.Responses.InvalidToken
		return unknownTokens{Summary: strconv.Itoa(refusal.Status)}
	}
	return unknownTokens{
		Summary:      summaryOfUnknown(user),
		NormalAnswer: user.Summary,
	}
}

// summaryOfUnknown says in words how the user of unknown tokens answers their requests.
func summaryOfUnknown(user *plan.User) string {
	switch {
	case user.Token != "":
		return "like " + user.Token
	case user.IsOfUpstream:
		return user.Summary
	}
	return user.Summary + ", always the same"
}

// A userChange is the parameters of the route that gives a token a user.
type userChange struct {
	token string
	past  engine.Past
}

func readUserChange(q *query) userChange {
	return userChange{
		token: q.requiredToken("token"),
		past:  readPast(q),
	}
}

// readPast reads whether tokens start anew, with no requests and no replies. They do, unless the
// call says otherwise.
func readPast(q *query) engine.Past {
	if q.anew() {
		return engine.ForgetPast
	}
	return engine.KeepPast
}

// putUser gives a token a user. It answers with 201 if nothing was given for the token before.
func putUser(c *call, p userChange) error {
	created, err := c.putUserFromBody(p)
	if err != nil {
		return err
	}
	if created {
		return c.sendNothing(http.StatusCreated)
	}
	return c.sendNothing(http.StatusOK)
}

// putUserFromBody gives a token the user in the body of the call, and reports whether nothing was
// given for the token before.
func (c *call) putUserFromBody(p userChange) (created bool, err error) {
	err = c.readBody(func(body []byte) error {
		snapshot := c.engine.InForce()
		user, err := snapshot.Service.ReadUser("body", p.token, body)
		if err != nil {
			return err
		}
		created, err = c.engine.PutUser(snapshot.NewUser(p.token, user, plan.OfHTTP), p.past)
		return err
	})
	return created, err
}

// A userRemoval is the parameters of the route that removes users.
type userRemoval struct {
	scope engine.Scope
	past  engine.Past
}

func readUserRemoval(q *query) userRemoval {
	return userRemoval{
		scope: q.requiredScope(),
		past:  readPast(q),
	}
}

// deleteUsers removes the user of a token, or the users of a test.
func deleteUsers(c *call, p userRemoval) error {
	if err := c.engine.RemoveUsers(p.scope, p.past); err != nil {
		return err
	}
	return c.sendNothing(http.StatusNoContent)
}
