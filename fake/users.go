package fake

import (
	"cmp"
	"container/list"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/time/rate"
)

// A user is a User as it is served: encoded once, and sent from bytes.
type user struct {
	given   User // a copy
	service *Service
	token   string
	reason  string

	// treated tells a user who meets more than the normal answer.
	treated   bool
	fragile   bool // its connections can break
	place     int  // among those of the setup
	size      int  // bytes that it was put in; 0 if it was not
	replies   []*reply
	owed      bool // a strict test fails if replies are not played
	exhausted bool // they have been, at some time; guarded by the server's lock
	delay     *Delay
	chaos     *chaos

	encode sync.Once
	body   []byte
	length []string // the value of Content-Length
}

// user encodes what was written by hand. Generated campaigns are encoded at
// the first request: a user who has a million of them costs nothing until then.
func (p *setup) user(token string, u User) (*user, error) {
	n := &user{given: u.Clone(), service: p.service, token: token, chaos: p.chaos}
	if u.Chaos != nil {
		n.chaos = p.newChaos("the user", u.Chaos)
	}
	n.delay = p.delayOf(u)
	var err error
	if n.replies, err = p.replies("reply", u.Replies); err != nil {
		return nil, fmt.Errorf("users.%s: %w", token, err)
	}
	n.treated, n.fragile = n.isTreated(), n.isFragile()
	if g := n.given.Generate; g != nil {
		switch campaigns := counted(g.Count, "generated campaign"); {
		case g.EdgeCases && g.Count == 0:
			n.reason = fmt.Sprintf("user %q: the edge cases", token)
		case g.EdgeCases:
			n.reason = fmt.Sprintf("user %q: %s after the edge cases", token, campaigns)
		default:
			n.reason = fmt.Sprintf("user %q: %s", token, campaigns)
		}
		return n, nil
	}
	n.reason = fmt.Sprintf("user %q: %s as written", token, counted(len(u.Campaigns), "campaign"))
	body, err := p.service.AppendJSON(nil, token, u)
	if err != nil {
		return nil, fmt.Errorf("users.%s: %w", token, err)
	}
	n.encode.Do(func() { n.keep(body) })
	return n, nil
}

// delayOf returns the delay of a user's answers, the most specific of all: the
// user's own, that of the chaos that strikes it, and that of the service.
func (p *setup) delayOf(u User) *Delay {
	delay := u.Delay
	if delay == nil {
		chaos := cmp.Or(u.Chaos, p.service.Chaos)
		if chaos != nil {
			delay = chaos.Delay
		}
		delay = cmp.Or(delay, p.service.Delay)
	}
	if delay == nil || *delay == (Delay{}) {
		return nil
	}
	own := *delay
	return &own
}

func (u *user) isTreated() bool {
	return len(u.replies) > 0 || u.delay != nil || u.given.RateLimit != nil || u.chaos != nil
}

// unknownCount is how many campaigns an unknown token gets where such tokens
// are not rejected.
const unknownCount = 10

// unknownUsers returns what makes the users of unknown tokens, nil if those are
// rejected.
func (p *setup) unknownUsers() func(token string) *user {
	if p.service.UnknownTokens != "generate" {
		return nil
	}
	all := user{
		given:   User{Generate: &Generate{Count: unknownCount}},
		service: p.service,
		reason:  fmt.Sprintf("unknown token: %d generated campaigns", unknownCount),
		delay:   p.delayOf(User{}),
		chaos:   p.chaos,
	}
	treated := all.isTreated()
	p.unknownFragile = all.isFragile()
	p.fragile = p.fragile || p.unknownFragile
	return func(token string) *user {
		return &user{
			given: all.given, service: all.service, token: token, reason: all.reason,
			treated: treated, delay: all.delay, chaos: all.chaos,
		}
	}
}

func (u *user) keep(body []byte) {
	u.body = body
	u.length = []string{strconv.Itoa(len(body))}
}

// answer returns the body of the user's answer, and its length in decimal.
func (u *user) answer() (body []byte, length []string) {
	u.encode.Do(func() {
		// Generated campaigns have nothing that could fail to encode.
		body, _ := u.service.AppendJSON(nil, u.token, u.given)
		u.keep(body)
	})
	return u.body, u.length
}

// An account is what the server knows of one token.
type account struct {
	token string
	user  *user // nil for an unknown token without campaigns
	known bool  // it has a user that was given
	place int   // among those that were given
	made  bool  // nobody gave the user, but replies were enqueued
	count int   // requests that carried the token

	// What the user's treatment has come to.
	turns   int // requests that were neither refused nor preferred
	asked   int // requests that were preferred
	script  script
	limiter *rate.Limiter // made when there is a limit

	missed  bool          // there may have been requests that count leaves out
	charged int           // bytes; only of unknown tokens
	seen    *list.Element // among the unknown; nil if it is known
}

// accounts keeps the accounts of all known tokens, and of the unknown tokens
// that were seen last. Its methods are called with the server's lock held.
type accounts struct {
	byToken map[string]*account
	unknown *list.List // the last seen first
	given   int        // how many users there have been beside those of the setup
	bytes   int        // charged to unknown tokens
	evicted bool       // an unknown token's account was given up

	makeUnknown func(token string) *user // nil if unknown tokens are rejected
}

const (
	// unknownBytes bounds what is kept of unknown tokens: their campaigns and
	// their counts.
	unknownBytes = 4 << 20

	// accountBytes is about what an account costs beside its token and body.
	accountBytes = 512
)

// afterSetup is greater than the place of any user of a setup.
const afterSetup = 1 << 30

func newAccounts(p *setup) *accounts {
	a := &accounts{
		byToken:     make(map[string]*account, len(p.users)),
		unknown:     list.New(),
		makeUnknown: p.makeUnknown,
	}
	for place, token := range p.order {
		a.byToken[token] = &account{token: token, user: p.users[token], known: true, place: place}
	}
	return a
}

// arrived counts a request, and returns the account of its token. The empty
// token stands for requests without one.
func (a *accounts) arrived(token string) *account {
	n := a.byToken[token]
	switch {
	case n == nil:
		// The token is part of a header line, which need not be kept with it.
		token = strings.Clone(token)
		n = &account{token: token, missed: a.evicted && token != ""}
		a.byToken[token] = n
		if token == "" {
			break // counted, and never given up
		}
		if a.makeUnknown != nil {
			n.user = a.makeUnknown(token)
		}
		n.seen = a.unknown.PushFront(n)
		a.charge(n, 0)
	case n.seen != nil:
		a.unknown.MoveToFront(n.seen)
	}
	n.count++
	return n
}

// charge notes that n keeps a body of so many bytes, and gives up the accounts
// of the unknown tokens that were not seen for longest if that is too much.
func (a *accounts) charge(n *account, body int) {
	if n.seen == nil || a.byToken[n.token] != n {
		return
	}
	cost := accountBytes + len(n.token) + body
	if cost <= n.charged {
		return
	}
	a.bytes += cost - n.charged
	n.charged = cost
	for a.bytes > unknownBytes && a.unknown.Len() > 1 {
		a.remove(a.unknown.Back().Value.(*account))
		a.evicted = true
	}
}

func (a *accounts) remove(n *account) {
	delete(a.byToken, n.token)
	if n.seen != nil {
		a.unknown.Remove(n.seen)
		n.seen = nil
		a.bytes -= n.charged
	}
}

// listed returns the accounts of all users that were given, in their order.
func (a *accounts) listed() (list []*account) {
	for _, n := range a.byToken {
		if n.known {
			list = append(list, n)
		}
	}
	slices.SortFunc(list, func(a, b *account) int { return a.place - b.place })
	return list
}

// known returns the account of a token that has a user that was given, or nil.
func (a *accounts) known(token string) *account {
	if n := a.byToken[token]; n != nil && n.known {
		return n
	}
	return nil
}

// count returns how many requests carried the token. It is not certain if the
// token's account had to be given up at some time.
func (a *accounts) count(token string) (count int, certain bool) {
	if n := a.byToken[token]; n != nil {
		return n.count, !n.missed
	}
	return 0, !a.evicted
}

// clear counts the requests of the tokens from 0 again, or of all if tokens is
// nil.
func (a *accounts) clear(tokens []string) {
	if tokens == nil {
		a.evicted = false
		for _, n := range a.byToken {
			n.count, n.missed = 0, false
		}
		return
	}
	for _, token := range tokens {
		if n := a.byToken[token]; n != nil {
			n.count, n.missed = 0, false
		}
	}
}

// set gives a token a user; nil takes it away. The counts go on, and so do the
// replies that were enqueued; what the user itself has starts afresh.
func (a *accounts) set(token string, u *user) {
	n := &account{token: token, user: u, known: u != nil, missed: a.evicted}
	old := a.byToken[token]
	switch {
	case u == nil:
	case old != nil && old.known:
		n.place = old.place
	default:
		a.given++
		n.place = afterSetup + a.given
	}
	if old != nil {
		n.count, n.missed, n.turns, n.asked = old.count, old.missed, old.turns, old.asked
		if u != nil {
			n.script.queue, n.script.queued = old.script.queue, old.script.queued
		}
		old.script = script{} // for requests that have arrived already
		if old.user != nil {
			old.script.next = len(old.user.replies)
		}
		a.remove(old)
	}
	if u == nil {
		if a.makeUnknown != nil {
			n.user = a.makeUnknown(token)
		}
		n.seen = a.unknown.PushFront(n)
	}
	a.byToken[token] = n
	a.charge(n, 0)
}

// SetUser gives the token a user, or replaces the one that it has. What files
// and options said of the token holds again after Reset. The user is copied. Its
// replies start with the first one, its rate limit with all that it allows, and
// replies that were enqueued for the token are still played before.
//
// A user that breaks the rules of the format is refused, and nothing changes;
// the error holds every mistake, as *fixtures.Mistakes. The test that a server
// was made for hears of it as well.
func (s *Server) SetUser(token string, u User) error {
	if s.test != nil {
		s.test.Helper()
	}
	if err := s.setUser(token, u, 0, true); err != nil {
		return s.refuse("SetUser", err)
	}
	return nil
}

// setUser gives the token a user that came in so many bytes, whose replies a strict
// test has to play if they are owed.
func (s *Server) setUser(token string, u User, size int, owed bool) error {
	p := s.setup.Load()
	if err := p.service.CheckUser(token, u); err != nil {
		return err
	}
	served, err := p.user(token, u)
	if err != nil {
		return err
	}
	served.owed, served.size = owed, size
	defer s.expectBreaks(served.fragile)()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.accounts.set(token, served)
	s.changed("user", &token)
	return nil
}

// RemoveUser takes the user of a token away; the token is unknown from then on,
// until SetUser or Reset. It is an error if the token has no user.
func (s *Server) RemoveUser(token string) error {
	if s.test != nil {
		s.test.Helper()
	}
	if !s.removeUser(token) {
		return s.refuse("RemoveUser", noUser(token))
	}
	return nil
}

// removeUser takes the user of a token away, and reports whether there was one.
func (s *Server) removeUser(token string) bool {
	defer s.settle()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.accounts.known(token) == nil {
		return false
	}
	s.accounts.set(token, nil)
	s.changed("user", &token)
	return true
}

// refuse returns err, and tells the test that the server was made for.
func (s *Server) refuse(call string, err error) error {
	if s.test != nil {
		s.test.Helper()
		s.test.Errorf("campaignfake: %s: %v", call, err)
	}
	return err
}
