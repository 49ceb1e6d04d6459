package observe

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"example.com/campaignfake/fake/internal/ask"
	"example.com/campaignfake/fixtures"
	"example.com/campaignfake/fixtures/protocol"
)

// madeUp begins each token and path that is made up.
const madeUp = "campaignfake-made-up"

// askRefusals sends requests that a service refuses. It sends each kind twice, to find out which
// parts of the answers change. The two requests have different tokens or paths, so that a part
// which repeats a token or a path changes, too. With the unknown paths, the first request has the
// real token, so its answer may have texts of a customer. The second answer cannot have such a
// text, and so the common part of the two cannot.
func (o *Observation) askRefusals(ctx context.Context) {
	get := func(path, token string) *http.Request {
		return o.subject.Request(http.MethodGet, path, token)
	}
	const list = protocol.CampaignsPath
	o.askRefusal(ctx, fixtures.ResponseMissingToken, get(list, ""), get(list, ""))
	o.askRefusal(ctx, fixtures.ResponseInvalidToken,
		get(list, madeUp+"-1"), get(list, madeUp+"-2"))
	o.askRefusal(ctx, fixtures.ResponseNotFound,
		get("/"+madeUp+"-1", o.subject.Token), get("/"+madeUp+"-2", madeUp+"-3"))
}

// askRefusal sends two requests that the service should refuse, and adds what their answers have in
// common. If the service does not answer the first, it does not send the second.
func (o *Observation) askRefusal(
	ctx context.Context, response fixtures.ResponseName, requests ...*http.Request,
) {
	name := "responses." + string(response)
	isOfToken := response == fixtures.ResponseInvalidToken
	var answers []ask.Answer
	for _, request := range requests {
		answer := o.send(ctx, request)
		if answer.Missing != "" {
			o.unseen[name] = answer.Missing
			if isOfToken {
				o.unseen["unknown_tokens"] = answer.Missing
			}
			return
		}
		answers = append(answers, answer)
	}

	first, second := answers[0], answers[1]
	isAccepted := showsList(first) && showsList(second)
	if response == fixtures.ResponseNotFound {
		// A service may check the token before the path, and so refuse an invented token with
		// another status. So the first status is right, and the body is what both bodies have in
		// common.
		second.Status = first.Status
		isAccepted = showsList(first)
	}
	switch {
	case isOfToken && isAccepted:
		o.settings["unknown_tokens"] = fixtures.UnknownTokensGenerate
		return
	case isAccepted:
		o.facts[name+".status"] = fmt.Sprintf("%d with a list, and so no refusal", first.Status)
		return
	case first.Status != second.Status:
		o.facts[name+".status"] = fmt.Sprintf("%d, or %d", first.Status, second.Status)
		return
	case isOfToken:
		o.settings["unknown_tokens"] = nil // nil: the service refuses them
	}
	o.settings[name+".status"] = first.Status
	o.settings[name+".headers"] = sharedHeaders(first, second)
	if protocol.HasBody(first.Status) {
		o.settings[name+".body"] = sharedBody(first.Body, second.Body)
	}
}

// refusalHeaders are the headers of a refusal that an observation keeps.
var refusalHeaders = []string{"Content-Type", "Location", "WWW-Authenticate"}

// sharedHeaders returns what the headers of two answers have in common, each as a list. The
// Content-Type is the type of the first body, if the answer has a body. An empty list says that the
// body has no type: without it the fake would choose a type.
func sharedHeaders(first, second ask.Answer) map[string]any {
	headers := make(map[string]any)
	for _, name := range refusalHeaders {
		value := strings.Join(first.Header.Values(name), ", ")
		other := strings.Join(second.Header.Values(name), ", ")
		isType := name == "Content-Type"
		switch {
		case isType && len(first.Body) == 0:
		case isType && value == "":
			headers[name] = []any{}
		case isType:
			headers[name] = []any{value}
		case value != "":
			headers[name] = []any{sharedScalar(value, other)}
		}
	}
	return headers
}

// mostRead bounds a body that is compared with another body, in bytes.
const mostRead = 64 << 10

// sharedBody returns what two bodies have in common.
func sharedBody(first, second []byte) any {
	if len(first) > mostRead {
		return openLike(valueOf(first))
	}
	return shared(valueOf(first), valueOf(second))
}

// showsList reports whether an answer is a success with a list in it, which may be a list of
// campaigns. A success without a list can be a refusal: some services send one with a text or a
// code as body.
func showsList(a ask.Answer) bool {
	return a.Status < 300 && hasList(valueOf(a.Body))
}

func hasList(value any) bool {
	switch value := value.(type) {
	case []any:
		return true
	case map[string]any:
		for _, inside := range value {
			if hasList(inside) {
				return true
			}
		}
	}
	return false
}
