// Package plan prepares what a server serves:
//
//	options → Setup → Snapshot: settings, users and their replies, each with its Answer
//
// A snapshot never changes. A request is answered by the snapshot that was in force when it
// arrived, and by the user of its token, which an earlier snapshot may have prepared. Package
// engine, above, puts snapshots in force. Package fixtures, below, has the model and checks it.
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

// A Setup is what the options give: the Config, which the server keeps, and users and settings. The
// server drops these once a snapshot has them, and a reload gives them again.
type Setup struct {
	Config

	set fixtures.Set // the users and the settings that were given

	// order has the tokens as the options gave them. The set itself lists the users of a later
	// option first, but advice takes its example from the user that was given first, and the page
	// lists them so.
	order []string

	doors  map[string]Door // of the users, by their tokens
	errors []error         // what is wrong with the options, and mistakes in what they give
}

// A Config is what a server keeps of its options.
type Config struct {
	Options      []func(*Setup)    // a reload applies them again
	Certificates []tls.Certificate // nil without TLS
	InMemory     bool
	Lenient      bool
	Test         *report.Test // nil unless the server reports to a test
	Control      bool
	Hosts        []string // where the control plane may be used, in the form of hosts.Canonical
	Origins      []string // their pages may use the control plane
	Logger       *slog.Logger
	HasLogger    bool // Logger has the lines of all tests

	// One of these answers what the server does not, or none does.
	Upstream *url.URL     // the real API
	Fallback http.Handler // of the same process
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

// AddSettings adds settings. They replace those of earlier options, and places says where each of
// them was given.
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

// SetUser adds a user, or replaces the one that has the token.
func (s *Setup) SetUser(token string, u fixtures.User, door Door) {
	s.addToken(token, door)
	s.set.Users[token] = u
}

// addToken notes that a token has a user. A token that has one already keeps its place in the
// order.
func (s *Setup) addToken(token string, door Door) {
	_, isKnown := s.set.Users[token]
	if !isKnown {
		s.order = append(s.order, token)
	}
	s.doors[token] = door
}

// AddError adds what is wrong with an option, or the mistakes in what the option gives.
func (s *Setup) AddError(err error) {
	s.errors = append(s.errors, err)
}

// check returns all that is wrong with the options, and nil if nothing is.
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

// noUpstream returns the mistake of a setting that needs an upstream where there is none.
func (s *Setup) noUpstream() error {
	place := s.set.Places["unknown_tokens"]
	with := "--upstream"
	switch {
	case place.Option != "" || place == fixtures.Place{}:
		with = "fake.WithUpstream"
	case place.File != "": // of a program in Go, or of the command
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
		// Not all users may have been read, so it is not known whether the one is there that
		// unknown tokens are to be like.
		return s.set.CheckPart()
	}
	return s.set.Check()
}
