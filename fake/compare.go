package fake

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"reflect"

	"example.com/campaignfake/fake/internal/compare"
	"example.com/campaignfake/fake/internal/plan"
	"example.com/campaignfake/fake/internal/report"
	"example.com/campaignfake/fixtures"
)

// A Target is a service that Compare asks.
type Target struct {
	BaseURL   string            // with https://, or on this machine
	Token     string            // a bearer token that the service accepts
	Origin    string            // of a page, as http://localhost:5173; without one, CORS is not compared
	Skip      []string          // the names of findings that are left out
	Transport http.RoundTripper // sends the requests; nil for one without a proxy
}

// Check returns what is wrong with the base URL or the token.
func (t Target) Check() error {
	if fixtures.CheckToken(t.Token) != nil { // whose error may have the token in it
		return errors.New("the token cannot be sent; give it alone, in visible ASCII characters without spaces")
	}
	return compare.CheckURL(t.BaseURL)
}

// A Finding is what Compare found about one setting, as timestamps or
// responses.missing_token, or about answer, types, null or order, which have none.
type Finding struct {
	Name    string
	Verdict string // "differs"; "note" for a small difference; "not seen"; "same"
	Service string // what the service does, or why that was not seen
	Fake    string // what the fake does
	Remedy  string // what to write so that it does the same; "" if nothing is to be done
}

// String returns the finding as one line.
func (f Finding) String() string {
	line := f.Verdict + ": " + f.Name + ": " + f.Service
	if f.Remedy != "" {
		line += "; the fake: " + f.Fake + "; " + f.Remedy
	}
	return line
}

// A Comparison is what Compare returns: the findings, differences first, and all settings to
// write. Those that the server was given elsewhere are not among them.
type Comparison struct {
	Findings []Finding
	Settings fixtures.Service
}

// Compare sends eight requests to a service, all GET or OPTIONS: the list of campaigns twice,
// without a token twice, with two tokens that are made up, another path, and a preflight. It
// compares the answers with those that the settings of the server lead to. It takes at most 60
// seconds, and fails if there is nothing to compare. Nothing that it returns has the token in it.
func Compare(ctx context.Context, s *Server, t Target) (*Comparison, error) {
	return s.compare(ctx, t, func(settings fixtures.Service) string {
		text, _ := json.Marshal(settings) // cannot fail: it was checked
		return "service: " + string(text)
	})
}

// compare is Compare with a form in which settings are shown.
func (s *Server) compare(ctx context.Context, t Target, show func(fixtures.Service) string) (*Comparison, error) {
	if err := t.Check(); err != nil {
		return nil, err
	}
	own := s.double(t.Token)
	defer own.Close()
	base, _ := url.Parse(t.BaseURL) // has been checked, and the other is ours
	ownBase, _ := url.Parse(own.BaseURL())
	inForce := s.engine.InForce()
	c := &compare.Comparison{InForce: inForce.Service, Places: inForce.Places, Origin: t.Origin, Skip: t.Skip, Show: show}
	findings, settings, err := c.Run(ctx, &compare.Sight{Base: base, Token: t.Token, Transport: cmp.Or(t.Transport, compare.NewTransport())},
		&compare.Sight{Base: ownBase, Token: t.Token, Transport: own.transport})
	if err != nil {
		return nil, err
	}
	result := &Comparison{Settings: settings}
	for _, f := range findings {
		result.Findings = append(result.Findings, Finding(f))
	}
	return result, nil
}

// double returns a server in memory with the settings in force, and a user with one campaign:
// generated ones are all of a kind.
func (s *Server) double(token string) *Server {
	return NewTestServer(report.NoTest{}, WithInMemory(), WithLenient(), Option{func(c *plan.Config) {
		inForce := s.engine.InForce()
		c.AddSettings(*inForce.Service, inForce.Places)
		c.AddSettings(fixtures.Service{UnknownTokens: fixtures.UnknownTokensReject, Delay: &fixtures.Delay{}}, nil)
		c.SetUser(token, fixtures.User{Generate: &fixtures.Generate{Count: 1}}, false)
	}})
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
		t.Skipf("campaignfake: there is no token for the service, so the fake is not compared with it")
		return
	}
	result, err := s.compare(context.Background(), Target{BaseURL: baseURL, Token: token, Skip: skip}, func(settings fixtures.Service) string {
		return "fake.WithService(" + compare.Go(reflect.ValueOf(settings)) + ")"
	})
	if err != nil {
		t.Fatalf("campaignfake: the fake cannot be compared: %v", err)
		return
	}
	for _, f := range result.Findings {
		if f.Verdict == compare.Differs {
			t.Errorf("campaignfake: %v", f)
		} else if f.Verdict != compare.Same {
			t.Logf("campaignfake: %v", f)
		}
	}
}
