// Package reason has values for what is found about a request to the API, and makes sentences of
// them. A [Reason] is made once, while the request is answered. The journal keeps it with the
// request. Its sentence is the same in the journal, in the log, and on the page.
//
//	route.go        a path or a method that the service does not have
//	preflight.go    whether a page of another origin may send its request
//	credentials.go  the bearer token of a request, and what stands in its place
//	token.go        a token that no user has
//	answer.go       the user's campaigns, a reply, the rate limit
//	upstream.go     an answer of the upstream, or none
//	delay.go        an answer that is delayed
//	ending.go       an answer that is not sent, or ends early
//
// Package advice says what to change. It depends on the types of the parts.
package reason

// A Reason is everything that was found about a request. A part is nil if there is nothing to say.
// The sentence has the parts in this order.
type Reason struct {
	Answer Part // which answer the request gets, and why; nil until that is known
	Delay  Part // how the answer was delayed
	Unsent Part // why no answer was sent, or no body that a fault could break
	Token  Part // what may be wrong with an unknown token
	State  Part // why nothing is remembered of the token
	Cut    Part // how the body ended early
}

// A Part says in a phrase what was found. The journal keeps it, so it has no pointer to a user or
// to settings, and only the start of a long path.
type Part interface {
	String() string
}

// A Refusal is a part that says why an answer has no campaigns. Its Detail explains that to the
// client in whole sentences.
type Refusal interface {
	Part
	Detail() string
}

// String returns the sentence, and "" if nothing was found yet.
func (r Reason) String() string {
	sentence := ""
	for _, part := range []Part{r.Answer, r.Delay, r.Unsent, r.Token, r.State, r.Cut} {
		if part == nil {
			continue
		}
		if sentence != "" {
			sentence += "; "
		}
		sentence += part.String()
	}
	return sentence
}

// IsFailure reports whether the upstream should have answered, and has not.
func (r Reason) IsFailure() bool {
	switch r.Answer.(type) {
	case FailedUpstream, ForeignHost:
		return true
	}
	return false
}

// IsOfNobody reports whether the campaigns were requested without a token, or with an unknown one.
func (r Reason) IsOfNobody() bool {
	switch r.Answer.(type) {
	case MissingToken, Placeholder, NoUser, UnknownToken:
		return true
	}
	return false
}

// HasWrongToken reports whether the token is a mistake: it is nearly that of a user, or a
// placeholder. It is a secret only if it is nearly that of a login.
func (r Reason) HasWrongToken() (isWrong, isSecret bool) {
	switch token := r.Token.(type) {
	case Placeholder:
		return true, false
	case NearToken:
		return true, token.IsSecret
	}
	return false, false
}

// A Panic means that the handler of the request has panicked.
type Panic struct {
	Value string // what was passed to panic
}

func (p Panic) String() string {
	return "the handler panicked: " + p.Value
}
