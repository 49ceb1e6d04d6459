package plan

import (
	"cmp"
	"strconv"
	"sync"

	"example.com/campaignfake/fixtures"
)

// A User is a fixtures.User with its answers prepared. Once the engine has it, only
// Exhausted changes.
type User struct {
	Given  fixtures.User // which nobody changes
	Token  string        // for which it was given; "" for the user of unknown tokens
	Reason string        // of a normal answer
	Origin
	Replies []*Reply
	Delay   *fixtures.Delay // its own, or that of the service

	// Exhausted is set when all replies with a finite number of times have been
	// played: a strict test does not require them again after a reset. The lock of the
	// engine guards it.
	Exhausted bool

	service *fixtures.Service
	body    body // nil if each token has its own
}

// An Origin is who gave a user or a reply, over which door.
type Origin struct {
	Required bool  // given in Go: a strict test fails if a reply is not played
	Size     int64 // bytes of the body in which it came over HTTP, else 0
	Enqueued bool  // as a reply alone, not with the user
}

// ByTest reports whether a test gave it, in Go or over HTTP, and not a file.
func (o Origin) ByTest() bool { return o.Required || o.Size > 0 }

// NewUser prepares a user that has been checked, and keeps it: the caller must not change it
// any more.
func (p *Snapshot) NewUser(token string, given fixtures.User, origin Origin) *User {
	u := &User{
		Given: given, Token: token, Origin: origin, Delay: cmp.Or(given.Delay, p.Service.Delay), service: p.Service,
		Reason:  fixtures.User{Campaigns: given.Campaigns, Generate: given.Generate}.String(),
		Replies: p.NewReplies(token, given.Replies, origin),
	}
	if token != "" {
		u.body = keep(p.Service, token, given)
	}
	return u
}

// Answer returns the body of the normal answer to a token, and its Content-Length. Each unknown
// token has its own, which is not kept.
func (u *User) Answer(token string) (text []byte, length []string) {
	if u.body == nil {
		return encode(u.service, token, u.Given)
	}
	return u.body()
}

// A body returns a list of campaigns, and the value of Content-Length.
type body func() (text []byte, length []string)

// keep returns the body with the campaigns of a user. It is encoded when it is first asked for,
// and then kept: there may be a million campaigns, or nobody may ask.
func keep(service *fixtures.Service, token string, u fixtures.User) body {
	return sync.OnceValues(func() ([]byte, []string) { return encode(service, token, u) })
}

func encode(service *fixtures.Service, token string, u fixtures.User) (text []byte, length []string) {
	text = campaignsBody(service, token, u)
	return text, []string{strconv.Itoa(len(text))}
}
