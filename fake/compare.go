package fake

import (
	"context"
	"errors"
	"net/http"
	"net/url"

	"example.com/campaignfake/fake/internal/ask"
	"example.com/campaignfake/fake/internal/compare"
	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fixtures"
)

// A Target is a service that Compare asks.
type Target struct {
	BaseURL string // with https://, or on this machine
	Token   string // a bearer token that the service accepts

	// Origin is that of a page, as http://localhost:5173. Without one, CORS is not compared.
	Origin string

	// Skip are the names of findings that are left out. Without its last words a name stands for
	// all that begin with it: responses.not_found for responses.not_found.body and two others. A
	// name that no finding has or begins with is a mistake.
	Skip []string

	Transport http.RoundTripper // sends the requests; nil for one without a proxy
}

// Check returns what is wrong with the token, the base URL, the origin, and the names to skip:
// every mistake, each on a line.
func (t Target) Check() error {
	_, err := t.endpoint()
	return err
}

// endpoint returns where the service is asked. It fails with what Check returns.
func (t Target) endpoint() (ask.Endpoint, error) {
	base, badURL := ask.ParseURL(t.BaseURL)
	var badOrigin error
	if t.Origin != "" {
		badOrigin = fixtures.CheckOrigin(t.Origin)
	}
	badSkip := compare.CheckSkip(t.Skip)
	err := errors.Join(checkSecretToken(t.Token), badURL, badOrigin, badSkip)
	if err != nil {
		return ask.Endpoint{}, err
	}
	endpoint := ask.Endpoint{BaseURL: base, Token: t.Token, Transport: t.Transport}
	if endpoint.Transport == nil {
		endpoint.Transport = ask.NewTransport()
	}
	return endpoint, nil
}

// checkSecretToken returns what is wrong with a token, without repeating it.
func checkSecretToken(token string) error {
	if fixtures.CheckToken(token) != nil {
		return errors.New("the token cannot be sent; " +
			"give it alone, in visible ASCII characters without spaces")
	}
	return nil
}

// The verdicts of findings.
const (
	VerdictDiffers = compare.Differs // "differs": the fake does something else
	VerdictNote    = compare.Note    // "note": so it does, and few clients care
	VerdictNotSeen = compare.NotSeen // "not seen": the service has not shown what it does
	VerdictSame    = compare.Same    // "same": the fake is true
)

// A Finding is what Compare found about one setting, as timestamps or
// responses.missing_token.body, or about answer, types, null or order, which have none.
type Finding struct {
	Name    string
	Verdict string
	Service string // what the service does, or why that was not seen
	Fake    string // what the fake does; "" if the service was not seen
	LeftOut string // which parts of the answer are not compared, and why; "" if all are
	Remedy  Remedy // what to do about it
}

// A Remedy says what to do so that the server does what the service does. Its Action is "" if the
// verdict is VerdictSame or VerdictNotSeen.
type Remedy struct {
	Action   string
	Settings fixtures.Service // to write, or to change the setting to
	Place    fixtures.Place   // where the setting is that is to be changed or removed
}

// The actions of remedies.
const (
	RemedyWrite     = compare.Write     // "write": the Settings are to be written
	RemedyChange    = compare.Change    // "change": the setting at the Place is to be changed
	RemedyRemove    = compare.Remove    // "remove": the setting at the Place is to be removed
	RemedyNoSetting = compare.NoSetting // "no setting": no setting can say what the service does
)

// String returns the remedy in words, with the option to write.
func (r Remedy) String() string {
	option := "fake.WithService(" + compare.GoSyntax(r.Settings) + ")"
	switch r.Action {
	case RemedyWrite:
		return "write " + option
	case RemedyChange:
		return "change the setting at " + r.Place.String() + ", as in " + option
	case RemedyRemove:
		return "take the setting away at " + r.Place.String()
	case RemedyNoSetting:
		return "no setting can say it; the Campaigns of a user can, or the Body of a reply"
	}
	return ""
}

// String returns the finding as one line, with its remedy.
func (f Finding) String() string {
	line := f.Verdict + ": " + f.Name + ": " + f.Service
	if f.Verdict == VerdictDiffers || f.Verdict == VerdictNote {
		line += "; the fake: " + f.Fake + "; " + f.Remedy.String()
	}
	if f.LeftOut != "" {
		line += "; left out: " + f.LeftOut
	}
	return line
}

// A Comparison is what Compare returns: the findings, differences first, and all settings to
// write together. Settings to be changed at a Place are not among them.
type Comparison struct {
	Findings []Finding
	Settings fixtures.Service
}

// Compare sends nine requests to a service, all GET or OPTIONS: the list of campaigns twice,
// without a token twice, with two tokens that are made up, two other paths, and a preflight. It
// compares the answers with those that the settings of the server lead to. It takes at most 60
// seconds, and fails if there is nothing to compare. Nothing that it returns has the token in it.
// It changes nothing in the server, whose journal does not show it, and can be called at any time.
func Compare(ctx context.Context, s *Server, t Target) (*Comparison, error) {
	service, err := t.endpoint()
	if err != nil {
		return nil, err
	}
	asked, err := s.withOneCampaign(t.Token)
	if err != nil {
		return nil, err
	}
	defer asked.Close()
	askedBase, err := url.Parse(asked.BaseURL())
	if err != nil {
		return nil, err
	}

	fake := ask.Endpoint{BaseURL: askedBase, Token: t.Token, Transport: asked.transport}
	inForce := s.engine.InForce()
	comparison := &compare.Comparison{
		InForce: inForce.Service,
		Places:  inForce.Places,
		Origin:  t.Origin,
		Skip:    t.Skip,
	}
	findings, settings, err := comparison.Run(ctx, service, fake)
	if err != nil {
		return nil, err
	}
	result := &Comparison{Settings: settings}
	for _, f := range findings {
		result.Findings = append(result.Findings, findingOf(f))
	}
	return result, nil
}

// findingOf returns a finding as this package promises it. An alias of the internal type would hide
// its fields from readers of the documentation.
func findingOf(f compare.Finding) Finding {
	return Finding{
		Name:    f.Name,
		Verdict: f.Verdict,
		Service: f.Service,
		Fake:    f.Fake,
		LeftOut: f.LeftOut,
		Remedy:  Remedy(f.Remedy),
	}
}

// withOneCampaign returns a server in memory that has the settings of s, and a user with a
// token. One campaign is enough: those that are generated are all of a kind. So the users of s
// stay as they are.
func (s *Server) withOneCampaign(token string) (*Server, error) {
	inForce := s.engine.InForce()
	settings := Option{func(setup *plan.Setup) {
		setup.AddSettings(*inForce.Configured, inForce.Places)
		setup.AddSettings(fixtures.Service{
			CORS:          inForce.Service.CORS,         // which an upstream may have set
			UnknownTokens: fixtures.UnknownTokensReject, // so that it shows what they are answered
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

// Conform fails a test for each difference between a server and the service at a base URL,
// as Compare finds them, but for those whose names are skipped. Without a token it skips the
// test, so that one which takes it from a variable runs where there is one.
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
	result, err := Compare(context.Background(), s, target)
	if err != nil {
		t.Fatalf("campaignfake: the fake cannot be compared: %v", err)
		return
	}
	for _, f := range result.Findings {
		switch f.Verdict {
		case VerdictDiffers:
			t.Errorf("campaignfake: %v", f)
		case VerdictNote, VerdictNotSeen:
			t.Logf("campaignfake: %v", f)
		}
	}
}
