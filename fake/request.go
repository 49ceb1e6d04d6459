package fake

import "example.com/campaignfake/fake/internal/journal"

// The journal's records.
type (
	// A Request is an entry of the journal. What was received is its Number, which counts
	// the requests of a server from 1, At, when it arrived, the bearer Token, "" if there was
	// no valid one, and Method, Host, URL (the path with the query) and Header. What was
	// answered is its Status, 0 if there is no answer, the Reason for it, the Duration until
	// its first byte, and the Answer. Unmatched says that the service does not have the path
	// or the method, Complete that the answer has begun or will never come, Broken that the
	// client could not receive all of it, and Advice what to change in the client. Its JSON
	// is that of the control plane.
	Request = journal.Request

	// An Answer is the part of an answer that the journal holds: its Header without Date,
	// which is nil if there is no answer, and of its Body the first 4 KiB. The whole body has
	// so many Bytes, of which so many were Sent: less after a fault that ends it early, or if
	// the client went away.
	Answer = journal.Answer

	// Advice says what is wrong with a request that a client sent: in a Title of a few words,
	// which is "" if there is nothing wrong, and in a Text that says what to change, with a
	// shell Command that sends a correct request, or with YAML for the fixtures (Fixture).
	Advice = journal.Advice
)
