package serve

import (
	"cmp"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"example.com/campaignfake/fake/internal/advice"
	"example.com/campaignfake/fake/internal/draw"
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
// change that comes later does not affect it. It returns false if the server is closed.
func (x *exchange) enter() bool {
	x.Token, _ = advice.BearerToken(x.Request.Header)
	return x.handler.Arrive(&x.Arrival)
}

// allowOrigin adds the CORS headers that let a page of another origin read the
// answer, and answers preflights.
func allowOrigin(x *exchange) bool {
	switch {
	case x.Snapshot.Cors == nil:
		return false
	case x.Request.Header["Origin"] == nil && x.Route != plan.Preflight: // no page sent it
		x.Header().Add("Vary", "Origin")
		return false
	}
	x.Snapshot.Cors().ServeHTTP(x, x.Request, func(http.ResponseWriter, *http.Request) {})
	if !plan.IsPreflight(x.Request) {
		return false
	}
	answerPreflight(x)
	return true
}

// findRoute answers requests for a path or a method that the service does not have.
func findRoute(x *exchange) bool {
	switch x.Route {
	case plan.NoPath:
		refusePath(x)
		return true
	case plan.NoMethod, plan.Preflight: // a preflight gets here if CORS is off
		refuseMethod(x)
		return true
	}
	if x.Request.URL.RawQuery != "" {
		x.handler.TestOf(x.Token).Fail("campaignfake: a query parameter was sent, and the service documents none:\n\t%s\n"+
			"It was ignored. Send GET %s without a query, or make the server with fake.WithLenient().",
			advice.Describe(x.Request), x.handler.Wanted())
	}
	return false
}

// checkToken answers requests without a valid bearer token.
func checkToken(x *exchange) bool {
	switch {
	case x.Token == "":
		_, problem := advice.BearerToken(x.Request.Header)
		x.Reason = problem
		x.refuse(x.Snapshot.Named(fixtures.ResponseMissingToken), words.Sentence(problem)+" Send Authorization: Bearer <token>.")
	case x.User == nil:
		x.Reason = "no user has this token"
		x.remarkOnUnknown()
		detail := "No user has this bearer token."
		if base, _, found := strings.Cut(x.Token, "~"); found {
			detail = fmt.Sprintf("No user has this bearer token, and there is no user %s to be like.", words.Shorten(base))
		}
		x.refuse(x.Snapshot.Named(fixtures.ResponseInvalidToken), detail)
	default:
		if !x.Known {
			x.remarkOnUnknown()
		}
		return false
	}
	return true
}

// remarkOnUnknown adds to the reason what may be wrong with a token that has no user.
func (x *exchange) remarkOnUnknown() {
	word, meaning := advice.PlaceholderOf(x.Request.Header)
	if x.placeholder = word; word != "" {
		x.remark = "; " + meaning
	} else if x.Near = advice.NearToken(x.Token, x.handler.Tokens()); x.Near != "" {
		x.remark = "; did you mean " + words.Shorten(x.Near) + "?"
	} else if strings.Contains(x.Token, "~") {
		x.remark = advice.NoBase
	}
}

// limitRate refuses a request beyond the rate limit of its user. The limit was used when the
// request arrived.
func limitRate(x *exchange) bool {
	if x.Turn.Wait == 0 {
		return false
	}
	allowed := x.User.Given.RateLimit
	limit := fmt.Sprintf("%s in %s", words.Counted(allowed.Requests, "request"), fixtures.Delay{Fixed: allowed.Per})
	x.because("rate limit: %s; the next is answered in %d s", limit, x.Turn.Wait)
	x.Header().Set("Retry-After", strconv.Itoa(x.Turn.Wait))
	x.refuse(x.Snapshot.Named(fixtures.ResponseRateLimited), fmt.Sprintf("The limit is %s. Try again in %d s.", limit, x.Turn.Wait))
	return true
}

// playReply takes the reply that was played when the request arrived, if there was one left.
func playReply(x *exchange) bool {
	x.reply, x.Reason = x.Turn.Reply, cmp.Or(x.Turn.Reason, x.User.Reason)
	switch {
	case x.Known:
	case x.User.Token != "":
		x.Reason = "unknown token, like " + words.Shorten(x.User.Token) + ": " + x.Reason
	default:
		x.Reason = "unknown token: " + x.Reason
	}
	return false
}

// delayAnswer delays the answer. If the client goes away meanwhile, or the server is
// closed, it ends the exchange.
func delayAnswer(x *exchange) bool {
	d := x.Turn.Delay
	switch {
	case d == nil || *d == (fixtures.Delay{}):
		return false
	case d.UntilReleased:
		if x.hold() {
			return false
		}
	default:
		if length := x.drawDelay(*d); length <= 0 || x.sleep(length, nil) {
			return false
		}
	}
	x.giveUp()
	return true
}

// drawDelay returns the length of a delay, which is drawn unless it is fixed. It adds the
// length to the reason.
func (x *exchange) drawDelay(d fixtures.Delay) time.Duration {
	if d.Fixed > 0 {
		x.Reason += "; delayed " + d.String()
		return d.Fixed
	}
	seed := x.Snapshot.Service.Seed
	length := draw.Delay(d, seed, x.Token, x.Turn.Number)
	x.Reason += fmt.Sprintf("; delayed %s, drawn from %s for request %d of the token under seed %d", length, d, x.Turn.Number, seed)
	return length
}

// longestHold is how long a request is held that nobody releases.
const longestHold = 24 * time.Hour

// hold waits until the requests of the token are released. It returns false if the client
// goes away before, or the server is closed. It fails a strict test that has not released
// them for the longest time, which a testing/synctest bubble passes by itself.
func (x *exchange) hold() bool {
	x.Reason += "; held until released"
	defer x.Turn.Hold.Requests.Add(-1)
	if !x.sleep(longestHold, x.Turn.Hold.Released) {
		return false
	}
	select {
	case <-x.Turn.Hold.Released:
	default:
		x.handler.TestOf(x.Token).Fail("campaignfake: a request was held for 24h, and never released:\n\t%s\n"+
			"Call Release(%q) when it may be answered, or give it a delay that ends.", advice.Describe(x.Request), x.Token)
	}
	return true
}

// sleep waits for a time, or until a channel is closed. It returns false if the client goes
// away before, or the server is closed. A server that ends waits for neither: it sends the
// answers that are delayed, and none that are held.
func (x *exchange) sleep(length time.Duration, released <-chan struct{}) bool {
	x.handler.Note(&x.Arrival, nil)
	x.drain()
	timer := time.NewTimer(length)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-released:
	case <-x.handler.Ending.Done():
		return released == nil && x.handler.Stopping.Err() == nil
	case <-x.clientGone():
		return false
	}
	return true
}
