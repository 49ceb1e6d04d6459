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

// Version returns the version of this module: the version that the linker has set, or else the
// version in the build information. It is "" if there is neither.
func Version() string { return words.Version() }

// WithUser adds a copy of a user, or replaces the user that has the token. The comment of
// NewTestServer says when a test fails because replies of the user were not played.
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
// that reload. New and every Reload call the function, and return its error. They call it from one
// goroutine at a time. The server keeps the set, so nobody may change the set afterwards. Several
// servers can have the same set. A setting with a zero value, such as seed 0, counts as not set,
// unless set.Places has the name of the setting.
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

// WithService changes the settings of the service to the values in the argument service. A field
// that is zero changes nothing. WithService copies the argument, so the caller may change it later.
func WithService(service fixtures.Service) Option {
	service = service.Clone()
	places := service.PlacesAt(fixtures.Place{Option: "fake.WithService"})
	return Option{func(s *plan.Setup) {
		s.AddSettings(service, places)
	}}
}

// WithUpstream passes requests on to the real API if the service does not have their path or their
// method. The path of the URL replaces the base path of the service: with the URL
// https://staging.example.com/v1, /api/me becomes /v1/me. So an app that has one base URL for its
// whole API can use the BaseURL of the server. With the setting UnknownTokens "upstream", the
// campaigns of tokens without a user come from the upstream, too.
//
// Requests that are passed on are in the journal, and do not fail a strict test. So a misspelt path
// gets the 404 of the upstream. But the server does not pass on a path that differs from the path
// of the campaigns only by slashes, case, encoding or the base path. Such a path fails a strict
// test. WithFallback passes requests to a handler in the same process instead.
//
// You can enqueue replies for a token whose campaigns come from the upstream. If a reply changes
// only the delay, the upstream still answers. Any other reply comes from this server, without the
// upstream. If such a reply is a success without a body and without campaigns, the server sends an
// empty list. A fault of the reply can break this list.
//
// The environment variables HTTPS_PROXY, NO_PROXY and SSL_CERT_FILE apply to connections to the
// upstream, as always with net/http. Pages on localhost can read answers and send cookies, unless
// the setting CORS is given.
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

// WithFallback passes requests to a handler in the same process if the service does not have their
// path or their method. So an app that has one base URL for its whole API can use the BaseURL of
// the server. The server itself still answers / without a token, /favicon.ico, other files that
// browsers request by themselves, and everything under /_fake/.
//
// The handler gets a request as it came, with the base path and the whole body. The context of the
// request also ends when somebody closes the server. But if the answer has begun by then, it may
// finish within half a second, unless it is an event stream. The server answers preflights, and
// adds CORS headers to answers: by default, pages on localhost can read answers and send cookies.
//
// If the handler answers 404, this does not fail a strict test. But a panic of the handler does,
// and so does a path that differs from the path of the campaigns only by slashes, case, encoding or
// the base path. If the handler answers a request, the journal has this request with PassedOn set.
// The journal then has the header of the answer and the length of the body, but not the body.
//
// A handler that is nil is a mistake. WithUpstream and WithFallback together are a mistake, too.
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
// journal.LogMessage. A slog.Handler that writes these lines in its own way gets the request from
// journal.FromContext.
//
// A token may be the secret of a login, so the line masks it, except for
//   - tokens of the options and the fixtures, and tokens that SetUser gave a user;
//   - tokens of a test (NAME~RUN);
//   - tokens with fewer than 16 characters that got a user by SetUserLike or over HTTP, or that
//     got replies;
//   - tokens such as alice~1, if alice is one of these tokens and has a user.
//
// The line of a request for the campaigns also shows a token that is nearly the token of such a
// user, and a word such as undefined, because these are mistakes of the client. The line does not
// mask the path, even if the client has put a token into the path.
//
// By default, a server made by New logs nothing, and a server made by NewTestServer writes to the
// log of the test. If tests share the server (Server.For), a line about a token of a test goes to
// the log of this test. A nil logger turns the log off.
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

// WithControlHosts adds hosts, such as campaigns.example.com, without a port. The control plane
// answers requests that clients send to these hosts, and answers 403 to requests for other hosts.
// Otherwise a page could read the journal by DNS rebinding: the page makes its own host name lead
// to the server.
//
// You need not add hosts that nobody can register: IP addresses, names without a dot, and names
// under .localhost, .local, .internal, .test and .svc. But any machine of a local network can take
// a name under .local.
//
// The list is shorter for a request that arrives on the loopback interface. Then the control plane
// accepts only three kinds of hosts that you have not added: localhost, names under .localhost, and
// loopback addresses.
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

// WithControlOrigins adds origins, such as http://localhost:5173. Pages of these origins may use
// the control plane from a browser, by CORS. By default, only the server's own page may use it. The
// host to which a page sends its requests must also be allowed: see WithControlHosts.
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
// rate limits take no time. Make the server inside the bubble. Without this option, NewTestServer
// fails a test in a bubble, because time in a bubble stands still while a server listens on a port.
func WithInMemory() Option {
	return Option{func(s *plan.Setup) {
		s.InMemory = true
	}}
}

// WithTB makes a server of New report to a test, as a server of NewTestServer does. The server is
// strict. It logs to the test unless a later WithLogger says otherwise. It closes itself when the
// test ends. The option is for a server that is a handler of a mux or of another server.
//
// If this server is the handler of another server, the Close of the other server waits for requests
// that are delayed or held. So the test has to close this server first:
//
//	outer := httptest.NewServer(srv)
//	defer outer.Close()
//	defer srv.Close() // runs first, so that outer.Close waits for nothing
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

// WithLenient makes a test server that is not strict. A test then does not fail for these reasons:
// a request that matches nothing, a query parameter, a panic, a fault that cannot be delivered, or
// a reply that was not played. This also holds for the tests that share the server. New needs
// WithTB beside WithLenient, and fails without WithTB.
func WithLenient() Option {
	return Option{func(s *plan.Setup) {
		s.Lenient = true
	}}
}
