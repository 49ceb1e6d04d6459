package fake

import "example.com/campaignfake/fixtures"

// The model is that of package fixtures, so that a test imports one package. The lists of
// fields are printed from there: go test ./fake -run TestModel -update.
type (
	// Campaign is one record of the list; see fixtures.Campaign.
	//
	//	ID string
	//	Name string
	//	CreatedAt string
	//	UpdatedAt string
	//	Status string
	//	Omit []string
	//	    Omit names documented fields that are left out of the record: "id", "name",
	//	    "created_at", "updated_at" or "status".
	//	Extra map[string]any
	//	    Extra holds further fields of any type that encoding/json can write.
	Campaign = fixtures.Campaign

	// User is what one bearer token sees, and how the service answers it. The zero User
	// has no campaigns, and gets normal answers; see fixtures.User.
	//
	//	Description string
	//	    Description says in a line what the user is for.
	//	Campaigns []Campaign
	//	    Campaigns are sent in this order.
	//	Generate *Generate
	//	    Generate asks for generated campaigns instead.
	//	Replies []Reply
	//	    Replies are played one after the other, each for its number of requests,
	//	    counted exactly however many arrive at once.
	//	Repeat bool
	//	    Repeat starts the replies over after the last one.
	//	Delay *Delay
	//	    Delay holds every answer back, in place of the delay of the service.
	//	RateLimit *RateLimit
	//	    RateLimit is how many requests the user may make; nil is any number.
	//	Chaos *Chaos
	//	    Chaos is random trouble, in place of that of the service.
	User = fixtures.User

	// Generate describes campaigns that are generated from the seed, the token and their
	// index; see fixtures.Generate.
	//
	//	Count int
	//	    Count is how many: 0 to 1,000,000.
	//	Statuses map[string]int
	//	    Statuses weighs the status values against each other, as in {"active": 6,
	//	    "draft": 1}.
	//	Since, Until time.Time
	//	    Since and Until bound created_at and updated_at, both inclusive.
	//	EdgeCases string
	//	    EdgeCases puts the catalogue of awkward campaigns before the others: one for
	//	    each case, its id naming the case.
	Generate = fixtures.Generate

	// Reply is one scripted deviation from the normal answer. The zero Reply is a normal
	// answer, once; see fixtures.Reply.
	//
	//	Times int
	//	    Times is for how many requests the reply is played: 1 to 1,000,000, or
	//	    Always.
	//	Delay *Delay
	//	    Delay holds the answer back, in place of the delay of the user or of the
	//	    service.
	//	Status int
	//	    Status is the HTTP status, 200 to 599 and one that carries a body.
	//	Headers map[string]string
	//	    Headers are added to those of the answer, and replace those that have the
	//	    same name.
	//	Body any
	//	    Body is sent in place of the campaigns, or of the problem document.
	//	Response ResponseName
	//	    Response is one of the service's own answers.
	//	Campaigns []Campaign
	//	    Campaigns are sent in place of the user's, so that one who polls sees
	//	    progress.
	//	Fault Fault
	//	    Fault breaks the answer.
	//	Rate int
	//	    Rate is how fast the body is sent, evenly, in bytes per second: 1 to
	//	    1,073,741,824.
	Reply = fixtures.Reply

	// Fault is a way to break an answer; see the constants, as FaultReset.
	Fault = fixtures.Fault

	// ResponseName names one of the service's own answers; see the constants, as
	// ResponseRateLimited.
	ResponseName = fixtures.ResponseName

	// Delay is how long an answer is delayed: a fixed time, one between two, or one drawn
	// from a log-normal distribution; see fixtures.Delay.
	//
	//	Fixed time.Duration
	//	From, To time.Duration
	//	Median, P99 time.Duration
	Delay = fixtures.Delay

	// RateLimit is how many requests a user may make; see fixtures.RateLimit.
	//
	//	Requests int
	//	    1 to 1,000,000
	//	Per time.Duration
	//	    up to 24 hours
	RateLimit = fixtures.RateLimit

	// Chaos selects requests at random, the same ones in every run with the same seed; see
	// fixtures.Chaos.
	//
	//	Status map[int]float64
	//	    Status is how often each status is answered, as {503: 0.05} for 5 of 100
	//	    requests.
	//	Faults map[Fault]float64
	//	    Faults is how often each fault strikes, as {FaultReset: 0.01}.
	//	Delay *Delay
	//	    Delay holds every answer back, in place of the delay of the service.
	Chaos = fixtures.Chaos

	// Service holds what the interface leaves open, each field with a default; see
	// fixtures.Service.
	//
	//	UnknownTokens string
	//	    UnknownTokens says what becomes of a token that no user has: "generate"
	//	    answers it with 10 generated campaigns, always the same for the same token;
	//	    "reject" with InvalidToken.
	//	Seed uint64
	//	    Seed shapes every generated campaign.
	//	Envelope string
	//	    Envelope is the name of the field that holds the list of campaigns.
	//	Beside map[string]any
	//	    Beside are further fields of the object that holds the list.
	//	Fields map[string]Field
	//	    Fields are further fields that every campaign has, by their names, unless
	//	    its Extra or Omit says otherwise.
	//	Omit []string
	//	    Omit names documented fields that no campaign has.
	//	Timestamps string
	//	    Timestamps is how dates are written that are not given as text: "rfc3339"
	//	    (the default: UTC, whole seconds), "rfc3339_millis", "rfc3339_micros", "sql"
	//	    (2026-07-24 10:00:00), or a layout of Go's time package.
	//	IDs string
	//	    IDs is how generated ids look: "uuid" (the default), "sequence" (1, 2, 3), a
	//	    pattern whose # signs become digits, as cmp_########, or "integers".
	//	Names string
	//	    Names is a template of gofakeit for the names of generated campaigns, as
	//	    "{adjective} {noun}".
	//	Statuses []string
	//	    Statuses are the status values of generated campaigns.
	//	CORS []string
	//	    CORS says whose pages may read answers: {"any"} (the default), {"off"} for
	//	    no CORS headers at all, or the allowed origins, as
	//	    {"http://localhost:5173"}.
	//	BasePath string
	//	    BasePath is what stands before /user/campaigns.
	//	Prefer string
	//	    Prefer is whether a request can ask for its own answer, with the header
	//	    Prefer: "on" (the default) or "off".
	//	Delay *Delay
	//	    Delay holds the answer to every valid token back.
	//	Chaos *Chaos
	//	    Chaos is random trouble for every user that has none of its own.
	//	Success Response
	//	    Success is the answer to a valid token.
	//	Responses Responses
	//	    Responses are the answers to everything else.
	Service = fixtures.Service

	// Responses are the answers that carry no campaigns; see fixtures.Responses.
	//
	//	MissingToken Response
	//	    MissingToken answers a request without a bearer token, or with credentials
	//	    that cannot be read: 401, WWW-Authenticate: Bearer.
	//	InvalidToken Response
	//	    InvalidToken answers a token that no user has: 401, WWW-Authenticate: Bearer
	//	    error="invalid_token".
	//	NotFound Response
	//	    NotFound answers another path: 404.
	//	MethodNotAllowed Response
	//	    MethodNotAllowed answers another method: 405.
	//	RateLimited Response
	//	    RateLimited answers a user who has reached its RateLimit: 429.
	Responses = fixtures.Responses

	// Response is one answer of the service; see fixtures.Response.
	//
	//	Status int
	//	    Status is the HTTP status: 200 to 599, and one that carries a body.
	//	Headers map[string]string
	//	    Headers replace the default headers of this answer: an empty map that is not
	//	    nil sends none.
	//	Body any
	//	    Body replaces the default body, which is a problem document (RFC 9457).
	Response = fixtures.Response

	// Field is a field that every campaign has beside the documented ones; see
	// fixtures.Field.
	//
	//	Value any
	//	    Value is sent as it is, nil as null.
	//	Fake string
	//	    Fake is a template of gofakeit, as "{number:1,5}".
	//	Type string
	//	    Type is the JSON type of what Fake draws: "string" (the default), "integer",
	//	    "number" or "boolean".
	//	Null float64
	//	    Null is the share of campaigns, from 0 to 1, that have null in place of the
	//	    value.
	Field = fixtures.Field

	// Observed is how a real service was seen to answer; see fixtures.Observed.
	//
	//	At time.Time
	//	    At is when that was.
	//	Service Service
	//	    Service has what was seen.
	//	Places map[string]string
	//	    Places says where settings stand in files, by the names that Settings has
	//	    for them.
	Observed = fixtures.Observed

	// Setting is one thing that is documented of the service, assumed, observed or
	// configured; see fixtures.Setting.
	//
	//	Name string
	//	    Name is that of YAML under service, as in responses.not_found.status.
	//	Value json.RawMessage
	//	    Value is the JSON of what holds, nil (which JSON has as null) where there is
	//	    nothing: no delay, no header, no body but a problem document.
	//	Basis string
	//	    Basis is "documented", "assumed", "observed" (of the real service),
	//	    "profile", or "configured".
	//	Where string
	//	    Where is the place of what was observed or configured, as file:line:column,
	//	    the name of a flag, of a variable, or of an option in Go; "" for everything
	//	    else.
	//	ObservedAt time.Time
	//	    ObservedAt is when the service was asked, zero for what was not observed.
	//	Contradicts string
	//	    Contradicts says what the document of the service has in place of what was
	//	    observed, "" if that is no contradiction.
	Setting = fixtures.Setting

	// Set is what a function of WithLoader returns. Tests that have files use WithFixtures;
	// see fixtures.Set.
	//
	//	Service Service
	//	Users map[string]User
	//	    by bearer token
	//	Places map[string]string
	//	    Places says where settings of the service were given, by the names that
	//	    Settings has for them.
	//	Observed Observed
	//	    Observed is how the real service was seen to answer.
	Set = fixtures.Set
)

// Always is the Times of a Reply that is played for every further request.
const Always = fixtures.Always

// The faults of a Reply, and of Chaos.
const (
	FaultReset     = fixtures.FaultReset     // the connection is reset, before any byte
	FaultClose     = fixtures.FaultClose     // the connection is closed, before any byte
	FaultHang      = fixtures.FaultHang      // nothing comes, and the connection stays open
	FaultGarbage   = fixtures.FaultGarbage   // bytes come that are not HTTP
	FaultTruncate  = fixtures.FaultTruncate  // the connection is closed inside a value of the body
	FaultStall     = fixtures.FaultStall     // half of the body comes, and the connection stays open
	FaultBadChunk  = fixtures.FaultBadChunk  // the body comes in chunks, and one of them is broken
	FaultBadJSON   = fixtures.FaultBadJSON   // the body is JSON that was cut off, with the length that it has
	FaultWrongType = fixtures.FaultWrongType // the body is a page of HTML
)

// The names of the service's own answers, for the Response of a Reply.
const (
	ResponseMissingToken     = fixtures.ResponseMissingToken
	ResponseInvalidToken     = fixtures.ResponseInvalidToken
	ResponseNotFound         = fixtures.ResponseNotFound
	ResponseMethodNotAllowed = fixtures.ResponseMethodNotAllowed
	ResponseRateLimited      = fixtures.ResponseRateLimited
)
