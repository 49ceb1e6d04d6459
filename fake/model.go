package fake

import "example.com/campaignfake/fixtures"

// The model is that of package fixtures, so that a test imports one package. The fields
// are described there, as go doc example.com/campaignfake/fixtures.User shows.
type (
	// Campaign is one record of the list. Fields that are empty are generated: Extra sends "".
	Campaign = fixtures.Campaign

	// User is what one bearer token sees, and how the service answers it. The zero User has no
	// campaigns, and gets normal answers.
	User = fixtures.User

	// Generate describes campaigns that are generated from the seed, the token and their
	// index. The zero Generate generates none.
	Generate = fixtures.Generate

	// Reply is one scripted deviation from the normal answer. The zero Reply is none, once.
	Reply = fixtures.Reply

	// Fault is a way to break an answer; see the constants, as FaultReset. "" breaks nothing.
	Fault = fixtures.Fault

	// Delay is how long an answer is delayed: a fixed time, one between two, or until a test
	// releases it. The zero Delay is none, which replaces one that would apply otherwise.
	Delay = fixtures.Delay

	// RateLimit is how many requests a user may make. A nil pointer to one is no limit, and
	// the zero RateLimit a mistake.
	RateLimit = fixtures.RateLimit

	// Service holds what the interface leaves open. A field that is zero has its default.
	Service = fixtures.Service

	// Responses are the answers that carry no campaigns. Those that are zero have their defaults.
	Responses = fixtures.Responses

	// Response is one answer of the service. Fields that are zero have their defaults.
	Response = fixtures.Response

	// Set is what a function of WithLoader returns. Tests that have files use WithFixtures.
	Set = fixtures.Set
)

// Always is the Times of a Reply that is played for every further request. Times 0 is once.
const Always = fixtures.Always

// The faults of a Reply. They happen on the wire, so that a client sees what a broken
// service would show it. A fault that waits ends when the client goes away, which closing
// its sending side looks like, or when the server is closed.
//
// With an httptest.ResponseRecorder the handler panics with http.ErrAbortHandler. With
// WithInMemory reset is the same as close, since a pipe cannot be reset. An answer to HEAD
// has no body to break.
const (
	FaultReset     = fixtures.FaultReset     // the connection is reset, before any byte
	FaultClose     = fixtures.FaultClose     // the connection is closed, before any byte
	FaultHang      = fixtures.FaultHang      // nothing comes, and the connection stays open
	FaultTruncate  = fixtures.FaultTruncate  // the connection is closed in the middle of the body
	FaultStall     = fixtures.FaultStall     // half of the body comes, and the connection stays open
	FaultBadJSON   = fixtures.FaultBadJSON   // the body is JSON that was cut off, with the length that it has
	FaultWrongType = fixtures.FaultWrongType // the body is a page of HTML
)

// The names of the service's own answers, for the Response of a Reply. The words of other
// settings are constants of package fixtures, as fixtures.UnknownTokensGenerate.
const (
	ResponseMissingToken     = fixtures.ResponseMissingToken
	ResponseInvalidToken     = fixtures.ResponseInvalidToken
	ResponseNotFound         = fixtures.ResponseNotFound
	ResponseMethodNotAllowed = fixtures.ResponseMethodNotAllowed
	ResponseRateLimited      = fixtures.ResponseRateLimited
)
