// Package fake is a stand-in for a campaign listing service, for tests in the
// same process.
//
// The service answers one request:
//
//	GET {base URL}/user/campaigns      Authorization: Bearer <token>
//
//	200  {"campaigns":[{"id":…,"name":…,"created_at":…,"updated_at":…,"status":…}]}
//	401  no token, one that cannot be read, or one that no user has (RFC 6750)
//	404  another path            405  another method
//	429  the user's rate limit is reached
//
// Only the request and the fields of a campaign are documented. Everything else
// (statuses, error bodies, the format of ids and dates, CORS) is a setting, and
// [fixtures.Service] gives its default. Errors are problem documents (RFC 9457).
// HEAD works like GET. Query parameters are ignored.
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
// The token selects the answer. [WithUser] gives a token its campaigns, written out
// or generated; generated ones are the same on every machine. [WithFixtures] reads
// users from YAML files, whose format package fixtures describes. A token without a
// user is answered 401.
//
// A user can misbehave, and every run repeats it: its replies are played one after the
// other (a status, a body, other campaigns, a delay, a fault), its delay holds answers
// back, and its rate limit refuses requests. [Server.Enqueue] adds replies while the server
// runs. [Server.Requests] returns the journal: each request that was received, its answer, and
// the reason for it.
//
// With [WithInMemory] a server needs no port, and works inside a testing/synctest bubble. Tests
// that share a server get a client each from [Server.For]. [New] makes a plain http.Handler.
// [Conform] asks the real service whether the fake is true.
//
// Programs in other languages, and suites beside a container, steer a server by its control plane,
// an HTTP API under /_fake/ that README.md beside this file describes.
package fake
