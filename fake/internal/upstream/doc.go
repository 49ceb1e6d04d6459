// Package upstream passes a request on to the real API, and the answer back to the client.
//
// An app has one base URL for all of its API, and the fake answers one path of it. The rest
// comes from the upstream, which is the real API:
//
//	url.go        the URL of the upstream, and what is wrong with one
//	paths.go      paths of ours, and those of the upstream that they stand for
//	proxy.go      what a caller sets, and is told
//	exchange.go   one request on its way: there, back, and how it ended
//	request.go    what the upstream receives
//	answer.go     what the client receives
//	cookies.go    the cookies of an answer
//	transport.go  connections to the upstream
//	errors.go     why there is no answer, in words
//	mask.go       headers as a log may show them
//
// [net/http/httputil.ReverseProxy] copies headers and bodies, and connects the two sides of an
// upgrade. These are the choices that it leaves open:
//
//   - The path of the upstream's URL replaces the base path of ours. A request outside of the base
//     path goes to the same path of the upstream's host. Path and query go on as they came.
//   - The upstream receives the host of its own URL. Where the CORS headers allow credentials, it
//     receives its own origin, too, since it may refuse another one. Referer and Sec-Fetch-* do not
//     go on, because they name a page that it does not know. Neither do X-Forwarded-*: no upstream
//     has to trust us, and most would refuse our host.
//   - Via names this server. A request that has been here before is refused: the URL leads to the
//     fake itself, perhaps through other servers.
//   - A cookie loses its Domain, and its Path becomes ours. Over HTTP it also loses what a browser
//     takes over HTTPS alone: Secure, SameSite=None and Partitioned. Cookies whose names begin with
//     __Host- or __Secure- keep them, because browsers refuse such a cookie without them.
//   - Location and Content-Location of the upstream itself become ours, without a host, so that
//     they are right behind another proxy, too. Others stay. URLs in bodies stay as well.
//   - Strict-Transport-Security and Alt-Svc are dropped: they are about the upstream's host, and
//     a browser would apply them to ours, which is mostly localhost with all that runs there.
//   - CORS headers of ours replace those of the upstream, in the answer itself, and not in one with
//     a status of 1xx before it.
//   - Bodies stream in both directions, at the same time if they have to. Nothing is compressed or
//     expanded on the way. No request is repeated, but for what net/http does by itself when the
//     upstream closes a connection that it has used before.
//   - Event streams and upgraded connections have no end of their own, so they end with the server.
//     Ordinary answers may finish.
//   - A connection to the upstream that is not used is closed after four seconds. Node closes its
//     side after five, and a request that is sent meanwhile fails.
//
// The package knows nothing of campaigns, users or the journal. Which requests are passed on, and
// what the CORS headers are, is decided by its caller, which also answers when the upstream fails.
package upstream
