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
	Like         string `json:"like,omitempty"`  // demo if it has the user of demo; else ""
	Given        string `json:"given,omitempty"` // when it got its own user, see below; or ""
	Description  string `json:"description,omitempty"`
	Summary      string `json:"summary"`          // how the server answers its requests, in words
	NormalAnswer string `json:"normal_answer"`    // what it gets if no reply is played, in words
	Repeat       bool   `json:"repeat,omitempty"` // the user's replies start over after the last
	Requests     int    `json:"requests"`         // how many requests carried the token
	Waiting      int    `json:"waiting"`          // how many enqueued replies wait
}

// The values of listedUser.Given: when the token got its user.
const (
	givenAtStart = "start"    // with the fixtures; a reset of the token keeps this user
	givenLater   = "later"    // over HTTP or by a test; a reset removes this user
	givenInstead = "replaced" // over HTTP or by a test; a reset brings back the user from the start
)

// A wholeUser is the answer about one token: the entry in the list of users, and the user itself.
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

// getUsers lists all users, or the users of the tokens of a run. For one token it answers with the
// user of that token instead.
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

// whenGiven returns when a token got its user, as one of the constants of listedUser.Given. It
// returns "" if the token has no user of its own.
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

// describeUnknown says how the server answers tokens that no user has.
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

// summaryOfUnknown describes in words the user that all unknown tokens have.
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

// readPast reads the parameter "anew". With anew=false, the token keeps its counts, and its
// requests in the journal. By default, the server removes these counts and requests.
func readPast(q *query) engine.Past {
	anew := q.flag("anew")
	if anew != nil && !*anew {
		return engine.KeepPast
	}
	return engine.ForgetPast
}

// putUser gives a token a user. It answers 201 if the token was given neither a user nor replies
// before, and 200 otherwise.
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

// putUserFromBody gives a token the user in the body of the call. created is false if the token was
// given a user or replies before.
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

// parseUser reads the user of a token from the body of a call.
func (c *call) parseUser(
	service *fixtures.Service, token string, body []byte,
) (fixtures.User, error) {
	c.engine.Parsing.Lock()
	defer c.engine.Parsing.Unlock()
	return service.ReadUser("body", token, body)
}

// putUserLike gives a token a copy of the user of the token p.like. created is false if the token
// was given a user or replies before.
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

// deleteUsers removes the user of a token, or the users of the tokens of a run.
func deleteUsers(c *call, p userRemoval) error {
	if err := c.engine.RemoveUsers(p.scope, p.past); err != nil {
		return err
	}
	return c.sendNothing(http.StatusNoContent)
}
