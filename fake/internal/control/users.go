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
	Like         string `json:"like,omitempty"`  // the token whose user it has; "" for its own user
	Given        string `json:"given,omitempty"` // when its own user was given; "" for a run
	Description  string `json:"description,omitempty"`
	Summary      string `json:"summary"`          // how the server answers its requests, in words
	NormalAnswer string `json:"normal_answer"`    // its campaigns, in words
	Repeat       bool   `json:"repeat,omitempty"` // its own replies start over after the last
	Requests     int    `json:"requests"`         // how many requests carried the token
	Waiting      int    `json:"waiting"`          // how many enqueued replies wait
}

// When the user of a token was given.
const (
	givenAtStart = "start"    // a reset of the token brings the user back
	givenLater   = "later"    // over HTTP or by a test; the token had no user at the start
	givenInstead = "replaced" // over HTTP or by a test, in place of the user of the start
)

// A wholeUser is a user with everything that was given for it.
type wholeUser struct {
	listedUser
	User fixtures.User `json:"user"`
}

// unknownTokens says how the server answers tokens that no user has.
type unknownTokens struct {
	Summary      string `json:"summary"`
	NormalAnswer string `json:"normal_answer,omitempty"` // "" if unknown tokens are refused
}

// A userFilter holds the parameters of the route that lists users.
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
		q.refuseMissing("token")
	}
	return p
}

// getUsers lists all users or the users of a run. For one token it answers with its user.
func getUsers(c *call, p userFilter) error {
	token, isOne := p.scope.One()
	if p.isYAML {
		return c.sendUserYAML(token)
	}
	if isOne {
		return c.sendUser(token)
	}
	users := []listedUser{}
	for _, status := range c.engine.Users(p.scope) {
		users = append(users, c.listed(status))
	}
	return c.sendJSON(http.StatusOK, object{"users": users, "unknown": c.describeUnknown()})
}

func (c *call) sendUser(token string) error {
	status := c.engine.User(token)
	if !status.Known {
		return c.engine.NoUser(token)
	}
	return c.sendJSON(http.StatusOK, wholeUser{
		listedUser: c.listed(status),
		User:       status.User.Fixture,
	})
}

func (c *call) listed(status engine.UserStatus) listedUser {
	user := status.User
	like := ""
	if user.Token != status.Token {
		like = user.Token
	}
	summary := user.Fixture.String()
	if user.IsOfUpstream {
		summary = user.Summary
	}
	return listedUser{
		Token:        status.Token,
		Like:         like,
		Given:        c.whenGiven(status),
		Description:  user.Fixture.Description,
		Summary:      summary,
		NormalAnswer: user.Summary,
		Repeat:       user.Fixture.Repeat,
		Requests:     status.Requests,
		Waiting:      status.Enqueued,
	}
}

// whenGiven returns when the user of a token was given, and "" if the token has no user of its own.
func (c *call) whenGiven(status engine.UserStatus) string {
	ofStart := c.engine.InForce().User(status.Token)
	switch {
	case status.Given == nil:
		return ""
	case status.Given == ofStart:
		return givenAtStart
	case ofStart == nil:
		return givenLater
	}
	return givenInstead
}

// describeUnknown says how the server now answers tokens that no user has.
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

// A userChange holds the parameters of the route that gives a token a user.
type userChange struct {
	token string
	like  string // the token whose user is copied; "" if the body has the user
	past  engine.Past
}

func readUserChange(q *query) userChange {
	return userChange{
		token: q.requiredToken("token"),
		like:  q.userToken("like"),
		past:  readPast(q),
	}
}

// readPast reads the parameter anew. Unless it is false, the token starts anew, with no requests
// and no replies.
func readPast(q *query) engine.Past {
	anew := q.flag("anew")
	if anew != nil && !*anew {
		return engine.KeepPast
	}
	return engine.ForgetPast
}

// putUser gives a token a user. It answers with 201 if nothing was given for the token before.
func putUser(c *call, p userChange) error {
	put := c.putUserFromBody
	if p.like != "" {
		put = c.putUserLike
	}
	created, err := put(p)
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
	body, err := c.readBody()
	if err != nil {
		return false, err
	}
	snapshot := c.engine.InForce()
	user, err := c.parseUser(snapshot.Service, p.token, body)
	if err != nil {
		return false, err
	}
	return c.engine.PutUser(snapshot.NewUser(p.token, user, plan.DoorHTTP), p.past)
}

// parseUser parses the body of a call that has the user of a token.
func (c *call) parseUser(
	service *fixtures.Service, token string, body []byte,
) (fixtures.User, error) {
	c.engine.Parsing.Lock()
	defer c.engine.Parsing.Unlock()
	return service.ReadUser("body", token, body)
}

// putUserLike gives a token a copy of the user of another token, and reports whether nothing was
// given for it before.
func (c *call) putUserLike(p userChange) (created bool, err error) {
	body, err := c.readBody()
	if err != nil {
		return false, err
	}
	if len(body) > 0 {
		return false, refuse(http.StatusBadRequest,
			"The parameter like copies a user, and the body has another one; send one of the two.")
	}
	return c.engine.PutUserLike(p.token, p.like, p.past)
}

// A userRemoval holds the parameters of the route that removes users.
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

// deleteUsers removes the user of a token, or the users of a run.
func deleteUsers(c *call, p userRemoval) error {
	if err := c.engine.RemoveUsers(p.scope, p.past); err != nil {
		return err
	}
	return c.sendNothing(http.StatusNoContent)
}
