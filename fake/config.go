package fake

import (
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"slices"

	"example.com/campaignfake/fixtures"
)

// An Option configures a server that New or NewTestServer makes. Options apply
// in their order: if two give the same token or setting, the later one applies.
type Option func(*config)

// config is the result of the options. It never changes once a server has it.
type config struct {
	options      []Option // applied again by a reload
	users        map[string]User
	order        []string        // of the tokens
	required     map[string]bool // tokens whose replies a strict test has to play
	service      Service
	places       map[string]string // see fixtures.Set
	journal      int
	certificates []tls.Certificate // nil without TLS
	inMemory     bool
	lenient      bool
	control      bool
	logger       *slog.Logger // nil if the server is silent

	mistakes fixtures.Mistakes // in files
	wrong    []error           // options that cannot be used
}

// configure applies the options. The server has the given logger unless an option
// replaces it.
func configure(options []Option, logger *slog.Logger) *config {
	c := &config{
		logger:   logger,
		options:  slices.Clone(options),
		users:    make(map[string]User),
		required: make(map[string]bool),
		service:  fixtures.DefaultService(),
		places:   make(map[string]string),
		journal:  journalRequests,
		control:  true,
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
func (c *config) setUser(token string, u User, required bool) {
	if _, known := c.users[token]; !known {
		c.order = append(c.order, token)
	}
	c.users[token], c.required[token] = u, required
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
	wrong := c.wrong
	if len(c.mistakes.List) > 0 {
		wrong = append(slices.Clone(wrong), &c.mistakes)
	}
	return errors.Join(wrong...)
}

// withoutUsers returns a copy without users and settings, which the snapshot of the
// server has. A reload reads them again.
func (c *config) withoutUsers() *config {
	own := *c
	own.users, own.order, own.required, own.places = nil, nil, nil, nil
	own.service = Service{}
	return &own
}

// secured reports whether the server uses TLS.
func (c *config) secured() bool { return c.certificates != nil }
