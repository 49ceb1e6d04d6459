package plan

import (
	"sync"

	"example.com/campaignfake/fixtures"
)

// A User is a fixtures.User with its answers prepared. It never changes, except for IsPlayed.
type User struct {
	Fixture fixtures.User // nobody changes it
	Token   string        // the token that got this user; "" for the user of unknown tokens
	Door    Door
	Summary string // describes the normal answer, for example "250 generated campaigns"
	Replies []*Reply
	Delay   *fixtures.Delay // the delay of the user, or else of the service

	// IsOfUpstream is true for the user of unknown tokens if the upstream answers their requests.
	IsOfUpstream bool

	// IsPlayed is true once some token has played all replies, except for a reply with Times
	// Always. The engine sets it, under its lock.
	IsPlayed bool

	service *fixtures.Service
	body    func() Body // returns the normal body; nil if each token has a body of its own
}

// A Door is the way by which a user or a reply was given.
type Door int

const (
	DoorFile Door = iota // also for users that the server makes for unknown tokens
	DoorGo               // a strict test fails if a reply given by Go code is not played
	DoorHTTP
)

// NewUser prepares a user that has been checked. It does not copy the user, so the caller must not
// change it afterwards.
func (p *Snapshot) NewUser(token string, given fixtures.User, door Door) *User {
	given = p.Service.WithDates(given)
	normal := fixtures.User{Campaigns: given.Campaigns, Generate: given.Generate}
	u := &User{
		Fixture: given,
		Token:   token,
		Door:    door,
		Summary: normal.String(),
		Replies: p.newReplies(token, given.Replies, door),
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

// Body returns the body of the normal answer to a token. Each unknown token has its own body, which
// Body makes anew for each request: the number of unknown tokens has no limit.
func (u *User) Body(token string) Body {
	if u.body == nil {
		return campaignsBody(u.service, token, u.Fixture)
	}
	return u.body()
}

// keptBody returns a function that returns the body with the campaigns of a user. The function
// encodes the campaigns when it is first called, and keeps the body. Many campaigns take time, and
// perhaps nobody requests them.
func keptBody(service *fixtures.Service, token string, u fixtures.User) func() Body {
	return sync.OnceValue(func() Body {
		return campaignsBody(service, token, u)
	})
}
