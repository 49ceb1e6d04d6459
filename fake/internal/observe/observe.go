// Package observe finds out what a service does: it sends the service seven requests, and returns
// what it has seen as settings of fixtures. If no setting can say something, it is a fact, in
// words. A fake is true if an observation of it has the same settings and facts.
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

// A Subject is a service or a fake to be observed.
type Subject struct {
	ask.Endpoint
	Origin string // the origin of a page that asks for the list; "" for no page

	// InForce are the settings of a fake. If a format, the statuses or a value of extra in InForce
	// fits what was seen, the observation takes it. The zero Service has no settings.
	InForce fixtures.Service
}

// An Observation holds what was seen of a subject.
type Observation struct {
	subject   Subject
	token     secret.Token // of the service; no result repeats it
	limit     string       // why no further request is sent; "" if it may be sent
	campaigns []map[string]any

	// What was found out, by the names of findings. A setting is a JSON value, which may have open
	// values in it; nil means that the service does what a fake does without the setting. A name in
	// unseen can be the beginning of several names.
	settings map[string]any
	facts    map[string]string
	unseen   map[string]string // why it was not seen
}

// Of observes a subject, for at most a minute. It fails if the subject cannot be reached, refuses
// the token, or answers it with a text that is not JSON.
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
	if answer.Status == http.StatusTooManyRequests {
		o.limit = answer.Missing
	}
	return answer
}
