// Package plan prepares what a server serves:
//
//	options → Config → Snapshot: settings, users and their replies, each with its Answer
//
// A snapshot never changes. A request is answered by the one that was in force when it arrived, and
// by the user of its token, which an earlier snapshot may have prepared. Package engine, above,
// puts snapshots in force; package fixtures, below, has the model and checks it.
package plan

import (
	"crypto/tls"
	"errors"
	"log/slog"
	"maps"
	"net/url"
	"slices"
	"strings"
	"sync"

	"example.com/campaignfake/fake/internal/report"
	"example.com/campaignfake/fixtures"
)

// Config is the result of the options. It never changes once a server has its snapshot.
type Config struct {
	Options      []func(*Config)   // applied again by a reload
	FixtureSets  []*fixtures.Set   // whose dates are written in the format of the service
	Certificates []tls.Certificate // nil without TLS
	InMemory     bool
	Lenient      bool
	Test         *report.Test // nil unless the server reports to a test
	Control      bool
	Hosts        []string // of the control plane, in the form of hosts.Canonical
	Origins      []string // whose pages may use the control plane
	Logger       *slog.Logger
	HasLogger    bool     // Logger has the lines of all tests
	Upstream     *url.URL // answers what the server does not; nil if there is none

	set      fixtures.Set    // the users and the settings that were given
	order    []string        // of the tokens
	required map[string]bool // tokens whose replies a strict test has to play
	wrong    []error
}

// Configure applies the options.
func Configure(options []func(*Config)) *Config {
	c := &Config{
		Options: slices.Clone(options),
		Control: true,
		set: fixtures.Set{
			Users:  make(map[string]fixtures.User),
			Places: make(map[string]fixtures.Place),
		},
		required: make(map[string]bool),
	}
	for _, option := range options {
		option(c)
	}
	if c.Test != nil {
		c.Test.Strict = !c.Lenient
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	for _, set := range c.FixtureSets {
		set.WriteDates(c.set.Service)
	}
	return c
}

// assumed returns the settings that hold unless others are given. Servers share them, and nobody
// changes them.
var assumed = sync.OnceValue(func() fixtures.Service {
	service := fixtures.DefaultService()
	service.UnknownTokens = fixtures.UnknownTokensReject
	return service
})

// AddSettings lays settings over those that were given until then. places has where each is from.
func (c *Config) AddSettings(service fixtures.Service, places map[string]fixtures.Place) {
	c.set.Service = c.set.Service.Overlay(service)
	maps.Copy(c.set.Places, places)
}

// AddSet adds the users and the settings of a set. Those of its users that were loaded from files
// are not checked again.
func (c *Config) AddSet(set *fixtures.Set) {
	for _, token := range set.Tokens() {
		c.addToken(token, false)
	}
	c.set = *c.set.Overlay(set)
	c.FixtureSets = append(c.FixtureSets, set)
}

// SetUser adds a user, or replaces the one that has the token.
func (c *Config) SetUser(token string, u fixtures.User, required bool) {
	c.addToken(token, required)
	c.set.Users[token] = u
}

func (c *Config) addToken(token string, required bool) {
	_, isKnown := c.set.Users[token]
	if !isKnown {
		c.order = append(c.order, token)
	}
	c.required[token] = required
}

// Wrong adds what is wrong with an option, or the mistakes in what it gives; nil is nothing.
func (c *Config) Wrong(err error) {
	c.wrong = append(c.wrong, err)
}

// forgetFixtures lets go of what was given, once it is prepared. A reload reads it again.
func (c *Config) forgetFixtures() {
	c.set = fixtures.Set{}
	c.FixtureSets = nil
}

// check returns all that is wrong with the options.
func (c *Config) check() error {
	wrong := append(slices.Clone(c.wrong), c.checkSet())
	if c.set.Service.UnknownTokens == fixtures.UnknownTokensUpstream && c.Upstream == nil {
		wrong = append(wrong, c.noUpstream())
	}
	return errors.Join(joinMistakes(wrong)...) // which leaves nil out
}

// noUpstream returns the mistake of a setting that needs an upstream where there is none.
func (c *Config) noUpstream() error {
	mistake := fixtures.Mistake{
		Path:    "service.unknown_tokens",
		Problem: "is upstream, and there is no upstream",
		Instead: "give its URL with --upstream (in Go, fake.WithUpstream), " +
			"or write generate or reject",
	}
	place := c.set.Places["unknown_tokens"]
	return &fixtures.Mistakes{List: []fixtures.Mistake{mistake.At(place)}}
}

// checkSet returns the mistakes in users and settings.
func (c *Config) checkSet() error {
	set := c.set
	if errors.Join(c.wrong...) == nil {
		err := set.Check()
		if err != nil {
			return err
		}
		return set.CheckSize()
	}
	// Users whom others are like, or unknown tokens, may be in what is wrong.
	set.Users = maps.Clone(set.Users)
	for token, user := range set.Users {
		if user.Like != "" {
			set.Users[token] = fixtures.User{}
		}
	}
	isLike := strings.HasPrefix(set.Service.UnknownTokens, fixtures.UnknownTokensLike)
	if isLike {
		set.Service.UnknownTokens = ""
	}
	return set.Check()
}

// joinMistakes returns errors with the mistakes of all fixtures in one of them, the last.
func joinMistakes(wrong []error) []error {
	var joined []error
	var all fixtures.Mistakes
	for _, err := range wrong {
		mistakes, are := err.(*fixtures.Mistakes)
		if !are {
			joined = append(joined, err)
			continue
		}
		all.List = append(all.List, mistakes.List...)
		all.More += mistakes.More
	}
	if len(all.List) > 0 {
		joined = append(joined, &all)
	}
	return joined
}
