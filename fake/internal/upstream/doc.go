// Package upstream passes a request on to the real API, and the answer back to the client.
//
// An app has one base URL for all of its API, and the fake answers one path of it. The rest
// comes from the upstream, which is the real API:
//
//	url.go        the URL of the upstream, and what is wrong with one
//	paths.go      from our paths to the upstream's, and back
//	proxy.go      what a caller sets, and what it is told
//	transfer.go   one request on its way there, its answer on the way back, and how they ended
//	request.go    what the upstream receives
//	answer.go     what the client receives
//	cookies.go    the cookies of an answer
//	transport.go  connections to the upstream
//	errors.go     why there is no answer, in words
//	mask.go       cookies are hidden from logs
//
// [net/http/httputil.ReverseProxy] copies headers and bodies, and connects the two sides of an
// upgrade. These are the choices that it leaves open:
//
//   - The path of the upstream's URL replaces our base path. A request outside of the base path
//     goes to the same path of the upstream's host. Path and query are not changed otherwise.
//   - The upstream receives the host of its own URL. Where the CORS headers allow credentials, it
//     receives its own origin, too, because it may refuse another one. Referer and Sec-Fetch-* are
//     dropped, because they name a page that the upstream does not know. X-Forwarded-* are dropped,
//     because an upstream has no reason to trust us, and most would refuse our host.
//   - Via names this server. A request that has been here before is refused: the URL leads to the
//     fake itself, perhaps through other servers.
//   - A cookie loses its Domain, and its Path becomes ours. Over HTTP it also loses the attributes
//     that browsers accept over HTTPS alone: Secure, SameSite=None and Partitioned. Cookies whose
//     names begin with __Host- or __Secure- keep these, because browsers refuse them otherwise.
//   - Location and Content-Location become ours if they lead to the upstream. In a redirect they
//     have no host then, so that they are right behind another proxy, too. In other answers they
//     have the Host of the request if they had one before, because apps read them without resolving
//     them. Other URLs stay, also in bodies.
//   - Strict-Transport-Security and Alt-Svc are dropped. They are about the upstream's host, but a
//     browser would apply them to ours, which is mostly localhost with all that runs there.
//   - Our CORS headers replace those of the upstream in the final answer. Answers with a status of
//     1xx before it have none of ours.
//   - Bodies stream in both directions, at the same time if necessary. Nothing is compressed or
//     expanded on the way. No request is repeated, except by net/http itself when the upstream
//     closes a connection that was used before.
//   - Event streams and upgraded connections have no end of their own, so they end with the server.
//     Ordinary answers may finish.
//   - A connection to the upstream that is not used is closed after four seconds. Node closes its
//     side after five, and a request that is sent meanwhile fails.
//
// The package knows nothing of campaigns, users or the journal. Its caller decides which requests
// are passed on and what the CORS headers are, and it answers when the upstream fails.
package upstream
