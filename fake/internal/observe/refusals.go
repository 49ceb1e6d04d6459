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

// madeUp is the beginning of each invented token and path.
const madeUp = "campaignfake-made-up"

// askRefusals sends requests that a service refuses: without a token, with an invented token, and
// for an invented path. It sends each kind twice, to find out which parts of the answers change.
// The two invented tokens are different, and so are the two invented paths. So a part that repeats
// the token or the path changes, too.
//
// The first request for an invented path has the real token, so its answer may have texts of a
// customer. The second request has an invented token, so its answer has no such texts. So no text
// of a customer is in the parts that the two answers have in common.
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

// askRefusal sends two requests that the service should refuse, and adds what the two answers have
// in common. If an answer is missing, askRefusal adds the reason to unseen, and stops.
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
		// A service may check the token before the path. Then the status of the second answer is
		// about its invented token, and not about the path. So only the status of the first answer
		// counts. The body is what the bodies of the two answers have in common.
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
		o.settings["unknown_tokens"] = nil // nil: the service refuses unknown tokens
	}
	o.settings[name+".status"] = first.Status
	o.settings[name+".headers"] = sharedHeaders(first, second)
	if protocol.HasBody(first.Status) {
		o.settings[name+".body"] = sharedBody(first.Body, second.Body)
	}
}

// sharedHeaders returns the headers that an observation keeps of the argument `first`: Location,
// WWW-Authenticate, and the Content-Type if the refusal has a body. The placeholder "…" replaces
// the value of Location or WWW-Authenticate if `second` has another value, or if sharedScalar must
// not keep the value.
func sharedHeaders(first, second ask.Answer) map[string]any {
	headers := make(map[string]any)
	if len(first.Body) > 0 {
		headers["Content-Type"] = contentType(first)
	}
	for _, name := range []string{"Location", "WWW-Authenticate"} {
		value := strings.Join(first.Header.Values(name), ", ")
		other := strings.Join(second.Header.Values(name), ", ")
		if value != "" {
			headers[name] = []any{sharedScalar(value, other)}
		}
	}
	return headers
}

// contentType returns the Content-Type of an answer as a list of one value. For an answer without a
// Content-Type it returns an empty list, and not nothing: a fake without this setting would choose
// a Content-Type by itself.
func contentType(answer ask.Answer) []any {
	value := answer.Header.Get("Content-Type")
	if value == "" {
		return []any{}
	}
	return []any{value}
}

// mostRead bounds a body that an observation looks into, in bytes.
const mostRead = 64 << 10

// sharedBody returns what two bodies have in common. If the first body is longer than mostRead, it
// returns a placeholder; see open.
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
