package plan

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"sync"

	"example.com/campaignfake/fixtures"
)

// A User is a fixtures.User with its answers prepared. Once the state has it, only
// Exhausted and the encoded body change.
type User struct {
	Given  fixtures.User // which nobody changes
	Token  string        // "" for the user that all unknown tokens share
	Shape  *fixtures.Shape
	Reason string // of a normal answer

	Origin

	Replies  []*Reply
	Delay    *fixtures.Delay
	MayBreak bool // some requests, but not all, may break their connection

	// Exhausted is set when all replies with a finite number of times have been
	// played: a strict test does not require them again after a reset. A reload
	// shares it with the same user of before, whose last requests may be in flight.
	// The mutex of State guards it.
	Exhausted *bool

	encode sync.Once
	body   []byte
	length []string // the value of Content-Length
}

// NewUser prepares a user, which it keeps: the caller must not change it any more.
// Campaigns that are written out are encoded at once. What is generated is encoded at the
// first request of its token, since there may be a million.
func (p *Snapshot) NewUser(token string, given fixtures.User) (*User, error) {
	return p.newUserLike(nil, token, given)
}

// newUserLike prepares a user who has the same list of campaigns as another, and
// shares it, or no other if that is nil.
func (p *Snapshot) newUserLike(other *User, token string, given fixtures.User) (*User, error) {
	u := &User{Given: given, Shape: p.Shape, Token: token, Exhausted: new(bool)}
	if other != nil {
		u.Given.Campaigns = other.Given.Campaigns
	}
	u.Reason = fixtures.User{Campaigns: u.Given.Campaigns, Generate: given.Generate}.String()
	u.Delay = cmp.Or(given.Delay, p.Service.Delay)
	var err error
	if u.Replies, err = p.NewReplies(u.Given.Replies, false); err != nil {
		return nil, fmt.Errorf("users.%s: %w", token, err)
	}
	u.MayBreak = slices.ContainsFunc(u.Replies, (*Reply).MayBreak)
	isShared := p.Shape.IsShared(u.Given) // or the body is made for the token
	switch {
	case !isShared:
	case other != nil:
		u.encode.Do(func() { u.body, u.length = other.body, other.length })
	default:
		body, err := p.Shape.AppendJSON(nil, token, u.Given)
		if err != nil {
			return nil, fmt.Errorf("users.%s: %w", token, err)
		}
		u.encode.Do(func() { u.setBody(body) })
	}
	return u, nil
}

// DelayOf returns how long an answer is delayed that has a reply, or none if that is nil. The
// zero Delay and nil are none.
func (u *User) DelayOf(reply *Reply) *fixtures.Delay {
	switch {
	case reply == nil:
		return u.Delay
	case reply.Given.Fault == fixtures.FaultHang:
		return nil
	}
	return cmp.Or(reply.Given.Delay, u.Delay)
}

// WithToken returns a copy of the user of unknown tokens for one token.
func (u *User) WithToken(token string) *User {
	return &User{
		Given: u.Given, Shape: u.Shape, Token: token, Reason: u.Reason,
		Delay: u.Delay, MayBreak: u.MayBreak,
	}
}

// Answer returns the body of the normal answer to a token, and its Content-Length.
func (u *User) Answer(token string) (body []byte, length []string) {
	if u.Token == "" {
		body = u.generated(token)
		return body, []string{strconv.Itoa(len(body))}
	}
	u.encode.Do(func() { u.setBody(u.generated(token)) })
	return u.body, u.length
}

// generated returns the body for a token of what has been checked, and so can be encoded.
func (u *User) generated(token string) []byte {
	body, _ := u.Shape.AppendJSON(nil, token, u.Given)
	return body
}

func (u *User) setBody(body []byte) {
	u.body = body
	u.length = []string{strconv.Itoa(len(body))}
}
