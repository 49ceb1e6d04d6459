package fake

import (
	"fmt"
	"slices"
	"strconv"
	"sync"
)

// A user is a User, prepared for serving. Only exhausted and the encoded body change
// after it was made.
type user struct {
	given   User   // which nobody changes
	token   string // "" for the user that all unknown tokens share
	service *Service
	reason  string // of a normal answer

	place    int   // in the list of users, from 1; 0 if it is not in the snapshot
	size     int   // bytes of its JSON if it came over HTTP, else 0
	sent     int64 // about how many bytes its normal answer has; 0 if the memory has no limit
	required bool  // a strict test fails if replies are left

	replies  []*reply
	delay    *Delay
	chaos    *chaos
	deviates bool // it has replies, a delay, a rate limit or chaos
	mayBreak bool // some requests, but not all, may break their connection

	// exhausted is set when all replies with a finite number of times have been
	// played: a strict test does not require them again after a reset. A reload
	// shares it with the same user of before, whose last requests may be in flight.
	// It is nil for unknown tokens. state.mu must be held.
	exhausted *bool

	encode sync.Once
	body   []byte
	length []string // the value of Content-Length
}

// newUser prepares a user, which it keeps: the caller must not change it any more.
// Campaigns that are written out are encoded at once. Generated ones are encoded at the
// first request, since there may be a million.
func (p *snapshot) newUser(token string, given User) (*user, error) {
	return p.newUserLike(nil, token, given)
}

// newUserLike prepares a user who has the same list of campaigns as another, and
// shares it, or no other if that is nil.
func (p *snapshot) newUserLike(other *user, token string, given User) (*user, error) {
	u := &user{given: given, service: p.service, token: token, chaos: p.chaos, exhausted: new(bool)}
	if other != nil {
		u.given.Campaigns = other.given.Campaigns
	}
	u.reason = User{Campaigns: u.given.Campaigns, Generate: given.Generate}.String()
	if given.Chaos != nil {
		u.chaos = p.newChaos(given.Chaos)
	}
	u.delay = p.delayOf(u.given)
	var err error
	if u.replies, err = p.newReplies(u.given.Replies, false); err != nil {
		return nil, fmt.Errorf("users.%s: %w", token, err)
	}
	u.prepare()
	shared := other != nil && len(p.service.Fields) == 0 // else values are drawn by the token
	switch {
	case given.Generate != nil:
	case shared:
		u.encode.Do(func() { u.body, u.length = other.body, other.length })
	default:
		body, err := p.service.AppendJSON(nil, token, u.given)
		if err != nil {
			return nil, fmt.Errorf("users.%s: %w", token, err)
		}
		u.encode.Do(func() { u.setBody(body) })
	}
	if p.limits.Memory > 0 && !shared {
		u.sent = u.estimate()
	}
	return u, nil
}

// estimate returns about how many bytes the normal answer has.
func (u *user) estimate() int64 {
	if u.given.Generate == nil {
		return int64(len(u.body))
	}
	one, all := *u.given.Generate, int64(u.given.Generate.Count)
	one.Count = min(one.Count, 1)
	body, _ := u.service.AppendJSON(nil, u.token, User{Generate: &one})
	return all * int64(len(body))
}

// prepare sets the fields that depend on the others.
func (u *user) prepare() {
	u.deviates = len(u.replies) > 0 || u.delay != nil || u.given.RateLimit != nil || u.chaos != nil
	u.mayBreak = slices.ContainsFunc(u.replies, (*reply).mayBreak) || u.chaos.mayBreak()
}

// withToken returns a copy of the user of unknown tokens for one token.
func (u *user) withToken(token string) *user {
	return &user{
		given: u.given, service: u.service, token: token, reason: u.reason,
		delay: u.delay, chaos: u.chaos, deviates: u.deviates, mayBreak: u.mayBreak,
	}
}

// answer returns the body of the normal answer to a token, and its Content-Length.
func (u *user) answer(token string) (body []byte, length []string) {
	if u.token == "" {
		body = u.generated(token)
		return body, []string{strconv.Itoa(len(body))}
	}
	u.encode.Do(func() { u.setBody(u.generated(token)) })
	return u.body, u.length
}

// generated returns the body of a user that has only generated campaigns, which can
// always be encoded.
func (u *user) generated(token string) []byte {
	body, _ := u.service.AppendJSON(nil, token, u.given)
	return body
}

func (u *user) setBody(body []byte) {
	u.body = body
	u.length = []string{strconv.Itoa(len(body))}
}
