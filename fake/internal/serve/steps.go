package serve

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"example.com/campaignfake/fake/internal/advice"
	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fake/internal/words"
	"example.com/campaignfake/fixtures"
)

// steps are called for each request to the API once enter has made its entry in the journal,
// in this order. A step answers the request and returns true, or it returns false, and the
// next step is called.
var steps = [...]func(x *exchange) (answered bool){
	allowOrigin, // CORS, preflights
	findRoute,   // 404, 405
	checkToken,  // 401
	limitRate,   // 429
	playReply,   // the user's next reply
	delayAnswer,
	deliver, // campaigns or fault
}

// enter makes the entry of a request in the journal, and takes what is in force for it: a
// change that comes later does not affect it.
func (x *exchange) enter() {
	x.Token, _ = advice.BearerToken(x.Received.Header)
	x.handler.Arrive(&x.Arrival)
}

// allowOrigin adds the CORS headers that let a page of another origin read the
// answer, and answers preflights.
func allowOrigin(x *exchange) bool {
	switch {
	case x.Snapshot.Cors == nil:
		return false
	case x.Received.Header["Origin"] == nil && x.Route != plan.Preflight: // no page sent it
		x.Header().Add("Vary", "Origin")
		return false
	}
	x.Snapshot.Cors().ServeHTTP(x, x.Received, func(http.ResponseWriter, *http.Request) {})
	return x.Route == plan.Preflight && answerPreflight(x)
}

// findRoute answers requests for a path or a method that the service does not have.
func findRoute(x *exchange) bool {
	switch x.Route {
	case plan.NoPath:
		return refusePath(x)
	case plan.NoMethod, plan.Preflight: // a preflight gets here if CORS is off
		return refuseMethod(x)
	}
	if x.Received.URL.RawQuery != "" {
		x.handler.TestOf(x.Token).Fail("campaignfake: a query parameter was sent, and the service documents none:\n\t%s\n"+
			"It was ignored. Send GET %s without a query, or make the server with fake.WithLenient().",
			advice.Describe(x.Received), x.handler.Wanted())
	}
	return false
}

// checkToken answers requests without a valid bearer token.
func checkToken(x *exchange) bool {
	if x.Token == "" {
		_, x.Reason = advice.BearerToken(x.Received.Header)
		return x.refuse(fixtures.ResponseMissingToken, words.Sentence(x.Reason)+" Send Authorization: Bearer <token>.")
	}
	if !x.Known {
		x.remarkOnUnknown()
	}
	if x.User != nil {
		return false
	}
	x.Reason = "no user has this token"
	detail := "No user has this bearer token."
	if base, _, found := strings.Cut(x.Token, "~"); found {
		detail = fmt.Sprintf("No user has this bearer token, and there is no user %s to be like.", words.Shorten(base))
	}
	return x.refuse(fixtures.ResponseInvalidToken, detail)
}

// remarkOnUnknown adds to the reason what may be wrong with a token that has no user.
func (x *exchange) remarkOnUnknown() {
	word, meaning := advice.PlaceholderOf(x.Received.Header)
	if word != "" {
		x.remark, x.isSlip = "; "+meaning, true
	} else if x.Near = advice.NearToken(x.Token, x.handler.Tokens()); x.Near != "" {
		x.remark, x.isSlip = "; did you mean "+words.Shorten(x.Near)+"?", true
	} else if strings.Contains(x.Token, "~") {
		x.remark = advice.NoBase
	}
}

// limitRate refuses a request beyond the rate limit of its user. The limit was used when the
// request arrived.
func limitRate(x *exchange) bool {
	if x.Wait == 0 {
		return false
	}
	allowed := x.User.Given.RateLimit
	limit := fmt.Sprintf("%s in %s", words.Counted(allowed.Requests, "request"), fixtures.Delay{Fixed: allowed.Per})
	x.because("rate limit: %s; the next is answered in %d s", limit, x.Wait)
	x.Header().Set("Retry-After", strconv.Itoa(x.Wait))
	return x.refuse(fixtures.ResponseRateLimited, fmt.Sprintf("The limit is %s. Try again in %d s.", limit, x.Wait))
}

// playReply has the reply that enter took, which the reason names, and adds whether the token is
// unknown.
func playReply(x *exchange) bool {
	switch {
	case x.Known:
	case x.User.Token != "":
		x.Reason = "unknown token, like " + words.Shorten(x.User.Token) + ": " + x.Reason
	default:
		x.Reason = "unknown token: " + x.Reason
	}
	return false
}
