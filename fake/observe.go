package fake

import (
	"context"

	"example.com/campaignfake/fake/internal/observe"
	"example.com/campaignfake/fixtures"
)

// An Observation is what Observe has seen of a service.
type Observation struct {
	Service fixtures.Service // the settings of a fake that does the same as the service
	NotSeen []string         // a sentence for each thing that the service has not shown, and why
	YAML    string           // the settings as a file of fixtures, with other facts as comments
}

// Observe sends seven GET requests to a service. Five are for the list of campaigns: one with the
// token, two without a token, and two with invented tokens. Two are for invented paths. With an
// Origin, Observe also sends a GET and a preflight, as a page would.
//
// Observe returns what it has seen as settings. The texts in these settings are the same for all
// customers: values of Extra are empty, and … stands for a text that changes between two answers,
// looks like a time or an id, or is long.
//
// Observe takes at most a minute, and reads at most 8 MiB of an answer. After an answer 429 it
// sends no further request. It fails if the service cannot be reached, refuses the token, or
// answers with a text that is not JSON. No result contains the token, if the token has at least 8
// characters. Several goroutines can call it at once.
func Observe(ctx context.Context, t Target) (*Observation, error) {
	service, err := t.endpoint()
	if err != nil {
		return nil, err
	}
	seen, err := observe.Of(ctx, observe.Subject{Endpoint: service, Origin: t.Origin})
	if err != nil {
		return nil, err
	}
	return &Observation{
		Service: seen.Settings(),
		NotSeen: seen.NotSeen(nil),
		YAML:    seen.YAML(),
	}, nil
}
