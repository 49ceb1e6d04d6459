// Package observe finds out what a service does. It sends the service seven requests, and two more
// about CORS if it knows the origin of a page. It returns what it has seen as settings of fixtures.
// It returns as facts, in words, what no setting can express. A fake is true to a service if the
// observations of the fake and of the service have the same settings and facts.
//
//	observe      makes an observation, from the first request to the last
//	findings     returns by name what was found out
//	list         reads the answer with campaigns
//	formats      finds how ids and dates are written
//	cors         finds whether pages may read the campaigns
//	refusals     reads the answers without campaigns
//	shared       finds what two answers have in common
//	difference   compares the observations of a fake and a service
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
	Origin string // the origin of a page, to ask about CORS; "" for no page

	// InForce are the settings of the fake with which the subject is compared, or zero for no
	// comparison. If what was seen is possible under a setting in force, the observation repeats
	// this setting, and does not guess a narrower one. For example, a service that has shown only
	// two of the four statuses in force gets all four. So it does not differ from the fake. This
	// holds for ids, dates, statuses and values of extra.
	InForce fixtures.Service
}

// An Observation holds what was seen of a subject.
type Observation struct {
	subject   Subject
	token     secret.Token // the bearer token of the requests; no result contains it
	limit     string       // why no further request may be sent; else ""
	campaigns []map[string]any

	// The keys of these maps are names of findings, such as "ids".
	//
	// A value of settings is a JSON value, in which placeholders of the type open can stand. It is
	// nil if the service does the same as a fake without this setting.
	//
	// A value of unseen says why a finding is missing, after the words "the service". A key of
	// unseen can be the start of several names: "responses.not_found" stands for all names under
	// it.
	settings map[string]any
	facts    map[string]string
	unseen   map[string]string
}

// Of observes a subject, for at most a minute. It fails if the subject does not answer the first
// request, or if the answer is no success or not JSON.
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

// send sends a request. After the service has answered 429 (too many requests), send sends nothing
// more, and returns an Answer whose Missing says why.
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
