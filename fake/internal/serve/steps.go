package serve

import (
	"strconv"
	"time"

	"example.com/campaignfake/fake/internal/engine"
	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fake/internal/reason"
	"example.com/campaignfake/fixtures"
)

// steps are called in this order for each request, after enter has made its entry in the journal. A
// step that answers the request returns true. A step that returns false leaves it to the next one.
var steps = [...]func(x *exchange) (isAnswered bool){
	allowOrigin, // CORS, preflights
	findRoute,   // 404, 405
	checkToken,  // 401
	limitRate,   // 429
	chooseAnswer,
	delayAnswer,
	deliver, // campaigns, a reply, or a fault
}

// enter makes the entry of the request in the journal. It also takes what is in force for the
// request, so that a later change does not affect it.
func (x *exchange) enter() {
	x.token, x.noToken = reason.BearerToken(x.received.Header)
	x.entry.Token = x.token
	x.entry.At = time.Now()
	x.isChosen = x.engine.IsChosen(x.token)
	x.arrival = x.engine.Arrive(&x.entry, x.received)
}

// allowOrigin adds the CORS headers, which let a page of another origin read the answer. It answers
// preflights.
func allowOrigin(x *exchange) bool {
	if x.arrival.Snapshot.CORS == nil {
		return false
	}
	isPreflight := x.arrival.Route == plan.Preflight
	isFromPage := x.received.Header["Origin"] != nil
	if !isFromPage && !isPreflight {
		x.writer.Header().Add("Vary", "Origin")
		return false
	}
	plan.AddCORSHeaders(x.arrival.Snapshot.CORS, x.writer, x.received)
	if !isPreflight {
		return false
	}
	answerPreflight(x)
	return true
}

// findRoute answers requests for a path or a method that the service does not have.
func findRoute(x *exchange) bool {
	switch x.arrival.Route {
	case plan.NoPath:
		refusePath(x)
		return true
	case plan.NoMethod:
		refuseMethod(x)
		return true
	case plan.Preflight:
		// CORS is off: allowOrigin has not answered it.
		refusePreflight(x)
		return true
	case plan.PassedOn:
		x.passOn()
		return true
	}
	query := x.received.URL.RawQuery
	if query != "" && !x.isForUpstream() {
		x.entry.IgnoredQuery = query
		failQuery(x)
	}
	return false
}

// isForUpstream reports whether the campaigns come from the upstream. A reply may change them then.
func (x *exchange) isForUpstream() bool {
	user := x.arrival.User
	hasUpstreamUser := user != nil && user.IsOfUpstream
	return x.arrival.IsPassedOn || hasUpstreamUser
}

// checkToken answers requests without a valid bearer token.
func checkToken(x *exchange) bool {
	if x.noToken != nil {
		x.refuse(fixtures.ResponseMissingToken, x.noToken)
		return true
	}
	if !x.arrival.IsKnown {
		x.reason.Token = x.findMistake()
	}
	if x.arrival.IsTooLong {
		x.reason.State = reason.LongToken{Bytes: len(x.token), Most: engine.LongestRecent}
	}
	if x.arrival.User == nil {
		x.refuse(fixtures.ResponseInvalidToken, reason.NoUser{Token: x.token})
		return true
	}
	return false
}

// findMistake returns what may be wrong with the token, which no user has. It returns nil if
// nothing is found.
func (x *exchange) findMistake() reason.Part {
	found := reason.OfUnknownToken(x.token, x.engine.Tokens())
	near, isNear := found.(reason.NearToken)
	if isNear {
		near.IsSecret = !x.engine.IsChosen(near.Near)
		return near
	}
	return found
}

// limitRate refuses a request beyond the rate limit of its user. The request was counted when it
// arrived.
func limitRate(x *exchange) bool {
	if x.arrival.Turn.Wait == 0 {
		return false
	}
	x.writer.Header().Set("Retry-After", strconv.Itoa(x.arrival.Turn.Wait))
	x.refuse(fixtures.ResponseRateLimited, reason.RateLimit{
		Limit: *x.arrival.User.Fixture.RateLimit,
		Wait:  x.arrival.Turn.Wait,
	})
	return true
}

// chooseAnswer notes which answer the request gets: the reply that was taken for it when it
// arrived, or else the normal answer.
func chooseAnswer(x *exchange) bool {
	user := x.arrival.User
	var answer reason.Part = reason.Campaigns(user.Summary)
	reply := x.arrival.Turn.Reply
	if reply != nil {
		answer = reason.Reply{
			Enqueued: reply.Enqueued,
			Summary:  reply.Fixture.String(),
			Played:   x.arrival.Turn.Played,
			Times:    reply.Times,
		}
	}
	if !x.arrival.IsKnown {
		answer = reason.UnknownToken{Like: user.Token, Answer: answer}
	}
	x.reason.Answer = answer
	return false
}
