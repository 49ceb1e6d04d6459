// Package observe finds out what a service does: it sends it seven requests, and says what it has
// seen as settings of fixtures. What no setting says is a fact, in words. A fake is true if it is
// observed in the same way.
//
//	observe      an observation, from the first request to the last
//	findings     what was found out, by names
//	list         what the answer with campaigns says
//	formats      how ids and dates are written
//	cors         whether pages may read it
//	refusals     what the answers without campaigns say
//	shared       what two answers have in common
//	difference   in what a fake and a service are not the same
package observe

import (
	"context"
	"net/http"

	"example.com/campaignfake/fake/internal/ask"
	"example.com/campaignfake/fake/internal/secret"
	"example.com/campaignfake/fixtures"
	"example.com/campaignfake/fixtures/protocol"
)

// A Subject is what is observed.
type Subject struct {
	ask.Endpoint
	IsFake bool   // its statuses are settings, and do not say that it fails
	Origin string // of a page that asks for the list; "" for none

	// InForce are settings of a fake. A format, the statuses and values of extra are taken from
	// them where they fit what was seen. The zero Service has none.
	InForce fixtures.Service
}

// An Observation is what was seen of a subject.
type Observation struct {
	subject   Subject
	token     secret.Token // of the service; what repeats it is not repeated here
	limit     string       // why nothing else is asked; "" if it can be
	campaigns []map[string]any

	// What was found out, by the names of findings. A setting is a value of JSON, which may have
	// open values in it; nil says that there is none. A name in unseen can be the beginning of
	// several.
	settings map[string]any
	facts    map[string]string
	unseen   map[string]string // why
}

// Of observes a subject, for at most a minute. It fails if the subject cannot be reached, refuses
// the token, or answers it with what is not JSON.
func Of(ctx context.Context, s Subject) (*Observation, error) {
	ctx, cancel := context.WithTimeout(ctx, ask.WholeTimeout)
	defer cancel()
	o := &Observation{
		subject:  s,
		token:    secret.New(s.Token),
		settings: make(map[string]any),
		facts:    make(map[string]string),
		unseen:   make(map[string]string),
	}
	list := o.send(ctx, s.Request(http.MethodGet, protocol.CampaignsPath, s.Token))
	err := o.readList(list)
	if err != nil {
		return nil, err
	}
	if s.Origin != "" {
		o.askCORS(ctx)
	}
	o.askRefusals(ctx)
	return o, nil
}

// send sends a request, unless the service limits how often it is asked (429).
func (o *Observation) send(ctx context.Context, request *http.Request) ask.Answer {
	if o.limit != "" {
		return ask.Answer{Missing: o.limit}
	}
	answer := o.subject.Send(ctx, request)
	isAnswered := answer.Status != 0
	switch {
	case o.subject.IsFake && isAnswered:
		answer.Missing = ""
	case answer.Status == http.StatusTooManyRequests:
		o.limit = answer.Missing
	}
	return answer
}
