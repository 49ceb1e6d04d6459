package fake

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/url"

	"example.com/campaignfake/fake/internal/hosts"
	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fake/internal/report"
	"example.com/campaignfake/fake/internal/upstream"
	"example.com/campaignfake/fake/internal/words"
	"example.com/campaignfake/fixtures"
)

// An Option configures a server that New or NewTestServer makes. Options apply
// in their order: if two give the same token or setting, the later one applies.
type Option struct {
	configure func(*plan.Config)
}

// applied applies options.
func applied(options []Option) *plan.Config {
	functions := make([]func(*plan.Config), len(options))
	for i, option := range options {
		functions[i] = option.configure
	}
	return plan.Configure(functions)
}

// Version returns the version of this module, as the linker set it or as the build information
// has it, and "" if neither is known.
func Version() string { return words.Version() }

// WithUser adds a user, or replaces the one that has the token.
func WithUser(token string, user fixtures.User) Option {
	user = user.Clone()
	return Option{func(c *plan.Config) {
		c.SetUser(token, user, true)
	}}
}

// WithFixtures adds the users and the service settings of YAML files: those that the patterns
// match (as in fs.Glob; a folder stands for its *.yaml and *.yml files), or those in the root
// folder if there are no patterns. A file system that is nil is a mistake.
func WithFixtures(files fs.FS, patterns ...string) Option {
	if files == nil {
		return Option{func(c *plan.Config) {
			c.AddError(errors.New("WithFixtures: the file system is nil; " +
				`give one, as os.DirFS("testdata") or fixtures.Gallery()`))
		}}
	}
	return WithLoader(func() (*fixtures.Set, error) {
		return fixtures.LoadFS(files, patterns...)
	})
}

// WithLoader adds the users and the service settings that a function returns. It is for
// programs that reload. The function is called by New and by every Reload, which return its
// error, and by one goroutine at a time. The server keeps the set, which nobody may change
// then. A setting counts as configured if the set has a place for it.
func WithLoader(load func() (*fixtures.Set, error)) Option {
	return Option{func(c *plan.Config) {
		set, err := load()
		if err != nil {
			c.AddError(err)
			return
		}
		c.AddSet(set)
	}}
}

// WithService replaces the settings of the service that are not zero in the
// given one.
func WithService(service fixtures.Service) Option {
	service = service.Clone()
	places := service.PlacesAt(fixtures.Place{Option: "fake.WithService"})
	return Option{func(c *plan.Config) {
		c.AddSettings(service, places)
	}}
}

// WithUpstream passes requests that have no route here on to the real API at a URL, as
// https://staging.example.com/v1, and its answers back: other paths than that of the campaigns, and
// other methods. The path of the URL stands in place of the base path of the service. So an app
// that has one base URL for all of its API uses the server as that. With the setting UnknownTokens
// "upstream", the campaigns of tokens without a user come from there, too.
//
// What is passed on is in the journal, and matches in the sense of a strict test: a misspelt path
// is the upstream's own 404, unless it is nearly that of the campaigns. To keep strictness, have a
// mux of the test serve what the app needs beside the fake, and mount the server in it.
//
// The environment of net/http holds for connections to the upstream: HTTPS_PROXY, NO_PROXY and
// SSL_CERT_FILE. Pages on localhost can read answers and send cookies, unless CORS is set.
func WithUpstream(api *url.URL) Option {
	var own *url.URL
	if api != nil {
		copied := *api
		own = &copied
	}
	return Option{func(c *plan.Config) {
		if err := upstream.CheckURL(own); err != nil {
			c.AddError(fmt.Errorf("WithUpstream: %w", err))
			return
		}
		c.Upstream = own
	}}
}

// CheckUpstream returns what is wrong with a URL for WithUpstream, and what to write instead; nil
// if nothing is. The error repeats nothing of the URL, which may hold a password.
func CheckUpstream(api *url.URL) error { return upstream.CheckURL(api) }

// WithLogger makes the server log one line for each request. Tokens without a user are masked,
// unless they are nearly a user's, a word such as undefined, or the token of a test that shares the
// server. By default a server made by New logs nothing, and one made by NewTestServer writes to the
// log of the test; what is about a token of a test that shares the server goes to the log of that
// test. A nil logger turns the log off.
func WithLogger(logger *slog.Logger) Option {
	return Option{func(c *plan.Config) {
		c.Logger = logger
		c.HasLogger = true
	}}
}

// WithoutControl turns the control plane off: under /_fake/ there is only /_fake/health.
func WithoutControl() Option {
	return Option{func(c *plan.Config) {
		c.Control = false
	}}
}

// WithControlHosts adds hosts, without a port, to which requests to the control plane may be
// sent, as campaigns.example.com. Those to others are answered 403, since a page could read the
// journal by DNS rebinding: its own host name is made to point at the server.
//
// Hosts that nobody can register need not be added: IP addresses, names without a dot, and names
// under .localhost, .local, .internal, .test and .svc. On the loopback interface these
// are only localhost, names under it, and loopback addresses.
func WithControlHosts(allowed ...string) Option {
	return Option{func(c *plan.Config) {
		for _, host := range allowed {
			if err := hosts.Check(host); err != nil {
				c.AddError(fmt.Errorf("WithControlHosts: %v", err))
			}
			c.Hosts = append(c.Hosts, hosts.Canonical(host))
		}
	}}
}

// CheckHost returns what is wrong with a host for WithControlHosts, nil if nothing is.
func CheckHost(host string) error { return hosts.Check(host) }

// WithControlOrigins adds origins, such as http://localhost:5173, whose pages may use
// the control plane from a browser, by CORS. By default only its own page may. The
// host of their requests must be one of WithControlHosts, or one that needs no adding.
func WithControlOrigins(origins ...string) Option {
	return Option{func(c *plan.Config) {
		for _, origin := range origins {
			if err := fixtures.CheckOrigin(origin); err != nil {
				c.AddError(fmt.Errorf("WithControlOrigins: %v", err))
			}
			c.Origins = append(c.Origins, origin)
		}
	}}
}

// WithInMemory makes a test server without a port: a real HTTP server that only its Client and
// DialContext reach, over connections in memory.
//
// It works inside a testing/synctest bubble, where delays, faults that never end, and
// rate limits take no time. It must be made inside the bubble, too, where a test server with a
// port would stop the time, and fails the test. New fails with this option.
func WithInMemory() Option {
	return Option{func(c *plan.Config) {
		c.InMemory = true
	}}
}

// WithTB makes a server of New report to a test, as NewTestServer does: it is strict, it logs to
// the test unless a later WithLogger says otherwise, and it is closed when the test ends. It is for
// a handler that a mux or another server of the test serves.
//
// That server may be closed earlier, by defer or by a Cleanup, and waits for requests that are
// delayed or held. So defer closes this one before it:
//
//	outer := httptest.NewServer(srv)
//	defer outer.Close()
//	defer srv.Close() // first, so that outer waits for nothing
func WithTB(tb TB) Option {
	return Option{func(c *plan.Config) {
		c.Test = report.New(tb)
		c.Logger = c.Test.Log
		c.HasLogger = false
	}}
}

// WithLenient makes a test server that is not strict: requests that match nothing, query
// parameters, panics, and replies that were not played do not fail the test, nor those that share
// the server. New fails with this option unless it has WithTB.
func WithLenient() Option {
	return Option{func(c *plan.Config) {
		c.Lenient = true
	}}
}
