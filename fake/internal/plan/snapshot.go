package plan

import (
	"strings"

	"example.com/campaignfake/fixtures"
	"github.com/rs/cors"
)

// A Snapshot is the settings of a server and the users that it starts with. A reload makes another
// one, and a request is answered by the one that was in force when it arrived. It never changes,
// save that its users note which replies were played.
type Snapshot struct {
	Service  *fixtures.Service // every setting given
	Places   map[string]string // where settings were given, by their names
	BasePath string            // that of the service; "" if it is the root
	Path     string            // of the route
	Cors     func() *cors.Cors // made when a page asks; nil if off
	Success  Answer            // to a valid token; the campaigns are left out

	Users       []*User // in the order in which they were given
	byToken     map[string]*User
	Like        string // the token of the user that unknown tokens are like; "" if they are not
	UnknownUser *User  // whose campaigns are generated for unknown tokens; nil if they are not
}

// NewSnapshot makes a snapshot, and fails if anything in the options is wrong.
func NewSnapshot(c *Config) (*Snapshot, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	service := c.set.Service
	base := strings.TrimSuffix(service.BasePath, "/")
	p := &Snapshot{
		Service:  &service,
		Places:   c.set.Places,
		BasePath: base,
		Path:     base + CampaignsPath,
		Cors:     NewCORS(service.CORS),
		Success:  newAnswer(service.Success, fixtures.Response{}),
		Users:    make([]*User, len(c.order)),
		byToken:  make(map[string]*User, len(c.order)),
	}
	for i, token := range c.order {
		u := p.NewUser(token, c.set.Users[token], Origin{Required: c.required[token]})
		p.Users[i], p.byToken[token] = u, u
	}
	c.set.Users, c.FixtureSets = nil, nil // a reload reads them again, and these can go then
	if like, is := strings.CutPrefix(service.UnknownTokens, fixtures.UnknownTokensLike); is {
		p.Like = like
	}
	if service.UnknownTokens == fixtures.UnknownTokensGenerate {
		p.UnknownUser = p.NewUser("", fixtures.User{Generate: &fixtures.Generate{Count: unknownCount}}, Origin{})
	}
	return p, nil
}

// User returns the user that a token starts with, or nil.
func (p *Snapshot) User(token string) *User { return p.byToken[token] }

// unknownCount is how many campaigns are generated for an unknown token.
const unknownCount = 10
