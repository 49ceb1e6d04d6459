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
	// Names has the YAML names of the settings that differ, such as responses.missing_token.body.
	// It also has two facts that no setting can express, if they differ: answer (the JSON around
	// the list) and types (the JSON types of the documented fields). If Names is empty, the fake
	// does what the service does, as far as the service has shown it: see NotSeen.
	Names []string

	// Service has the settings in which the service differs from the server. A server that gets
	// these settings by WithService answers as the service does, as far as settings can express it.
	Service fixtures.Service

	// NotSeen has a sentence for each thing that the service has not shown. The sentence says why.
	NotSeen []string

	// YAML shows what differs. Lines that begin with - are from the server, and lines that begin
	// with + are from the service. A comment line has a fact that no setting can express. Some of
	// these facts are not in Names, since few clients depend on them. YAML is "" if nothing
	// differs.
	YAML string
}

// Compare observes a service, as Observe does. It also observes a server in memory with the
// settings of s, and returns how the service and the server differ. If a text changes between two
// answers of the service, Compare accepts any text of the server in its place. Ids, timestamps,
// statuses and values of Extra that fit the settings of s are no difference: for example, any UUID
// fits IDs "uuid". Compare looks at the answers to unknown tokens only if s rejects unknown tokens.
//
// Compare fails for the same reasons as Observe. It changes nothing in s, and leaves nothing in the
// journal of s, so it can be called at any time.
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

// withOneCampaign returns a new server in memory, which Compare observes in place of s, so that the
// users of s stay unchanged. The server has the settings of s, and one user, who has the token and
// one generated campaign. One is enough: all generated campaigns have the same fields and formats.
func (s *Server) withOneCampaign(token string) (*Server, error) {
	inForce := s.engine.InForce()
	settings := Option{func(setup *plan.Setup) {
		setup.AddSettings(*inForce.Configured, inForce.Places)
		setup.AddSettings(fixtures.Service{
			CORS:          inForce.Service.CORS,         // an upstream of s changes the default
			UnknownTokens: fixtures.UnknownTokensReject, // to observe the answer 401
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
// URL. It ignores the settings and facts that the argument skip names: see Target.Skip. If the
// token is "", it skips the test. So a test that reads the token from an environment variable runs
// only where this variable is set.
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
