package serve

import (
	"net/http"

	"example.com/campaignfake/fake/internal/advice"
	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fake/internal/reason"
	"example.com/campaignfake/fake/internal/words"
	"example.com/campaignfake/fixtures"
)

// refuse sends the answer that has the name in the settings. Its body may show the detail of the
// reason.
func (x *exchange) refuse(name fixtures.ResponseName, why reason.Refusal) {
	x.sendRefusal(x.arrival.Snapshot.Named(name, why.Detail()), why)
}

// sendError sends an error that no setting is about, in the form of all errors.
func (x *exchange) sendError(status int, why reason.Refusal) {
	x.sendRefusal(x.arrival.Snapshot.Error(status, why.Detail()), why)
}

// sendRefusal sends an answer without campaigns.
func (x *exchange) sendRefusal(answer plan.PreparedAnswer, why reason.Refusal) {
	x.reason.Answer = why
	x.body = answer.Body
	x.send(&answer)
}

// refusePath answers a request for another path.
func refusePath(x *exchange) {
	why := reason.NewWrongPath(x.received, x.arrival.Snapshot.BasePath)
	failUnmatched(x, why.Difference())
	x.refuse(fixtures.ResponseNotFound, why)
}

// refuseMethod answers a request with another method.
func refuseMethod(x *exchange) {
	why := reason.WrongMethod{Method: words.CutInput(x.received.Method)}
	failUnmatched(x, why.Difference())
	x.writer.Header().Set("Allow", plan.Allowed)
	x.refuse(fixtures.ResponseMethodNotAllowed, why)
}

// failUnmatched fails a strict test because of a request that matched nothing.
func failUnmatched(x *exchange, difference string) {
	const message = "campaignfake: a request matched nothing:\n" +
		"\t%s\n" +
		"%s\n" +
		"This would have matched:\n" +
		"\tGET %s\n" +
		"Send that, with a URL made of the server's BaseURL; " +
		"or make the server with fake.WithLenient() if the request is meant."
	x.test().Fail(message, advice.Describe(x.received), difference, x.engine.Wanted())
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

// refusePreflight answers a preflight if CORS is off. The answer is that of any other method.
func refusePreflight(x *exchange) {
	x.writer.Header().Set("Allow", plan.Allowed)
	x.refuse(fixtures.ResponseMethodNotAllowed, reason.RefusedPreflight{Cause: reason.CORSOff})
}

// answerPreflight answers a preflight: the browser's question whether it may send a request. The
// headers that allow the request are set before, by allowOrigin.
func answerPreflight(x *exchange) {
	origin := words.CutInput(x.received.Header.Get("Origin"))
	allowed := x.writer.Header().Get("Access-Control-Allow-Origin")
	if allowed != "" {
		x.reason.Answer = reason.Preflight{Origin: origin, AnyOrigin: allowed == "*"}
	} else {
		x.reason.Answer = reason.RefusedPreflight{
			Cause:  causeOf(x, origin),
			Origin: origin,
			Method: words.CutInput(x.received.Header.Get("Access-Control-Request-Method")),
		}
	}
	x.complete(http.StatusNoContent)
	x.writer.WriteHeader(http.StatusNoContent)
}

// causeOf returns why the headers of a preflight do not allow the request.
func causeOf(x *exchange, origin string) reason.PreflightCause {
	switch {
	case origin == "":
		return reason.NoOrigin
	case !x.arrival.Snapshot.CORS.OriginAllowed(x.received):
		return reason.UnlistedOrigin
	}
	return reason.MethodNotAllowed
}
