package serve

import (
	"net/http"

	"example.com/campaignfake/fake/internal/advice"
	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fake/internal/reason"
	"example.com/campaignfake/fake/internal/words"
	"example.com/campaignfake/fixtures"
)

// refuse sends the answer that the settings have under a name, such as invalid_token. The argument
// `why` becomes the reason in the journal. The argument `detail` consists of whole sentences, which
// the body may show.
func (x *exchange) refuse(name fixtures.ResponseName, why, detail string) {
	x.sendRefusal(x.arrival.Snapshot.Named(name, detail), why)
}

// refuseFinding refuses a request because of a finding, and notes the finding in the entry.
func (x *exchange) refuseFinding(name fixtures.ResponseName, found reason.Refusal) {
	x.entry.Finding = found
	x.refuse(name, found.String(), found.Detail())
}

// sendError sends an error that has no setting of its own, in the form of responses.default.
func (x *exchange) sendError(status int, why, detail string) {
	x.sendRefusal(x.arrival.Snapshot.Error(status, detail), why)
}

// sendRefusal sends an answer without campaigns.
func (x *exchange) sendRefusal(answer plan.PreparedAnswer, why string) {
	x.reason.answer = why
	x.body = answer.Body
	x.send(&answer)
}

// refusePath answers a request for a path that the service does not have.
func refusePath(x *exchange) {
	why := reason.NewWrongPath(x.received, x.arrival.Snapshot.BasePath)
	failUnmatched(x, why.Difference(), why.Remedy(true))
	x.refuseFinding(fixtures.ResponseNotFound, why)
}

// refuseMethod answers a request with a method that the service does not have.
func refuseMethod(x *exchange) {
	why := reason.WrongMethod{Method: words.CutInput(x.received.Method)}
	failUnmatched(x, why.Difference(), "")
	x.writer.Header().Set("Allow", plan.Allowed)
	x.refuseFinding(fixtures.ResponseMethodNotAllowed, why)
}

// failUnmatched fails a strict test because of a request that matched nothing. The argument remedy
// says which setting makes the server accept the request. It is "" if no setting does.
func failUnmatched(x *exchange, difference, remedy string) {
	const message = "campaignfake: a request matched nothing:\n" +
		"\t%s\n" +
		"%s\n" +
		"This would have matched:\n" +
		"\tGET %s\n" +
		"Send that, with a URL made of the server's BaseURL; " +
		"or make the server with fake.WithLenient() if the request is meant.%s"
	if remedy != "" {
		remedy = "\n" + remedy
	}
	x.test().Fail(message, advice.Describe(x.received), difference, x.engine.Wanted(), remedy)
}

// failQuery fails a strict test because of a request with a query.
func failQuery(x *exchange) {
	const message = "campaignfake: a query parameter was sent, " +
		"and the service documents none:\n" +
		"\t%s\n" +
		"It was ignored. Send GET %s without a query, " +
		"or make the server with fake.WithLenient()."
	x.test().Fail(message, advice.Describe(x.received), x.engine.Wanted())
}

// refusePreflight refuses a preflight if CORS is off, like any other method that the service does
// not have.
func refusePreflight(x *exchange) {
	x.writer.Header().Set("Allow", plan.Allowed)
	x.refuse(fixtures.ResponseMethodNotAllowed, "preflight refused: service.cors is off",
		reason.WrongMethod{Method: http.MethodOptions}.Detail())
}

// answerPreflight answers a preflight, with which a browser asks whether it may send a request. If
// the request is allowed, the step allowOrigin has already set the headers that say so.
func answerPreflight(x *exchange) {
	x.reason.answer = reasonOfPreflight(x)
	x.complete(http.StatusNoContent)
	x.writer.WriteHeader(http.StatusNoContent)
}

// reasonOfPreflight says whether the headers of the answer to a preflight allow the request, and
// why not.
func reasonOfPreflight(x *exchange) string {
	origin := words.CutInput(x.received.Header.Get("Origin"))
	allowed := x.writer.Header().Get("Access-Control-Allow-Origin")
	switch {
	case allowed == "*":
		return "preflight: the browser may send the request for origin " + origin +
			`, without cookies (for credentials: "include", service.cors has to list the origin)`
	case allowed != "":
		return "preflight: the browser may send the request for origin " + origin
	case origin == "":
		return "preflight refused: it has no Origin, which every browser sends"
	case !x.arrival.Snapshot.CORS.OriginAllowed(x.received):
		return "preflight refused: service.cors does not list the origin " + origin
	}
	method := words.CutInput(x.received.Header.Get("Access-Control-Request-Method"))
	return "preflight refused: browsers cannot be allowed the method " + method
}
