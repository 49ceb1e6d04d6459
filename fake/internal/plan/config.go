// Package plan prepares what a server serves. It stands above fixtures, and below engine,
// which puts a snapshot in force:
//
//	options → Config → Snapshot: settings, users and their replies, each with its Answer
//
// A snapshot never changes, with one exception: its users note which replies were played, under
// the lock of engine. A request is answered by the snapshot that was in force when it arrived,
// and by the user of its token. An earlier snapshot may have prepared that user.
package plan

import (
	"crypto/tls"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"

	"example.com/campaignfake/fake/internal/report"
	"example.com/campaignfake/fixtures"
)

// Config is the result of the options. It never changes once a server has its snapshot.
type Config struct {
	Options      []func(*Config)   // applied again by a reload
	set          fixtures.Set      // the users, and the assumed settings with the configured ones over them
	order        []string          // of the tokens
	required     map[string]bool   // tokens whose replies a strict test has to play
	FixtureSets  []*fixtures.Set   // from files, whose dates are written in the format of the service
	Certificates []tls.Certificate // nil without TLS
	InMemory     bool
	Lenient      bool
	Test         *report.Test // nil unless the server reports to a test
	Control      bool
	Hosts        []string // of the control plane, in the form of control.CanonicalHost
	Origins      []string // whose pages may use the control plane
	Logger       *slog.Logger

	hasSettings bool // others than the assumed ones, which need no check
	wrong       []error
}

// Configure applies the options.
func Configure(options []func(*Config)) *Config {
	c := &Config{
		Options:  slices.Clone(options),
		set:      fixtures.Set{Service: assumed(), Users: make(map[string]fixtures.User), Places: make(map[string]string)},
		required: make(map[string]bool),
		Control:  true,
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

// AddSettings lays settings over those that hold until then. places has where each is from.
func (c *Config) AddSettings(service fixtures.Service, places map[string]string) {
	c.hasSettings = true
	c.set.Service = c.set.Service.Overlay(service)
	if places["seed"] != "" { // even if it is 0
		c.set.Service.Seed = service.Seed
	}
	maps.Copy(c.set.Places, places)
}

// PlacesOf returns a place for each setting that is given.
func PlacesOf(service fixtures.Service, where string) map[string]string {
	places := make(map[string]string)
	for _, setting := range service.Settings(nil) {
		if setting.Value != nil && (setting.Name != "seed" || service.Seed != 0) {
			places[setting.Name] = where
		}
	}
	return places
}

// assumed returns the settings that hold unless others are given. Servers share them, and nobody
// changes them.
var assumed = sync.OnceValue(func() fixtures.Service {
	service := fixtures.DefaultService()
	service.UnknownTokens = fixtures.UnknownTokensReject
	return service
})

// SetUser adds a user, or replaces the one that has the token.
func (c *Config) SetUser(token string, u fixtures.User, required bool) {
	if _, known := c.set.Users[token]; !known {
		c.order = append(c.order, token)
	}
	c.set.Users[token], c.required[token] = u, required
}

// Wrong adds what is wrong with an option, or the mistakes in what it gives; nil is nothing.
func (c *Config) Wrong(err error) { c.wrong = append(c.wrong, err) }

// check returns all that is wrong with the options: the mistakes of all fixtures as one error.
func (c *Config) check() error {
	set := c.set
	if !c.hasSettings {
		set.Service = fixtures.Service{}
	}
	if strings.HasPrefix(set.Service.UnknownTokens, fixtures.UnknownTokensLike) && errors.Join(c.wrong...) != nil {
		set.Service.UnknownTokens = "" // that user may be in what is wrong
	}
	wrong := slices.Clone(c.wrong)
	if c.hasSettings || len(set.Users) > 0 {
		wrong = append(wrong, set.Check())
	}
	var all fixtures.Mistakes
	for i, err := range wrong {
		if m, are := err.(*fixtures.Mistakes); are {
			all.List, all.More, wrong[i] = append(all.List, m.List...), all.More+m.More, nil
		}
	}
	if len(all.List) > 0 {
		wrong = append(wrong, &all)
	}
	return errors.Join(wrong...) // which leaves nil out
}
