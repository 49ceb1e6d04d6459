package fake

import (
	"io/fs"
	"log/slog"

	"example.com/campaignfake/fixtures"
)

// The model is that of package fixtures, under the same names, so that a test
// imports one package.
type (
	Campaign  = fixtures.Campaign
	User      = fixtures.User
	Generate  = fixtures.Generate
	Service   = fixtures.Service
	Response  = fixtures.Response
	Responses = fixtures.Responses
)

// Gallery returns the fixtures that are built in, for WithFixtures: a user for
// every state of a screen that is worth seeing.
func Gallery() fs.FS { return fixtures.Gallery() }

// An Option configures a server that New or NewTestServer makes. Options apply
// in their order: where two speak of the same token or setting, the later holds.
type Option func(*config) error

// config is what the options say.
type config struct {
	users    map[string]User
	service  Service
	logger   *slog.Logger
	logSet   bool
	journal  int
	inMemory bool
	lenient  bool
}

// WithUser adds a user, or replaces the one that has the token.
func WithUser(token string, user User) Option {
	return func(c *config) error {
		c.users[token] = user
		return nil
	}
}

// WithFixtures adds the users and the service settings of YAML files: those that
// the patterns match (as fs.Glob has them; a folder stands for its *.yaml and
// *.yml files), or those in the root folder if there are no patterns. Mistakes
// in the files are the error of New, all of them at once.
func WithFixtures(files fs.FS, patterns ...string) Option {
	return func(c *config) error {
		set, err := fixtures.LoadFS(files, patterns...)
		if err != nil {
			return err
		}
		for token, user := range set.Users {
			c.users[token] = user
		}
		c.service = c.service.Overlay(set.Service)
		return nil
	}
}

// WithService replaces the settings of the service that are not zero in the
// given one.
func WithService(service Service) Option {
	return func(c *config) error {
		c.service = c.service.Overlay(service)
		return nil
	}
}

// WithSeed sets the seed of generated campaigns. Unlike the Seed of WithService,
// it can be 0.
func WithSeed(seed uint64) Option {
	return func(c *config) error {
		c.service.Seed = seed
		return nil
	}
}

// WithLogger makes the server log one line for each request. Tokens that belong
// to no user are masked. Without this option, a server made by New is silent,
// and one made by NewTestServer writes to the log of the test; a nil logger
// silences that as well.
func WithLogger(logger *slog.Logger) Option {
	return func(c *config) error {
		c.logger, c.logSet = logger, true
		return nil
	}
}

// WithJournal sets how many requests the journal keeps, 1,000 unless told
// otherwise. With 0 it keeps none, and counts them all the same.
func WithJournal(requests int) Option {
	return func(c *config) error {
		c.journal = max(requests, 0)
		return nil
	}
}

// InMemory makes a test server do without a port: it is a real HTTP server that
// only its own Client can reach, over connections in memory. It works inside a
// testing/synctest bubble.
func InMemory() Option {
	return func(c *config) error {
		c.inMemory = true
		return nil
	}
}

// Lenient turns the strictness of a test server off: requests that match
// nothing, and query parameters, are then answered and kept in the journal, but
// fail no test.
func Lenient() Option {
	return func(c *config) error {
		c.lenient = true
		return nil
	}
}
