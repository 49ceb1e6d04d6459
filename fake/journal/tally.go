package journal

// A Tally counts what a server has received since it was made. Clearing the journal and resetting
// tokens do not change it. The command prints it when it stops.
type Tally struct {
	Requests int

	// Unknown counts requests with a token that no user has. WithoutToken counts requests without a
	// readable token. Neither counts preflights, which have no token.
	Unknown, WithoutToken int

	// Unmatched counts requests with a path or a method that the service does not have.
	Unmatched int

	// Wrong describes the first ten different requests for which a strict test fails. Such a
	// request matched nothing, or it had a query, which the service ignored. Each description says
	// why the request is wrong. If tests share the server (Server.For), Wrong leaves out the
	// requests of running tests, because such a request fails its own test.
	Wrong []string

	// PassedOn counts requests that the server passed on to the upstream or the fallback. The field
	// Requests counts them, too, but no other field does. Only the field Requests counts a request
	// that the server refused to pass on because of its host.
	PassedOn int

	// Unplayed describes each reply that was played less often than its Times demands. It has only
	// replies that were given in Go or over HTTP. It leaves out replies from files of fixtures, and
	// replies with Times Always.
	Unplayed []string
}
