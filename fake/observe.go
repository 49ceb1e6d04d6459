package fake

import (
	"context"

	"example.com/campaignfake/fake/internal/observe"
	"example.com/campaignfake/fixtures"
)

// An Observation is what Observe has seen of a service.
type Observation struct {
	Service fixtures.Service // the settings with which a fake does the same
	NotSeen []string         // what the service has not shown, and why; each is a sentence
	YAML    string           // the settings as a file of fixtures, with other facts as comments
}

// Observe sends seven requests to a service, all GET: the list of campaigns, without a token twice,
// with two invented tokens, and two invented paths. With an Origin it also sends a GET and a
// preflight, as a page would. It returns what it has seen as settings. The texts in these settings
// are the same for all customers: values of Extra are empty, and … stands for a text that changes
// between two answers, looks like a time or an id, or is long.
//
// Observe takes at most a minute, and reads at most 8 MiB of an answer. It asks nothing more after
// a 429. It fails if the service cannot be reached, refuses the token, or has no JSON for it.
// Nothing that it returns has the token in it, if the token has at least 8 characters. Several
// goroutines can call it at once.
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
