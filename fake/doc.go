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
// A test starts a server in one line, and points its client there:
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
// A user can misbehave, and does the same in every run. Its replies are played one after the other
// (a status, a body, other campaigns, a delay, a fault), its delay holds answers back, and its rate
// limit refuses requests. [Server.Enqueue] adds replies while the server runs. [Server.Requests]
// returns the journal: each request that was received, its answer, and the reason for it.
//
// An app has one base URL for all of its API. A handler of the test answers the other paths:
//
//	api := http.NewServeMux()
//	api.HandleFunc("GET /api/me", me)
//	srv := fake.NewTestServer(t, fake.WithFallback(api))
//
// [WithUpstream] has the real API answer them. A server of [New] is a plain http.Handler until
// [Server.Listen] gives it an address. In a mux it belongs at the pattern "/", where it sees
// misspelt paths.
//
// With [WithInMemory] a server needs no port, and works inside a testing/synctest bubble. Tests
// that share a server get a [Client] each from [Server.For]. [Conform] asks the real service
// whether the fake is true.
//
// Suites in other languages, or beside a container, steer a server by its control plane, an HTTP
// API under /_fake/ that README.md beside this file describes.
//
// # For developers of this package
//
// A request comes to [Server.ServeHTTP], which calls package control for paths under /_fake/, and
// package serve for all others. The steps of package serve ask engine.Engine. Engine.Arrive enters
// the request into the journal, which package ring holds, and takes what is in force for its token:
// a plan.User and a plan.Reply. What the steps find becomes the reason of the request, and a
// reason.Finding if something is wrong. The last step, deliver, sends the answer, and Engine.Note
// completes the entry. Package wire breaks connections. Package advice says what to change in the
// request.
//
// fixtures.LoadFS reads a file of fixtures as a fixtures.Set, which [WithFixtures] adds to a
// plan.Setup. plan.NewSnapshot checks it, and prepares the answers. Engine.Reload puts another
// snapshot in force.
//
// Package ask asks a real service. Of its answers, package observe makes settings, and package
// record a user. Package secret keeps the token out of their results. Package upstream is the
// proxy, and package hosts guards it and the control plane.
//
// Failures are reported to a report.Test. While a request is answered, Engine.TestOf finds the test
// by the token, among the tests of [Server.For]. Replies that were not played are reported when the
// test ends.
package fake
