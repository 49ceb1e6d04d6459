package plan

import (
	"cmp"
	"slices"
	"strconv"
	"sync"

	"example.com/campaignfake/fixtures"
)

// A User is a fixtures.User with its answers prepared. Once the engine has it, only
// Exhausted and the encoded body change.
type User struct {
	Given  fixtures.User // which nobody changes
	Token  string        // for which it was given; "" for the user of unknown tokens
	Reason string        // of a normal answer

	Origin

	Replies  []*Reply
	Delay    *fixtures.Delay
	MayBreak bool // some requests, but not all, may break their connection

	// Exhausted is set when all replies with a finite number of times have been
	// played: a strict test does not require them again after a reset. The lock of the
	// engine guards it.
	Exhausted bool

	*body
}

// An Origin is who gave a user, or a reply that was enqueued, over which door.
type Origin struct {
	Required bool  // given in Go: a strict test fails if a reply is not played
	Size     int64 // bytes of the body in which it came over HTTP, else 0
}

// ByTest reports whether a test gave it, in Go or over HTTP, and not a file.
func (o Origin) ByTest() bool { return o.Required || o.Size > 0 }

// NewUser prepares a user that has been checked, and keeps it: the caller must not change it
// any more.
func (p *Snapshot) NewUser(token string, given fixtures.User) *User {
	u := &User{
		Given: given, Token: token, Delay: cmp.Or(given.Delay, p.Service.Delay), Replies: p.NewReplies(given.Replies, false),
		Reason: fixtures.User{Campaigns: given.Campaigns, Generate: given.Generate}.String(), body: &body{shape: p.Shape},
	}
	u.MayBreak = slices.ContainsFunc(u.Replies, (*Reply).MayBreak)
	return u
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

// Answer returns the body of the normal answer to a token, and its Content-Length.
func (u *User) Answer(token string) (text []byte, length []string) {
	if u.Token == "" { // each unknown token has its own, so that it takes no memory
		text = u.generated(token, u.Given)
		return text, []string{strconv.Itoa(len(text))}
	}
	return u.of(u.Token, u.Given) // which a token that is like it has, too
}

// A body is the list of campaigns of a user, or of several who share it. It is encoded when it
// is first asked for, and then kept: there may be a million campaigns, or nobody may ask.
type body struct {
	shape  *fixtures.Shape
	encode sync.Once
	text   []byte
	length []string // the value of Content-Length
}

func (b *body) of(token string, u fixtures.User) (text []byte, length []string) {
	b.encode.Do(func() {
		b.text = b.generated(token, u)
		b.length = []string{strconv.Itoa(len(b.text))}
	})
	return b.text, b.length
}

// generated returns the body for a token of what has been checked, and so can be encoded.
func (b *body) generated(token string, u fixtures.User) []byte {
	text, _ := b.shape.AppendJSON(nil, token, u)
	return text
}
