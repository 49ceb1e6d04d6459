package fake

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"net/url"

	"example.com/campaignfake/fake/internal/hosts"
	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fake/internal/report"
	"example.com/campaignfake/fake/internal/upstream"
	"example.com/campaignfake/fake/internal/words"
	"example.com/campaignfake/fixtures"
)

// An Option configures a server that New or NewTestServer makes. Options apply in their order: if
// two give the same token or setting, the later one wins. An Option can be used for several
// servers. The zero Option does nothing.
type Option struct {
	configure func(*plan.Setup)
}

// applied applies options, and returns the Setup that they give.
func applied(options []Option) *plan.Setup {
	var functions []func(*plan.Setup)
	for _, option := range options {
		if option.configure != nil {
			functions = append(functions, option.configure)
		}
	}
	return plan.NewSetup(functions)
}

// Version returns the version of this module, as the linker or the build information has it. It is
// "" if neither has one.
func Version() string { return words.Version() }

// WithUser adds a copy of a user, or replaces the user that has the token. NewTestServer says which
// replies of the user have to be played.
func WithUser(token string, user fixtures.User) Option {
	user = user.Clone()
	return Option{func(s *plan.Setup) {
		s.SetUser(token, user, plan.DoorGo)
	}}
}

// WithFixtures adds the users and the service settings of the YAML files that the patterns match,
// as in fs.Glob. A folder stands for its *.yaml and *.yml files. Without patterns, the root folder
// is read. A file system that is nil is a mistake.
func WithFixtures(files fs.FS, patterns ...string) Option {
	if files == nil {
		return Option{func(s *plan.Setup) {
			s.AddError(errors.New("WithFixtures: the file system is nil; " +
				`give one, as os.DirFS("testdata") or fixtures.Gallery()`))
		}}
	}
	return WithLoader(func() (*fixtures.Set, error) {
		set, err := fixtures.LoadFS(files, patterns...)
		var mistakes *fixtures.Mistakes
		if errors.As(err, &mistakes) {
			nameWithFixtures(mistakes)
		}
		return set, err
	})
}

// nameWithFixtures names the option WithFixtures in mistakes about a whole file or folder. Without
// the name, a path inside an fs.FS does not tell which line of Go gave it.
func nameWithFixtures(mistakes *fixtures.Mistakes) {
	for i, m := range mistakes.List {
		if m.Line == 0 && m.File != "" {
			mistakes.List[i].File = "fake.WithFixtures: " + m.File
		}
	}
}

// WithLoader adds the users and the service settings that a function returns. It is for programs
// that reload. New and every Reload call the function, and return its error. Only one goroutine at
// a time calls it. The server keeps the set, so nobody may change it any more; other servers can
// have the same set. A setting counts as configured if the set has a place for it.
func WithLoader(load func() (*fixtures.Set, error)) Option {
	if load == nil {
		return Option{func(s *plan.Setup) {
			s.AddError(errors.New("WithLoader: the function is nil; " +
				"give one that returns a set, or leave the option out"))
		}}
	}
	return Option{func(s *plan.Setup) {
		set, err := load()
		switch {
		case err != nil:
			s.AddError(err)
		case set == nil:
			s.AddError(errors.New("WithLoader: the function returned neither a set nor an error; " +
				"return &fixtures.Set{} for no fixtures"))
		default:
			s.AddSet(set)
		}
	}}
}

// WithService changes settings of the service to the values in a copy of service. A field that is
// zero changes nothing.
func WithService(service fixtures.Service) Option {
	service = service.Clone()
	places := service.PlacesAt(fixtures.Place{Option: "fake.WithService"})
	return Option{func(s *plan.Setup) {
		s.AddSettings(service, places)
	}}
}

// WithUpstream passes requests that have no route here on to the real API, and its answers back.
// These are requests for a path or with a method that the service does not have. The URL of the API
// is, for example, https://staging.example.com/v1. Its path replaces the base path of the service,
// so an app that has one base URL for its whole API can use the server's. With the setting
// UnknownTokens "upstream", the campaigns of tokens without a user come from the upstream, too.
//
// Requests that are passed on are in the journal, and do not fail a strict test. So a misspelt path
// gets the upstream's own 404, unless it differs from the path of the campaigns only by slashes,
// case, encoding or the base path. WithFallback does the same with a handler of the test.
//
// A reply for a token without a user that changes more than the delay is played by this server,
// without the upstream. If the reply has neither a body nor campaigns, it sends an empty list,
// which a fault can break.
//
// For connections to the upstream, HTTPS_PROXY, NO_PROXY and SSL_CERT_FILE mean what they mean for
// net/http. Pages on localhost can read answers and send cookies, unless CORS is set.
func WithUpstream(api *url.URL) Option {
	var copied *url.URL
	if api != nil {
		copied = new(url.URL)
		*copied = *api
	}
	return Option{func(s *plan.Setup) {
		if err := upstream.CheckURL(copied); err != nil {
			s.AddError(fmt.Errorf("WithUpstream: %w", err))
			return
		}
		s.Upstream = copied
	}}
}

// WithFallback has a handler answer the requests that have no route here, in the same process, so
// that an app that has one base URL for its whole API can use the server's. These are requests for
// a path or with a method that the service does not have. The paths under /_fake/, /favicon.ico,
// other files that browsers ask for by themselves, and / without a token stay the server's.
//
// The handler gets a request as it came, with the base path and the whole body. Its context also
// ends when the server does; an answer that has begun, and is no event stream, may finish until the
// server is closed. The server adds the CORS headers, whose default is that pages on localhost can
// read answers and send cookies, and answers preflights.
//
// A strict test stays strict, except that the handler may answer a path that it does not know with
// its own 404. A path that differs from the path of the campaigns only by slashes, case, encoding
// or the base path still fails the test, and so does a panic of the handler. In the journal such a
// request has PassedOn set, and the answer has its header and length, without the body.
//
// A handler that is nil is a mistake, and so is WithUpstream beside it.
func WithFallback(handler http.Handler) Option {
	return Option{func(s *plan.Setup) {
		if handler == nil {
			s.AddError(errors.New("WithFallback: the handler is nil; " +
				"give the one that serves the rest of the API, or leave the option out"))
			return
		}
		s.Fallback = handler
	}}
}

// CheckUpstream returns what is wrong with a URL for WithUpstream, and what to write instead. It
// returns nil if nothing is wrong. The error repeats nothing of the URL except its port, because
// the URL may hold a password.
func CheckUpstream(api *url.URL) error { return upstream.CheckURL(api) }

// WithLogger makes the server log one line for each request. The message of these lines is
// journal.LogMessage; a slog.Handler that writes them in its own way gets the request from
// journal.FromContext.
//
// A token may be the secret of a login, so the line masks it unless somebody has chosen it. Chosen
// tokens are the tokens of the options and the fixtures, tokens that SetUser gave a user, tokens of
// a test (NAME~RUN), tokens with fewer than 16 characters that got a user in another way, or got
// replies, and runs of all these, as alice~1. The line of a request for the campaigns shows a token
// that is nearly a chosen token, and a word such as undefined, because these are mistakes. A path
// is written as it was sent, also if a client has put a token into it.
//
// By default, a server made by New logs nothing, and one made by NewTestServer writes to the log of
// the test. A line about a token of a test that shares the server goes to the log of that test. A
// nil logger turns the log off.
func WithLogger(logger *slog.Logger) Option {
	return Option{func(s *plan.Setup) {
		s.Logger = logger
		s.HasLogger = true
	}}
}

// WithoutControl turns the control plane off: under /_fake/ there is only /_fake/health.
func WithoutControl() Option {
	return Option{func(s *plan.Setup) {
		s.Control = false
	}}
}

// WithControlHosts adds hosts to which requests to the control plane may be sent, without a port,
// as campaigns.example.com. Requests to other hosts are answered 403. Otherwise a page could read
// the journal by DNS rebinding: it makes its own host name lead to the server.
//
// Hosts that nobody can register need not be added: IP addresses, names without a dot, and names
// under .localhost, .local, .internal, .test and .svc. On a network with others, any machine can
// take a name under .local. On the loopback interface, only localhost,
// names under it, and loopback addresses need not be added.
func WithControlHosts(allowed ...string) Option {
	return Option{func(s *plan.Setup) {
		for _, host := range allowed {
			if err := hosts.Check(host); err != nil {
				s.AddError(fmt.Errorf("WithControlHosts: %v", err))
			}
			s.Hosts = append(s.Hosts, hosts.Canonical(host))
		}
	}}
}

// CheckHost returns what is wrong with a host for WithControlHosts, and nil if nothing is.
func CheckHost(host string) error { return hosts.Check(host) }

// WithControlOrigins adds origins, such as http://localhost:5173. Their pages may use the control
// plane from a browser, by CORS. By default only the server's own page may. The host of their
// requests must be a host of WithControlHosts, or a host that need not be added there.
func WithControlOrigins(origins ...string) Option {
	return Option{func(s *plan.Setup) {
		for _, origin := range origins {
			if err := fixtures.CheckOrigin(origin); err != nil {
				s.AddError(fmt.Errorf("WithControlOrigins: %v", err))
			}
			s.Origins = append(s.Origins, origin)
		}
	}}
}

// WithInMemory makes a test server without a port. It is a real HTTP server, which only its Client
// and DialContext reach, over connections in memory. New fails with this option.
//
// Such a server works inside a testing/synctest bubble, where delays, faults that never end, and
// rate limits take no time. It must be made inside of the bubble. A test server with a port would
// stop the time there, so NewTestServer fails the test.
func WithInMemory() Option {
	return Option{func(s *plan.Setup) {
		s.InMemory = true
	}}
}

// WithTB makes a server of New report to a test, as a server of NewTestServer does. It is strict,
// it logs to the test unless a later WithLogger says otherwise, and it is closed when the test
// ends. The option is for a handler that is served by a mux or another server of the test.
//
// The test may close that other server earlier, by defer or by a Cleanup. Its Close waits for
// requests that are delayed or held, so this server has to be closed before it:
//
//	outer := httptest.NewServer(srv)
//	defer outer.Close()
//	defer srv.Close() // runs first, so that outer waits for nothing
func WithTB(tb TB) Option {
	if tb == nil {
		return Option{func(s *plan.Setup) {
			s.AddError(errors.New("WithTB: the test is nil; " +
				"give the *testing.T of the test, or leave the option out"))
		}}
	}
	return Option{func(s *plan.Setup) {
		if err := report.Check(tb); err != nil {
			s.AddError(err)
		}
		s.Test = report.New(tb)
		s.Logger = s.Test.Log
		s.HasLogger = false
	}}
}

// WithLenient makes a test server that is not strict. Requests that match nothing, query
// parameters, panics, faults that cannot be delivered, and replies that were not played do not fail
// the test. They do not fail the tests that share the server either. New fails with this option
// unless it has WithTB, too.
func WithLenient() Option {
	return Option{func(s *plan.Setup) {
		s.Lenient = true
	}}
}
