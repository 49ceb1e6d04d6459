package fake

import "example.com/campaignfake/fake/internal/journal"

// What the journal has.
type (
	// A Request is an entry of the journal. Method, Host, URL (the path with the query) and Header
	// (an http.Header) are as received; At is when, Token whose, and Number counts from 1. Status,
	// Reason and Answer are what was answered, Duration the time until then. Status is 0 if no
	// answer came, Complete true once it has begun, Broken true if the client could not receive it
	// as intended, Unmatched true if the service has no such path or method. Advice says what to
	// change. For each field see go doc example.com/campaignfake/fake/internal/journal.Request.
	Request = journal.Request

	// An Answer is the part of an answer that the journal holds: the Header, up to 4 KiB of
	// the Body, how many Bytes the whole body has, and how many of these were Sent.
	Answer = journal.Answer

	// Advice says what is wrong with a request that a client sent, and what to change: Title,
	// Text, a Command that sends a correct request, and the Fixture to write.
	Advice = journal.Advice
)
