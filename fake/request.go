package fake

import "example.com/campaignfake/fake/internal/journal"

// What the journal has. The fields are described there, as
// go doc example.com/campaignfake/fake/internal/journal.Request shows.
type (
	// A Request is an entry of the journal: its Number and Token; At, Method, Host, URL and
	// Header as received; Status and Reason of its Answer, and the Duration until that; whether
	// it is Unmatched, Complete or Broken; and Advice on it. Its JSON is that of the control plane.
	Request = journal.Request

	// An Answer is the part of an answer that the journal holds: the Header, up to 4 KiB of
	// the Body, how many Bytes the whole body has, and how many of these were Sent.
	Answer = journal.Answer

	// Advice says what is wrong with a request that a client sent, and what to change: Title,
	// Text, a Command that sends a correct request, and the Fixture to write.
	Advice = journal.Advice
)
