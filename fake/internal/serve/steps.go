package serve

import (
	"fmt"
	"strconv"
	"time"

	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fake/internal/reason"
	"example.com/campaignfake/fake/internal/words"
	"example.com/campaignfake/fixtures"
)

// ServeHTTP calls the steps in this order for each request, after enter has made the entry in the
// journal. A step that answers the request returns true. A step that returns false leaves the
// request to the next step.
var steps = [...]func(x *exchange) (isAnswered bool){
	allowOrigin, // CORS, preflights
	findRoute,   // 404, 405
	checkToken,  // 401
	limitRate,   // 429
	chooseAnswer,
	delayAnswer,
	deliver, // campaigns, a reply, or a fault
}

// enter makes the entry of the request in the journal. It also stores in x.arrival the user and the
// settings that are in force now, so that a later change does not affect this request.
func (x *exchange) enter() {
	x.token, x.noToken = reason.BearerToken(x.received.Header)
	x.entry.Request.Token = x.token
	x.entry.Request.At = time.Now().UTC()
	x.arrival = x.engine.Arrive(&x.entry, x.received, x.shown(x.received.Header))
}

// varyOrigin is the value of Vary for an answer that depends on the origin. All answers share the
// slice, so no code may change it.
var varyOrigin = []string{"Origin"}

// allowOrigin adds the CORS headers, which let a page of another origin read the answer. It answers
// preflights.
func allowOrigin(x *exchange) bool {
	if x.arrival.Snapshot.CORS == nil {
		return false
	}
	isPreflight := x.arrival.Route == plan.Preflight
	isFromPage := x.received.Header["Origin"] != nil
	if !isFromPage && !isPreflight {
		x.writer.Header()["Vary"] = varyOrigin
		return false
	}
	plan.AddCORSHeaders(x.arrival.Snapshot.CORS, x.writer, x.received)
	if !isPreflight {
		return false
	}
	answerPreflight(x)
	return true
}

// findRoute refuses a request for a path or a method that the service does not have. It passes on a
// request for the upstream or the fallback. It also notes a query that neither the upstream nor the
// fallback may read.
func findRoute(x *exchange) bool {
	switch x.arrival.Route {
	case plan.NoPath:
		refusePath(x)
		return true
	case plan.NoMethod:
		refuseMethod(x)
		return true
	case plan.Preflight:
		// CORS is off, so allowOrigin has not answered the preflight.
		refusePreflight(x)
		return true
	case plan.PassedOn:
		x.passOn()
		return true
	}
	query := x.received.URL.RawQuery
	if query != "" && !x.mayReadQuery() {
		x.entry.Request.IgnoredQuery = query
		failQuery(x)
	}
	return false
}

// mayReadQuery reports whether the query may be meant for the upstream or the fallback. Such a
// query is no mistake, even if a reply answers the request in place of the upstream.
func (x *exchange) mayReadQuery() bool {
	user := x.arrival.User
	hasUpstreamUser := user != nil && user.IsOfUpstream
	return x.arrival.IsPassedOn || hasUpstreamUser
}

// checkToken answers requests without a valid bearer token.
func checkToken(x *exchange) bool {
	x.entry.IsOfNobody = !x.arrival.IsKnown
	if x.noToken != nil {
		x.refuseFinding(fixtures.ResponseMissingToken, x.noToken)
		return true
	}
	if !x.arrival.IsKnown {
		x.findMistake()
	}
	if x.arrival.User == nil {
		detail := reason.DetailOfNoUser(x.token, x.entry.Finding)
		x.refuse(fixtures.ResponseInvalidToken, reason.NoUser, detail)
		return true
	}
	return false
}

// findMistake notes what may be wrong with an unknown token.
func (x *exchange) findMistake() {
	isOfTest := x.engine.Sharing.Of(x.token) != nil
	found := reason.OfUnknownToken(x.token, x.engine.ChosenTokens(), isOfTest)
	if found == nil {
		return
	}
	x.entry.Finding = found
	x.reason.hint = found.String()
}

// limitRate refuses a request beyond the rate limit of its user. The request was counted when it
// arrived.
func limitRate(x *exchange) bool {
	wait := x.arrival.Turn.Wait
	if wait == 0 {
		return false
	}
	limit := x.arrival.User.Fixture.RateLimit
	per := fixtures.Delay{Fixed: limit.Per} // String writes it as YAML does: 10s
	allowed := fmt.Sprintf("%s in %s", words.Counted(limit.Requests, "request"), per)
	x.writer.Header().Set("Retry-After", strconv.Itoa(wait))
	x.refuse(fixtures.ResponseRateLimited,
		fmt.Sprintf("rate limit: %s; the next is answered in %d s", allowed, wait),
		fmt.Sprintf("The limit is %s. Try again in %d s.", allowed, wait))
	return true
}

// chooseAnswer notes which answer the request gets: a reply, or else the normal answer. The method
// `enter` has already taken the reply for the request.
func chooseAnswer(x *exchange) bool {
	user := x.arrival.User
	answer := user.Summary
	reply := x.arrival.Turn.Reply
	if reply != nil {
		answer = reply.Reason(x.arrival.Turn.Played)
	}
	switch {
	case x.arrival.IsKnown:
		x.reason.answer = answer
	case user.Token == "":
		x.reason.answer = "unknown token: " + answer
	default:
		x.reason.answer = "unknown token, like " + words.CutInput(user.Token) + ": " + answer
	}
	return false
}
