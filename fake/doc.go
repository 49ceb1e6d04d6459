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
// (statuses, error bodies, the format of ids and dates, CORS) is a setting of
// [Service], whose comment gives the default. Errors are problem documents (RFC
// 9457). HEAD works like GET. Query parameters are ignored.
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
// # Is it true?
//
// [Compare] asks a real service how it answers, and says where the fake is not like it;
// [Conform] is that as a test. [Service] has what they can find out: the field around
// the list, further fields, ids that are numbers, other errors. [Profile] sets a server
// up as services of some kind answer, and [Server.SetService] changes the settings
// while it runs.
//
// # Misbehaviour
//
// A [User] can misbehave, and every run repeats how: its Replies are played one
// after the other (a status, a body, other campaigns, a delay, a fault), its Delay
// delays answers, its RateLimit refuses requests, and its Chaos selects requests at
// random, by draws that depend on the seed. [Server.Enqueue] adds replies while the
// server runs. A request can ask for its own answer with the header Prefer (RFC
// 7240), as Prefer: code=503, delay=2s or Prefer: fault=reset.
//
// [Reply] describes the faults. They happen on the connection, and a client sees
// what a broken service would show it. Where a connection cannot be hijacked, the
// closest thing happens: under HTTP/2 the stream is reset with INTERNAL_ERROR, for
// truncate and bad_chunk after a part of the body; with an
// httptest.ResponseRecorder the handler panics with [http.ErrAbortHandler]. With
// [InMemory] reset is the same as close, since a pipe cannot be reset. Over
// HTTP/1.0, which has no chunks, bad_chunk is the same as truncate. An answer to
// HEAD has no body to break.
//
// A delay or a fault that waits ends when the client goes away or the server is
// closed. A client that closes its sending side counts as gone, since the server
// cannot tell the difference.
//
// Clients silently repeat a request if its connection breaks and was used before.
// So each connection is used for one request while a reply or chaos resets or
// closes some of them. A request with Prefer: fault=reset may still come twice.
//
// The journal lists what was received, and why it was answered like that:
// [Server.Requests] returns it, [Server.CheckRequests] asserts on it, and
// [Server.AwaitRequests] waits for requests without a sleep.
//
// Programs in another process use the control plane, which does the same over HTTP
// under /_fake/: users, replies, requests, reset and health. In Go, [Connect] is
// its client for a test, and [Open] for other programs. [WithControlHosts] and
// [WithControlOrigins] say who else may use it. [WithoutControl] turns it off.
// README.md beside this file describes it.
//
// With [InMemory] a server needs no port, and works inside a testing/synctest
// bubble. [New] makes a plain http.Handler for everything else.
package fake
