// Package fake is a stand-in for a campaign listing service, for tests in the same process.
//
// The service answers one request:
//
//	GET {base URL}/user/campaigns      Authorization: Bearer <token>
//
//	200  {"campaigns":[{"id":…,"name":…,"created_at":…,"updated_at":…,"status":…}]}
//	401  no token, an unreadable token, or a token that no user has (RFC 6750)
//	404  another path            405  another method
//	429  the user's rate limit is reached
//
// Only the request and the fields of a campaign are documented. Everything else (statuses, error
// bodies, the format of ids and dates, CORS) is a setting, and [fixtures.Service] gives its
// default. Errors are problem documents (RFC 9457). HEAD works like GET. Query parameters are
// ignored, and fail a strict test.
//
// # In a test
//
// A test starts a server in one line, and gives its base URL to the client under test:
//
//	srv := fake.NewTestServer(t, fake.WithUser("alice", fixtures.User{
//		Generate: &fixtures.Generate{Count: 3},
//	}))
//	client := NewClient(srv.BaseURL(), "alice", srv.Client())
//	…
//	srv.CheckRequests(t, "alice", 1)
//
// The token selects the answer. [WithUser] gives a token its campaigns, written out or generated.
// Generated campaigns are the same on every machine. [WithFixtures] reads users from YAML files.
// Package fixtures describes their format. A token without a user is answered 401.
//
// A user can misbehave, in the same way each time the test runs. The server plays the user's
// replies one after the other: a status, a body, other campaigns, a delay, a fault. The user's
// delay holds answers back, and the user's rate limit refuses requests. [Server.Enqueue] adds
// replies while the server runs. [Server.Requests] returns the journal: each request that was
// received, its answer, and the reason for it.
//
// An app has one base URL for its whole API. A handler of the test can answer the other paths:
//
//	api := http.NewServeMux()
//	api.HandleFunc("GET /api/me", me)
//	srv := fake.NewTestServer(t, fake.WithFallback(api))
//
// With [WithUpstream], the real API answers the other paths. A server of [New] is a plain
// http.Handler until [Server.Listen] gives it an address. In a mux, register it at the pattern "/",
// so that it sees misspelt paths.
//
// With [WithInMemory] a server needs no port, and works inside a testing/synctest bubble. Tests
// that share a server each get a [Client] from [Server.For]. [Conform] compares the fake with the
// real service.
//
// Tests in other languages, or beside a container, control a server over HTTP: by its control plane
// under /_fake/, which README.md beside this file describes.
//
// # For developers of this package
//
// A request comes to [Server.ServeHTTP], which calls package control for paths under /_fake/, and
// package serve for all others. The steps of package serve use engine.Engine. Engine.Arrive adds
// the request to the journal, which package ring holds. It also returns what is in force for the
// token: a plan.User and a plan.Reply. The steps write the reason of the request, and a
// reason.Finding if something is wrong with it. The last step, deliver, sends the answer, and
// Engine.Note completes the entry. Package wire breaks connections. Package advice says what to
// change in a wrong request.
//
// fixtures.LoadFS reads a file of fixtures as a fixtures.Set, which [WithFixtures] adds to a
// plan.Setup. plan.NewSnapshot checks it, and prepares the answers. Engine.Reload puts another
// snapshot in force.
//
// Package ask sends requests to a real service. Package observe turns the answers into settings,
// and package record turns an answer into a user. Package secret keeps the token out of the
// settings and the user. Package upstream is the proxy. Package hosts protects the proxy and the
// control plane from web pages.
//
// The server reports failures to a report.Test. For a wrong request, Engine.TestOf finds the test
// by the token: the test of [Server.For], or else the test of the server. A test learns at its end
// which replies were not played.
package fake
