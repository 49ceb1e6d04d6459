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
// What is not documented of the real service (every status but the request
// itself, error bodies, the format of ids and dates, CORS) is a setting of
// [Service], with the default that its comment gives. Errors are problem
// documents (RFC 9457). HEAD works like GET, query parameters are ignored.
//
// A test starts a server in one line, and points its client there:
//
//	srv := fake.NewTestServer(t, fake.WithUser("alice", fake.User{Generate: &fake.Generate{Count: 3}}))
//	client := NewClient(srv.BaseURL(), "alice", srv.Client())
//	…
//	srv.CheckRequests(t, "alice", 1)
//
// The token decides what is seen: [WithUser] gives it campaigns that are written
// out, or asks for generated ones, which are the same on every machine;
// [WithFixtures] reads them from YAML files, whose format package fixtures
// describes. A token that nobody was given is answered 401.
//
// # Misbehaviour
//
// A [User] can be treated badly, and always in the same way: its Replies are
// played one after the other (a status, a body, other campaigns, a delay, a
// fault), its Delay holds answers back, its RateLimit refuses them, and its Chaos
// strikes at random, by draws that a run with the same seed repeats.
// [Server.Enqueue] adds replies while the server runs. A request can ask for its
// own answer by the header Prefer (RFC 7240), as Prefer: code=503, delay=2s or
// Prefer: fault=reset.
//
// A [Reply] names the faults. They happen on the connection, and a client sees
// what a broken service would show it. Where a connection cannot be taken over,
// the nearest thing happens: under HTTP/2 the stream is reset with
// INTERNAL_ERROR in place of reset, close and garbage, and after the part of the
// body that truncate and bad_chunk send; with an httptest.ResponseRecorder the
// handler panics with [http.ErrAbortHandler]. With [InMemory] reset is an end
// like close, since a pipe cannot be reset. Over HTTP/1.0, which has no chunks,
// bad_chunk is truncate. An answer to HEAD has no body to break.
//
// Waiting ends when the client goes away, or closes its sending side, which looks
// the same, or the server is closed. While connections may break before an answer
// and not always, each is used once: clients silently repeat a request whose
// connection they have used before. One with Prefer: fault=reset may come twice.
//
// The journal keeps what was received, and why it was answered as it was:
// [Server.Requests] for looking, [Server.CheckRequests] for asserting,
// [Server.AwaitRequests] for waiting without a sleep.
//
// Under /_fake/ there is the control plane, which does the same over HTTP, for
// those who are in another process: users, replies, requests, reset and health.
// [Connect] is that for a test in Go, [Open] for another program in Go, and
// [WithoutControl] leaves it out.
//
// With [InMemory] a server does without a port, and works inside a
// testing/synctest bubble. [New] makes a plain http.Handler for everything else.
package fake
