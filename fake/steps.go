package fake

import (
	"fmt"
	"net/http"
	"strconv"
	"time"

	"example.com/campaignfake/fake/internal/draw"
)

// steps are what a request to the API goes through, in this order: preflight, route
// (404, 405), credentials (401), Prefer, rate limit (429), script, chaos, delay, and the
// answer. A step answers the request and returns true, or it passes the request on to
// the next step.
var steps = [...]func(x *exchange) (answered bool){
	allowOrigin,
	findRoute,
	checkToken,
	honourPrefer,
	limitRate,
	playScript,
	strikeChaos,
	delayAnswer,
	deliver,
}

// allowOrigin adds the CORS headers that let a page of another origin read the
// answer, and answers preflights.
func allowOrigin(x *exchange) bool {
	switch {
	case x.snapshot.cors == nil:
		return false
	case x.r.Header["Origin"] == nil && x.route != preflight: // no page asks
		x.Header().Add("Vary", "Origin")
		return false
	}
	x.snapshot.cors().ServeHTTP(x, x.r, func(http.ResponseWriter, *http.Request) {})
	if !isPreflight(x.r) {
		return false
	}
	answerPreflight(x)
	return true
}

// findRoute answers requests for another path, or with another method, than the
// service has.
func findRoute(x *exchange) bool {
	switch x.route {
	case noPath:
		refusePath(x)
		return true
	case noMethod, preflight: // which comes here where CORS is off
		refuseMethod(x)
		return true
	}
	if x.r.URL.RawQuery != "" {
		x.server.test.fail("campaignfake: a query parameter was sent, and the service documents none:\n\t%s\n"+
			"It was ignored. Send GET %s without a query, or make the server with fake.Lenient().",
			describe(x.r), x.server.wanted())
	}
	return false
}

// checkToken answers requests without a valid bearer token.
func checkToken(x *exchange) bool {
	switch {
	case x.token == "":
		_, problem := bearerToken(x.r.Header)
		x.reason = problem
		x.refuse(x.snapshot.named(ResponseMissingToken), sentence(problem)+" Send Authorization: Bearer <token>.")
	case x.user == nil:
		x.reason = "no user has this token"
		x.remarkOnUnknown()
		x.refuse(x.snapshot.named(ResponseInvalidToken), "No user has this bearer token.")
	default:
		if !x.known {
			x.remarkOnUnknown()
		}
		return false
	}
	return true
}

// remarkOnUnknown says what may be wrong with a token that has no user.
func (x *exchange) remarkOnUnknown() {
	if x.placeholder = placeholder(x.r.Header); x.placeholder != "" {
		x.remark = "; " + placeholders[x.placeholder].meaning
	} else if x.near = nearToken(x.token, x.tokens); x.near != "" {
		x.remark = "; did you mean " + shorten(x.near) + "?"
	}
}

// limitRate takes the turn of a request, which says whether the rate limit allows it
// and which reply is next, and answers a request beyond the limit. One that prefers an
// answer of its own has no turn, and a plain one has it when it is complete.
func limitRate(x *exchange) bool {
	x.plain = !x.preferred && !x.deviates
	if x.preferred || x.plain {
		return false
	}
	x.turn = x.server.state.takeTurn(x)
	if x.turn.wait == 0 {
		return false
	}
	allowed := x.user.given.RateLimit
	limit := fmt.Sprintf("%s in %s", counted(allowed.Requests, "request"), Delay{Fixed: allowed.Per})
	x.because("rate limit: %s; the next is answered in %d s", limit, x.turn.wait)
	x.Header().Set("Retry-After", strconv.Itoa(x.turn.wait))
	x.refuse(x.snapshot.named(ResponseRateLimited), fmt.Sprintf("The limit is %s. Try again in %d s.", limit, x.turn.wait))
	return true
}

// playScript chooses the reply of the turn. It was enqueued, or is the user's own.
func playScript(x *exchange) bool {
	switch {
	case x.preferred:
	case x.turn.reply != nil:
		x.reply, x.reason = x.turn.reply, x.turn.reason
	default:
		x.reason = x.user.reason
	}
	return false
}

// strikeChaos chooses what chance has for a request that nothing else decides.
func strikeChaos(x *exchange) bool {
	c := x.user.chaos
	if c == nil || x.preferred || x.reply != nil {
		return false
	}
	seed := x.snapshot.service.Seed
	share := draw.New(seed, x.token, "request", x.turn.number).Fate
	why := drawn(share, x.turn.number, seed)
	if i := draw.Pick(c.shares, share); i >= 0 {
		x.reply = c.strike[i]
		x.because("chaos: %s; %s", x.reply.given, why)
	} else {
		x.reason += "; no chaos: " + why
	}
	return false
}

// delayAnswer delays the answer. It ends the exchange if the client goes away
// meanwhile, or the server is closed.
func delayAnswer(x *exchange) bool {
	d := x.user.delay
	if x.reply != nil && x.reply.given.Delay != nil {
		d = x.reply.given.Delay
	}
	if d == nil || *d == (Delay{}) || x.fault() == FaultHang {
		return false
	}
	length := x.drawDelay(*d)
	if length <= 0 || x.sleep(length) {
		return false
	}
	x.giveUp()
	return true
}

// drawDelay returns how long to delay the answer, and adds that to the reason.
func (x *exchange) drawDelay(d Delay) time.Duration {
	if d.Fixed > 0 {
		x.reason += "; delayed " + d.String()
		return d.Fixed
	}
	kind := "request"
	if x.preferred {
		kind = "preferring request"
	}
	seed := x.snapshot.service.Seed
	length := draw.Delay(d, draw.New(seed, x.token, kind, x.turn.number).Delay)
	x.reason += fmt.Sprintf("; delayed %s, drawn from %s for %s %d of the token under seed %d", length, d, kind, x.turn.number, seed)
	return length
}

// sleep waits, and reports whether it was for the whole time: not if the client
// goes away or the server is closed.
func (x *exchange) sleep(length time.Duration) bool {
	x.server.state.explain(x, false)
	x.drain()
	ctx, release := x.clientContext()
	defer release()
	timer := time.NewTimer(length)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
