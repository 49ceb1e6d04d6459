package fake

import (
	"fmt"
	"slices"
	"strconv"
	"sync"
)

// A user is a User that is ready to be served. It never changes, save for what the
// state notes of it.
type user struct {
	given   User   // a copy
	token   string // "" if it is that of every unknown token
	service *Service
	reason  string // of a normal answer

	place    int  // in the list of users, from 1; 0 if it is not in the snapshot
	size     int  // bytes of its JSON if it came over HTTP
	required bool // a strict test fails if replies are left

	replies  []*reply
	delay    *Delay
	chaos    *chaos
	deviates bool // it has replies, a delay, a rate limit or chaos
	mayBreak bool // a connection may break before an answer, for some requests

	// exhausted reports that all replies with an end have been played, at some
	// time: a reset does not require them again. A reload shares it with the same
	// user of before, whose last requests may be under way. It is nil for unknown
	// tokens, and state.mu must be held.
	exhausted *bool

	encode sync.Once
	body   []byte
	length []string // the value of Content-Length
}

// newUser encodes what was written by hand. Generated campaigns are encoded at the
// first request: a user who has a million of them costs nothing until then.
func (p *snapshot) newUser(token string, given User) (*user, error) {
	u := &user{given: given.Clone(), service: p.service, token: token, chaos: p.chaos, exhausted: new(bool)}
	u.reason = User{Campaigns: given.Campaigns, Generate: given.Generate}.String()
	if given.Chaos != nil {
		u.chaos = p.newChaos(given.Chaos)
	}
	u.delay = p.delayOf(u.given)
	var err error
	if u.replies, err = p.newReplies(u.given.Replies, false); err != nil {
		return nil, fmt.Errorf("users.%s: %w", token, err)
	}
	u.prepare()
	if given.Generate == nil {
		body, err := p.service.AppendJSON(nil, token, u.given)
		if err != nil {
			return nil, fmt.Errorf("users.%s: %w", token, err)
		}
		u.encode.Do(func() { u.keep(body) })
	}
	return u, nil
}

// prepare works out what follows from the fields before.
func (u *user) prepare() {
	u.deviates = len(u.replies) > 0 || u.delay != nil || u.given.RateLimit != nil || u.chaos != nil
	u.mayBreak = slices.ContainsFunc(u.replies, (*reply).mayBreak) || u.chaos.mayBreak()
}

// withToken returns the user of unknown tokens as that of one token.
func (u *user) withToken(token string) *user {
	return &user{
		given: u.given, service: u.service, token: token, reason: u.reason,
		delay: u.delay, chaos: u.chaos, deviates: u.deviates, mayBreak: u.mayBreak,
	}
}

// answer returns the body of a normal answer to a token, and its length in decimal.
func (u *user) answer(token string) (body []byte, length []string) {
	if u.token == "" {
		body = u.generated(token)
		return body, []string{strconv.Itoa(len(body))}
	}
	u.encode.Do(func() { u.keep(u.generated(token)) })
	return u.body, u.length
}

// generated returns the campaigns of a user who has no others, and so nothing that
// could fail to encode.
func (u *user) generated(token string) []byte {
	body, _ := u.service.AppendJSON(nil, token, u.given)
	return body
}

func (u *user) keep(body []byte) {
	u.body = body
	u.length = []string{strconv.Itoa(len(body))}
}
