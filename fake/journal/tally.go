package journal

// A Tally counts what a server has received since it was made. Clearing the journal and resetting
// tokens do not change it. The command prints it when it stops.
type Tally struct {
	Requests int

	// Unknown counts the requests with tokens that no user has, and WithoutToken the requests
	// without a token that could be read. Neither counts preflights, which have no token.
	Unknown, WithoutToken int

	// Unmatched counts requests with a path or a method that the service does not have.
	Unmatched int

	// Wrong describes the first ten different requests that a strict test fails for: requests that
	// matched nothing, each with the reason, and requests with a query, which was ignored. It
	// leaves out requests with a token of a test that shares the server (Server.For), because they
	// have failed that test.
	Wrong []string

	// PassedOn counts the requests that the upstream or a fallback was asked to answer. Requests
	// counts them, too, and no other count does. Requests that were not passed on because of their
	// host are also only in Requests.
	PassedOn int

	// Unplayed describes the replies that a test gave a finite number of times, in Go or over HTTP,
	// and that have been played fewer times. It leaves out replies from files of fixtures.
	Unplayed []string
}
