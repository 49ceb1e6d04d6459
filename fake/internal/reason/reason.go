// Package reason has what is found about a request to the API, as values, and the sentences that
// are made of them. A [Reason] is made once, while the request is answered. The journal keeps it
// with the request, and its sentence is the same in the journal, in the log, and on the page.
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
// What to change is in package advice, which goes by the types of the parts.
package reason

// A Reason is all that was found about a request. The sentence has its parts in this order.
type Reason struct {
	Answer Part // which answer the request gets, and why; nil until that is known
	Delay  Part // nil if the answer is not delayed
	Unsent Part // why no answer was sent, or no body that a fault could break; else nil
	Token  Part // what may be wrong with a token that is unknown; else nil
	State  Part // why nothing is remembered of the token; nil if something is
	Cut    Part // how the body ended early; nil if it did not
}

// A Part of a reason says in a phrase what was found. It points to no user and no settings, and
// has of a path only a short form, since the journal keeps it.
type Part interface {
	String() string
}

// A Refusal is a part that is the reason for an answer without campaigns. Detail explains it to
// who has sent the request, in whole sentences.
type Refusal interface {
	Part
	Detail() string
}

// String returns the sentence, "" if nothing was found yet.
func (r Reason) String() string {
	sentence := ""
	for _, part := range []Part{r.Answer, r.Delay, r.Unsent, r.Token, r.State, r.Cut} {
		switch {
		case part == nil:
		case sentence == "":
			sentence = part.String()
		default:
			sentence += "; " + part.String()
		}
	}
	return sentence
}

// IsFailure reports whether the upstream has not answered, or was not to be asked.
func (r Reason) IsFailure() bool {
	switch r.Answer.(type) {
	case FailedUpstream, ForeignHost:
		return true
	}
	return false
}

// HasWrongToken reports whether the token that was sent is certainly not the one that was meant:
// it is nearly that of a user, or it stands in the place of one. Such a token is no secret.
func (r Reason) HasWrongToken() bool {
	switch r.Token.(type) {
	case Placeholder, NearToken:
		return true
	}
	return false
}

// A Panic is the reason of a request whose handler has panicked.
type Panic struct {
	Value string // with which it did
}

func (p Panic) String() string {
	return "the handler panicked: " + p.Value
}
