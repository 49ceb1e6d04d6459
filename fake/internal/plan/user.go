package plan

import (
	"sync"

	"example.com/campaignfake/fixtures"
)

// A User is a fixtures.User with its answers prepared. It never changes.
type User struct {
	Fixture fixtures.User // which nobody changes
	Token   string        // for which it was given; "" for the user of unknown tokens
	Origin  Origin
	Summary string // of a normal answer, as "250 generated campaigns"
	Replies []*Reply
	Delay   *fixtures.Delay // its own, or that of the service

	// IsOfUpstream is true for the user of unknown tokens whose campaigns the upstream has.
	IsOfUpstream bool

	service *fixtures.Service
	body    func() []byte // nil if each token has its own
}

// An Origin is who gave a user or a reply, over which door.
type Origin struct {
	Required bool  // given in Go: a strict test fails if a reply is not played
	Size     int64 // what it takes in memory if it came over HTTP, else 0
}

// IsTest reports whether a test gave it, in Go or over HTTP, and not a file.
func (o Origin) IsTest() bool {
	return o.Required || o.Size > 0
}

// NewUser prepares a user that has been checked, and keeps it: the caller must not change it
// any more.
func (p *Snapshot) NewUser(token string, given fixtures.User, origin Origin) *User {
	normal := fixtures.User{Campaigns: given.Campaigns, Generate: given.Generate}
	u := &User{
		Fixture: given,
		Token:   token,
		Origin:  origin,
		Summary: normal.String(),
		Replies: p.newReplies(token, given.Replies, origin),
		Delay:   given.Delay,
		service: p.Service,
	}
	if u.Delay == nil {
		u.Delay = p.Service.Delay
	}
	if token != "" {
		u.body = keptBody(p.Service, token, given)
	}
	return u
}

// Body returns the body of the normal answer to a token. Each unknown token has its own, which is
// not kept.
func (u *User) Body(token string) []byte {
	if u.body == nil {
		return campaignsBody(u.service, token, u.Fixture)
	}
	return u.body()
}

// keptBody returns a function that returns the body with the campaigns of a user. It is encoded
// when it is first asked for, and then kept: there may be a million campaigns, or nobody may ask.
func keptBody(service *fixtures.Service, token string, u fixtures.User) func() []byte {
	return sync.OnceValue(func() []byte {
		return campaignsBody(service, token, u)
	})
}
