package fake

import (
	"context"
	"net/url"
	"slices"

	"example.com/campaignfake/fake/internal/observe"
	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fixtures"
)

// A Difference says how a server and a service differ. Compare returns it.
type Difference struct {
	// Names are the settings that differ, by their names in YAML, as responses.missing_token.body,
	// and the facts that no setting says: answer (what the list is in) and types (of the documented
	// fields). If there are none, the fake is true, as far as the service was seen.
	Names []string

	// Service has the settings of the service that differ. A server with these settings, given by
	// WithService, does the same as the service.
	Service fixtures.Service

	// NotSeen says what the service has not shown, and why: a sentence each.
	NotSeen []string

	// YAML shows what differs: lines of the server begin with -, and lines of the service with +.
	// Comments are facts that no setting says. Some of these are not in Names, since few clients
	// care. YAML is "" if nothing differs.
	YAML string
}

// Compare observes a service, as Observe does, and a server with the settings of s, and returns the
// difference. Where a text changes between two answers of the service, any text of the server is
// right. If the answers of the service fit the format, the list of statuses or the value of Extra
// of the server, that is no difference. Tokens without a user are compared if the server rejects
// them.
//
// Compare fails as Observe does, and changes nothing in the server, whose journal does not show it.
// It can be called at any time.
func Compare(ctx context.Context, s *Server, t Target) (*Difference, error) {
	service, err := t.endpoint()
	if err != nil {
		return nil, err
	}
	asked, err := s.withOneCampaign(t.Token)
	if err != nil {
		return nil, err
	}
	defer asked.Close()
	inForce := s.Service()
	subject := observe.Subject{Endpoint: service, Origin: t.Origin, InForce: inForce}
	ofService, err := observe.Of(ctx, subject)
	if err != nil {
		return nil, err
	}
	subject.Transport = asked.transport
	subject.BaseURL, err = url.Parse(asked.BaseURL())
	if err != nil {
		return nil, err
	}
	ofFake, err := observe.Of(ctx, subject)
	if err != nil {
		return nil, err
	}
	skip := slices.Clone(t.Skip)
	if inForce.UnknownTokens != fixtures.UnknownTokensReject {
		skip = append(skip, "unknown_tokens")
	}
	difference := Difference(*observe.Between(ofFake, ofService, skip))
	return &difference, nil
}

// withOneCampaign returns a server in memory that has the settings of s, and a user with a token,
// so that the users of s stay as they are. One generated campaign is enough, since all generated
// campaigns have the same fields and formats.
func (s *Server) withOneCampaign(token string) (*Server, error) {
	inForce := s.engine.InForce()
	settings := Option{func(setup *plan.Setup) {
		setup.AddSettings(*inForce.Configured, inForce.Places)
		setup.AddSettings(fixtures.Service{
			CORS:          inForce.Service.CORS,         // an upstream may have set it
			UnknownTokens: fixtures.UnknownTokensReject, // so that it shows a refusal
			Delay:         &fixtures.Delay{},
		}, nil)
	}}
	user := WithUser(token, fixtures.User{Generate: &fixtures.Generate{Count: 1}})
	asked, err := newServer(applied([]Option{WithInMemory(), settings, user}))
	if err != nil {
		return nil, err
	}
	err = asked.listen()
	if err != nil {
		return nil, err
	}
	return asked, nil
}

// Conform fails a test if Compare finds a difference between a server and the service at a base
// URL. It ignores the settings and facts whose names are given to be skipped. Without a token it
// skips the test, so that a test which takes the token from a variable only runs where the variable
// is set.
func Conform(t interface {
	TB
	Skipf(format string, args ...any)
}, s *Server, baseURL, token string, skip ...string) {
	t.Helper()
	if token == "" {
		t.Skipf("campaignfake: there is no token for the service, " +
			"so the fake is not compared with it")
		return
	}
	target := Target{BaseURL: baseURL, Token: token, Skip: skip}
	difference, err := Compare(context.Background(), s, target)
	if err != nil {
		t.Fatalf("campaignfake: the fake cannot be compared: %v", err)
		return
	}
	for _, sentence := range difference.NotSeen {
		t.Logf("campaignfake: %s", sentence)
	}
	switch {
	case len(difference.Names) > 0:
		t.Errorf("campaignfake: the fake (-) differs from the service (+), "+
			"whose settings fake.WithService takes:\n%s", difference.YAML)
	case difference.YAML != "":
		t.Logf("campaignfake: few clients care about what differs in the service (+):\n%s",
			difference.YAML)
	}
}
