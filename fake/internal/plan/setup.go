// Package plan prepares what a server serves:
//
//	options → Setup → Snapshot: settings, users and their replies, each with its Answer
//
// A snapshot never changes. Two things decide the answer to a request: the snapshot that was in
// force when the request arrived, and the user of its token. An earlier snapshot may have prepared
// this user. Package engine, above, puts snapshots in force. Package fixtures, below, has the model
// and checks it.
package plan

import (
	"crypto/tls"
	"errors"
	"log/slog"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"sync"

	"example.com/campaignfake/fake/internal/report"
	"example.com/campaignfake/fixtures"
)

// A Setup holds everything that the options set: the Config, and the users and settings. The server
// keeps only the Config, since its snapshot has the users and settings. A reload applies the
// options again.
type Setup struct {
	Config

	set fixtures.Set // the users and the settings that were given

	// order has the tokens of the users in the order of the options. The page lists the users in
	// this order, and advice takes the first user as its example. The set does not have this order:
	// it lists the users of a later option first.
	order []string

	doors  map[string]Door // by token: how its user was given, by a file, in Go or over HTTP
	errors []error         // wrong options, and mistakes in the values of options
}

// A Config is the part of the options that a server keeps.
type Config struct {
	Options      []func(*Setup)    // for a reload, which applies them again
	Certificates []tls.Certificate // nil without TLS
	InMemory     bool
	Lenient      bool
	Test         *report.Test // nil unless the server reports to a test
	Control      bool
	Hosts        []string // the hosts of WithControlHosts, in the form of hosts.Canonical
	Origins      []string // pages of these origins may use the control plane
	Logger       *slog.Logger
	HasLogger    bool // true if Logger also gets the lines about tokens of tests

	// At most one of Upstream and Fallback is set. It answers the requests that the service does
	// not answer.
	Upstream *url.URL     // the real API
	Fallback http.Handler // a handler in the same process
}

// NewSetup applies the options.
func NewSetup(options []func(*Setup)) *Setup {
	s := &Setup{
		Config: Config{
			Options: slices.Clone(options),
			Control: true,
		},
		set: fixtures.Set{
			Users:  make(map[string]fixtures.User),
			Places: make(map[string]fixtures.Place),
		},
		doors: make(map[string]Door),
	}
	for _, option := range options {
		option(s)
	}
	if s.Test != nil {
		s.Test.Strict = !s.Lenient
	}
	if s.Logger == nil {
		s.Logger = slog.New(slog.DiscardHandler)
	}
	return s
}

// assumed returns the settings that are in force if nobody gives others. Servers share them, and
// nobody changes them.
var assumed = sync.OnceValue(func() fixtures.Service {
	service := fixtures.DefaultService()
	service.UnknownTokens = fixtures.UnknownTokensReject
	return service
})

// AddSettings adds settings. They replace settings of earlier options. The argument places says
// where each setting was given.
func (s *Setup) AddSettings(service fixtures.Service, places map[string]fixtures.Place) {
	s.set.Service = s.set.Service.Overlay(service)
	maps.Copy(s.set.Places, places)
}

// AddSet adds the users and the settings of a set.
func (s *Setup) AddSet(set *fixtures.Set) {
	for _, token := range set.Tokens() {
		s.addToken(token, DoorFile)
	}
	s.set = *s.set.Overlay(set)
}

// SetUser adds a user, or replaces the user that has the token.
func (s *Setup) SetUser(token string, u fixtures.User, door Door) {
	s.addToken(token, door)
	s.set.Users[token] = u
}

// addToken notes that a token has a user. A token that already has a user keeps its place in the
// order.
func (s *Setup) addToken(token string, door Door) {
	_, isKnown := s.set.Users[token]
	if !isKnown {
		s.order = append(s.order, token)
	}
	s.doors[token] = door
}

// AddError adds an error about an option, or the mistakes in fixtures that the option gives.
func (s *Setup) AddError(err error) {
	s.errors = append(s.errors, err)
}

// check returns every mistake in the options as one error, and nil if there is none.
func (s *Setup) check() error {
	found := slices.Clone(s.errors)
	err := s.checkSet()
	if err != nil {
		found = append(found, err)
	}
	if s.Upstream != nil && s.Fallback != nil {
		found = append(found, errors.New("WithFallback: WithUpstream is there, too, "+
			"and the two answer the same requests; leave one of them out"))
	}
	needsUpstream := s.set.Service.UnknownTokens == fixtures.UnknownTokensUpstream
	if needsUpstream && s.Upstream == nil {
		found = append(found, s.noUpstream())
	}
	return fixtures.Join(found...)
}

// noUpstream returns the mistake in a setting that needs an upstream, if the server has no
// upstream.
func (s *Setup) noUpstream() error {
	place := s.set.Places["unknown_tokens"]
	with := "--upstream"
	switch {
	case place.Option != "" || place == fixtures.Place{}:
		with = "fake.WithUpstream"
	case place.File != "": // the command or a Go program has read the file
		with = "--upstream (in Go, fake.WithUpstream)"
	}
	mistake := fixtures.Mistake{
		Path:    "service.unknown_tokens",
		Problem: "is upstream, and there is no upstream",
		Instead: "give its URL with " + with + ", or write generate or reject",
	}
	return &fixtures.Mistakes{List: []fixtures.Mistake{mistake.At(place)}}
}

// checkSet returns the mistakes in users and settings.
func (s *Setup) checkSet() error {
	if len(s.errors) > 0 {
		// An option with an error may have added no users. So CheckPart allows a setting such as
		// unknown_tokens: like demo without a user demo.
		return s.set.CheckPart()
	}
	return s.set.Check()
}
