package fake

import (
	"errors"
	"io/fs"
	"log/slog"
	"maps"

	"example.com/campaignfake/fixtures"
)

// The model is that of package fixtures, so that a test imports one package.
type (
	// Campaign is one record of the list; see fixtures.Campaign for its fields:
	// ID, Name, CreatedAt, UpdatedAt, Status, and Omit and Extra for the odd ones.
	Campaign = fixtures.Campaign

	// User is what one bearer token sees: Campaigns that are written out, or
	// Generate for generated ones. Replies, Delay, RateLimit and Chaos are how it
	// is treated; see fixtures.User.
	User = fixtures.User

	// Generate describes generated campaigns: their Count, the weights of their
	// Statuses, the bounds Since and Until, and EdgeCases; see fixtures.Generate.
	Generate = fixtures.Generate

	// Reply is one scripted deviation from the normal answer, for so many Times:
	// a Status, a Body, a Fault, a Delay, other Campaigns; see fixtures.Reply.
	Reply = fixtures.Reply

	// Delay is how long an answer is held back: a Fixed time, one between From
	// and To, or one drawn by its Median and P99; see fixtures.Delay.
	Delay = fixtures.Delay

	// RateLimit is how many Requests a user may make Per time; see
	// fixtures.RateLimit.
	RateLimit = fixtures.RateLimit

	// Chaos is random trouble that can be repeated: shares of requests that meet
	// a Status or one of Faults; see fixtures.Chaos.
	Chaos = fixtures.Chaos

	// Service holds what the interface leaves open, each field with a default;
	// see fixtures.Service.
	Service = fixtures.Service

	// Responses are the answers that carry no campaigns; see fixtures.Responses.
	Responses = fixtures.Responses

	// Set is a set of Users with the settings of their Service, as WithLoader
	// takes it; see fixtures.Set.
	Set = fixtures.Set

	// Setting is one thing that is documented of the service, assumed or
	// configured; see fixtures.Setting.
	Setting = fixtures.Setting

	// Response is the Status, Headers and Body of one answer; see
	// fixtures.Response.
	Response = fixtures.Response
)

// Always is the Times of a Reply that is played for every further request.
const Always = fixtures.Always

// Gallery returns the fixtures that are built in, for WithFixtures: a user for
// every state of a screen that is worth seeing.
func Gallery() fs.FS { return fixtures.Gallery() }

// An Option configures a server that New or NewTestServer makes. Options apply
// in their order: where two speak of the same token or setting, the later holds.
type Option func(*config)

// WithUser adds a user, or replaces the one that has the token.
func WithUser(token string, user User) Option {
	user = user.Clone()
	return func(c *config) { c.setUser(token, user, true) }
}

// WithFixtures adds the users and the service settings of YAML files: those that
// the patterns match (as fs.Glob has them; a folder stands for its *.yaml and
// *.yml files), or those in the root folder if there are no patterns. Mistakes
// in the files are the error of New, all of them at once.
func WithFixtures(files fs.FS, patterns ...string) Option {
	return WithLoader(func() (*Set, error) {
		if files == nil {
			return nil, errors.New("the file system of WithFixtures is nil; give it one as os.DirFS(\"testdata\")")
		}
		return fixtures.LoadFS(files, patterns...)
	})
}

// WithLoader adds the users and the service settings that a function returns. It
// is called when the server is made, and again by every Reload, by one goroutine
// at a time; an error is that of New, or of Reload. Of the settings, those count
// as configured that have a place in the set.
func WithLoader(load func() (*Set, error)) Option {
	return func(c *config) {
		if load == nil {
			c.wrong = append(c.wrong, errors.New("the function of WithLoader is nil; give it one that returns a set"))
			return
		}
		set, err := load()
		switch {
		case c.gather(err):
			return
		case err != nil:
			c.wrong = append(c.wrong, err)
			return
		case set == nil:
			c.wrong = append(c.wrong, errors.New("the function of WithLoader returned no set; return one, be it &fake.Set{}"))
			return
		}
		for _, token := range set.Tokens() {
			c.setUser(token, set.Users[token], false)
		}
		c.service = c.service.Overlay(set.Service)
		if set.Places["seed"] != "" { // be it 0
			c.service.Seed = set.Service.Seed
		}
		maps.Copy(c.places, set.Places)
	}
}

// WithService replaces the settings of the service that are not zero in the
// given one.
func WithService(service Service) Option {
	service = Service{}.Overlay(service) // which nobody else can change
	return func(c *config) {
		for _, setting := range service.Settings(nil) {
			if setting.Basis == "assumed" && setting.Value != nil && (setting.Name != "seed" || service.Seed != 0) {
				c.places[setting.Name] = "fake.WithService"
			}
		}
		c.service = c.service.Overlay(service)
	}
}

// WithSeed sets the seed of generated campaigns, and of all that is drawn for
// requests: delays and chaos. Unlike the Seed of WithService,
// it can be 0.
func WithSeed(seed uint64) Option {
	return func(c *config) {
		c.service.Seed = seed
		c.places["seed"] = "fake.WithSeed"
	}
}

// WithLogger makes the server log one line for each request. Tokens that belong
// to no user are masked. Without this option, a server made by New is silent,
// and one made by NewTestServer writes to the log of the test; a nil logger
// silences that as well.
func WithLogger(logger *slog.Logger) Option {
	return func(c *config) {
		c.logger = logger
	}
}

// WithJournal sets how many requests the journal keeps, 1,000 unless told
// otherwise. With 0, or less, it keeps none, and counts them all the same.
func WithJournal(requests int) Option {
	return func(c *config) {
		c.journal = max(requests, 0)
	}
}

// WithoutControl leaves the control plane out: of what is under /_fake/, only
// /_fake/health remains.
func WithoutControl() Option {
	return func(c *config) {
		c.control = false
	}
}

// InMemory makes a test server do without a port: it is a real HTTP server that
// only its own Client can reach, over connections in memory. For any other
// client there is "no such host" as campaignfake.test.
//
// It works inside a testing/synctest bubble, if it is made inside as well, where
// delays, faults that never end, and rate limits take no time. A server from
// outside, used inside, ends the test binary with "receive on synctest channel
// from outside bubble". A test server on a port fails a test that makes it inside
// a bubble, whose time it would stop.
func InMemory() Option {
	return func(c *config) {
		c.inMemory = true
	}
}

// Lenient turns the strictness of a test server off: requests that match
// nothing, query parameters, panics, and replies that were not played then fail
// no test.
func Lenient() Option {
	return func(c *config) {
		c.lenient = true
	}
}
