package fake

import (
	"cmp"
	"fmt"

	"example.com/campaignfake/fixtures"
	"github.com/rs/cors"
)

// A snapshot is the settings of a server and the users that it starts with. It never
// changes. A reload makes another one. A request is answered by the one that was in
// force when it arrived.
type snapshot struct {
	service *Service                  // every setting given
	places  map[string]fixtures.Place // where settings come from, by their names
	path    string                    // of the route
	cors    func() *cors.Cors         // made when a page asks; nil if off
	success answer
	answers map[ResponseName]answer // those with a body; see named
	limits  Limits
	chaos   *chaos // of the service; nil if there is none

	users       []*user // in the order in which they were given
	byToken     map[string]*user
	unknownUser *user // of every unknown token; nil if those are rejected
	mayBreak    bool  // requests of a user may break a connection

	base *snapshot // without the settings of SetService; nil if there are none
	set  *layer    // those settings
}

// newSnapshot makes a snapshot, and fails if anything in the options is wrong.
func newSnapshot(c *config) (*snapshot, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	service := c.service
	p := &snapshot{
		service: &service,
		places:  c.places,
		path:    service.BasePath + campaignsPath,
		cors:    newCORS(service.CORS),
		success: newAnswer(service.Success, "application/json"),
		answers: withBodies(&service.Responses),
		limits:  c.limits,
		users:   make([]*user, len(c.order)),
		byToken: make(map[string]*user, len(c.order)),
	}
	p.chaos = p.newChaos(service.Chaos)
	lists := make(map[*Campaign]*user) // the first user of each list of campaigns
	sent := int64(0)
	for i, token := range c.order {
		given := c.users[token]
		var first *Campaign
		if len(given.Campaigns) > 0 {
			first = &given.Campaigns[0]
		}
		other := lists[first]
		if other != nil && len(other.given.Campaigns) == len(given.Campaigns) {
			given.Campaigns = nil
		} else {
			other = nil
		}
		u, err := p.newUserLike(other, token, given.Clone())
		if err != nil {
			return nil, err
		}
		if first != nil {
			lists[first] = u
		}
		u.required, u.place = c.required[token], i+1
		p.users[i], p.byToken[token] = u, u
		p.mayBreak = p.mayBreak || u.mayBreak
		if sent += u.sent; p.limits.Campaigns > 0 && sent > p.limits.Campaigns {
			return nil, fmt.Errorf("users.%s: %w for more than %s of campaigns of all users%s; generate fewer, or give the server more memory", token, errFull, inBytes(p.limits.Campaigns), p.limits.of())
		}
	}
	if service.UnknownTokens == "generate" {
		p.unknownUser = p.newUnknownUser()
		p.mayBreak = p.mayBreak || p.unknownUser.mayBreak
	}
	return p, nil
}

// user returns the user that a token starts with, or nil.
func (p *snapshot) user(token string) *user { return p.byToken[token] }

// unchanged returns the tokens that have the same user in p and in the next snapshot. It
// compares whole lists, which takes too long for state.mu. A reset meanwhile changes
// settings alone.
func (p *snapshot) unchanged(next *snapshot) map[string]bool {
	tokens := make(map[string]bool)
	for _, u := range p.users {
		if now := next.user(u.token); now != nil && u.given.Equal(now.given) {
			tokens[u.token] = true
		}
	}
	return tokens
}

// unknownCount is how many campaigns an unknown token gets unless such tokens are
// rejected.
const unknownCount = 10

// newUnknownUser makes the user that all unknown tokens share. Its body depends on
// the token, and is made for each request, so that an unknown token takes no memory.
func (p *snapshot) newUnknownUser() *user {
	u := &user{
		given:   User{Generate: &Generate{Count: unknownCount}},
		service: p.service,
		reason:  fmt.Sprintf("unknown token: %s", counted(unknownCount, "generated campaign")),
		delay:   p.delayOf(User{}),
		chaos:   p.chaos,
	}
	u.prepare()
	return u
}

// delayOf returns the delay of the answers to a user: its own, else that of its chaos,
// else that of the service. It returns nil if there is none.
func (p *snapshot) delayOf(u User) *Delay {
	ofChaos := func(c *Chaos) *Delay {
		if c == nil {
			return nil
		}
		return c.Delay
	}
	chaos := cmp.Or(u.Chaos, p.service.Chaos)
	delay := cmp.Or(u.Delay, ofChaos(chaos), p.service.Delay)
	if delay == nil || *delay == (Delay{}) {
		return nil
	}
	return delay
}
