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
//	srv := fake.NewTestServer(t, fake.WithUser("alice", fake.User{Generate: &fake.Generate{Count: 3}}))
//	client := NewClient(srv.BaseURL(), "alice", srv.Client())
//	…
//	srv.CheckRequests(t, "alice", 1)
//
// The token selects the answer. [WithUser] gives a token its campaigns, written out
// or generated; generated ones are the same on every machine. [WithFixtures] reads
// users from YAML files, whose format package fixtures describes. A token without a
// user is answered 401.
//
// # Misbehaviour
//
// A user can misbehave, and every run repeats it: its replies are played one after the
// other (a status, a body, other campaigns, a delay, a fault), its delay holds answers
// back, and its rate limit refuses requests. [fixtures.User] and [fixtures.Reply] have
// the fields, and the constants, as [FaultReset], describe the faults. [Server.Enqueue]
// adds replies while the server runs.
//
// # Journal
//
// The journal lists each request that was received, its answer, and the reason for it:
// [Server.Requests] returns it, [Server.CheckRequests] asserts on it, and
// [Server.AwaitRequests] waits for requests without a sleep.
//
// # Sharing a server
//
// Servers are cheap, and share nothing. Tests that share one get a client each, from
// [Server.For]: it has a token of its own, and what goes wrong with that token fails this
// test alone. [Main] makes the server in a TestMain.
//
// # Is the fake true?
//
// [Conform] asks the real service, and fails a test for each difference between it and a
// server. [Compare] returns the differences, and the settings that take them away.
//
// # Other processes
//
// A [Client] controls a server in another process, such as one in a container, and has
// the methods of a [Server]. [Connect] returns one for a test, with a token of its own and as
// strict as a test server, and [Open] for other programs. It uses the control plane, an HTTP API under /_fake/ that README.md beside
// this file describes. [WithControlHosts] and [WithControlOrigins] allow more callers,
// and [WithoutControl] turns it off.
//
// With [WithInMemory] a server needs no port, and works inside a testing/synctest
// bubble. [New] makes a plain http.Handler for everything else.
package fake
