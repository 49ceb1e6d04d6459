package fake

import (
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"slices"

	"example.com/campaignfake/fixtures"
	"github.com/gorilla/mux"
	"github.com/rs/cors"
)

// A setup is what the options of a server come to: its settings, and the users
// that it starts with. It never changes. A reload makes another, and each request
// goes by the one that was in force when it arrived.
type setup struct {
	service *Service          // every setting given; on its own, since users outlive a setup
	places  map[string]string // where settings were configured, by their names
	router  *mux.Router
	cors    *cors.Cors // nil if off
	answers answers
	chaos   *chaos // of the service; nil if there is none

	users          map[string]*user
	order          []string                 // their tokens, as they were given
	makeUnknown    func(token string) *user // nil if unknown tokens are rejected
	fragile        bool                     // any of the users can break connections
	unknownFragile bool                     // those of unknown tokens can
}

// newSetup prepares what the options say, if all of it can be used.
func (s *Server) newSetup(c *config) (*setup, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	service := c.service
	p := &setup{
		service: &service,
		places:  c.places,
		cors:    newCORS(c.service.CORS),
		answers: newAnswers(&service),
		users:   make(map[string]*user, len(c.users)),
		order:   c.order,
		router:  s.routes(c.service.BasePath),
	}
	p.chaos = p.newChaos("the service", p.service.Chaos)
	for place, token := range c.order {
		user, err := p.user(token, c.users[token])
		if err != nil {
			return nil, err
		}
		user.owed, user.place = c.owed[token], place
		p.users[token] = user
		p.fragile = p.fragile || user.fragile
	}
	p.makeUnknown = p.unknownUsers()
	return p, nil
}

// config is what the options say.
type config struct {
	users        map[string]User
	order        []string        // of the tokens
	owed         map[string]bool // tokens whose replies were given in Go
	service      Service
	places       map[string]string // see fixtures.Set
	journal      int
	certificates []tls.Certificate // nil without TLS
	inMemory     bool
	lenient      bool
	control      bool
	options      []Option
	logger       *slog.Logger
	logSet       bool

	mistakes fixtures.Mistakes // in files
	wrong    []error           // options that make no sense
}

// configure applies the options.
func configure(options []Option) *config {
	c := &config{
		users:   make(map[string]User),
		owed:    make(map[string]bool),
		service: fixtures.DefaultService(),
		places:  make(map[string]string),
		options: slices.Clone(options),
		journal: journalRequests,
		control: true,
	}
	c.service.UnknownTokens = "reject"
	for i, option := range options {
		if option == nil {
			c.wrong = append(c.wrong, fmt.Errorf("option %d is nil; leave it out", i+1))
			continue
		}
		option(c)
	}
	return c
}

// setUser adds a user, or replaces the one that has the token.
func (c *config) setUser(token string, u User, owed bool) {
	if _, known := c.users[token]; !known {
		c.order = append(c.order, token)
	}
	c.users[token], c.owed[token] = u, owed
}

// gather adds the mistakes of err, if it has any, and reports whether it does.
func (c *config) gather(err error) bool {
	var mistakes *fixtures.Mistakes
	if !errors.As(err, &mistakes) {
		return false
	}
	c.mistakes.List = append(c.mistakes.List, mistakes.List...)
	c.mistakes.More += mistakes.More
	return true
}

// check returns all that is wrong with the options.
func (c *config) check() error {
	set := fixtures.Set{Service: c.service, Users: c.users}
	c.gather(set.Check())
	if len(c.mistakes.List) > 0 {
		c.wrong = append(c.wrong, &c.mistakes)
	}
	return errors.Join(c.wrong...)
}
