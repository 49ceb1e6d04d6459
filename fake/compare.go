package fake

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"example.com/campaignfake/fake/internal/observe"
	"example.com/campaignfake/fake/internal/wire"
	"example.com/campaignfake/fixtures"
)

// A Comparison says what a real service is compared with, and how it is asked. The
// zero value compares with the defaults.
type Comparison struct {
	// Service has the settings of the fake. Those that are zero have their defaults.
	Service Service

	// Skip names settings that are not compared, as fields.score, ids, or
	// invalid_token; cors, head, query and accept can be skipped, too. What is asked
	// for one of these alone is not asked then.
	Skip []string

	// Client sends the requests. Its redirects, cookies and Timeout are not used. By
	// default requests use the proxy of the environment, and trust what the system
	// trusts.
	Client *http.Client

	// Pause is the time between two requests: 0 stands for a second, and a negative
	// one for none.
	Pause time.Duration

	// Progress is told of each request before it is sent: its number, and in a few
	// words what it asks. nil is told nothing.
	Progress func(number int, what string)
}

// Findings are what Compare has found.
type Findings struct {
	// At is when the service was asked, in whole seconds, UTC.
	At time.Time

	// List has one finding for each setting, sorted by name.
	List []Finding

	// Requests is how many requests were sent.
	Requests int

	// NotAsked says why some requests were not sent, "" if all were.
	NotAsked string

	// Withheld names the settings of which nothing is told, since what the service
	// sent holds a part of the token, an id or a name of a campaign, or the host; and
	// says which of these.
	Withheld map[string]string

	observed Service
	empty    bool // there was no campaign
}

// A Finding is one setting of the fake beside what the service shows of it. It holds no
// value that the service has sent, but names, types and patterns.
type Finding struct {
	// Setting is the name that Settings has for it; fields have one each, as
	// fields.score. Names that no setting has are campaign.NAME (a documented field),
	// nested, headers, head, query and accept.
	Setting string `json:"setting"`

	// Verdict is "agrees"; "differs", which two requests have shown; "warning", for
	// what is new, was seen once, or has no setting; or "unknown", if it was not seen.
	Verdict string `json:"verdict"`

	// Fake and Real are what was concluded of both, as JSON; nil if nothing was.
	Fake json.RawMessage `json:"fake,omitempty"`
	Real json.RawMessage `json:"real,omitempty"`

	// Note says more in a few words, "" if there is nothing to say.
	Note string `json:"note,omitempty"`
}

// Compare asks a real service how it answers, asks a fake with the settings of the
// comparison in the same way, and returns what it finds. The base URL is that of the
// service, as https://staging.example.com/api.
//
// The service gets at most 12 requests within a minute, one at a time: GET of the list
// and of a path that does not exist, HEAD, and OPTIONS. Redirects are not followed.
// Comparisons that run at the same time do not know of each other. The token is sent to
// the base URL alone, which must be https unless it is on this machine, and stands in no
// error and no finding.
//
// An error means that there is no verdict: the service cannot be reached, refuses the
// token, or answers with something else than a list of campaigns.
func Compare(ctx context.Context, baseURL, token string, c Comparison) (*Findings, error) {
	base, err := checkTarget(baseURL, token)
	if err != nil {
		return nil, err
	}
	ours, service, err := c.askFake(ctx)
	if err != nil {
		return nil, err
	}
	asker := &observe.Asker{
		BaseURL: base, Token: token, Transport: c.transport(), Pause: cmp.Or(c.Pause, time.Second), Skip: c.Skip, Progress: c.Progress,
	}
	at := time.Now().UTC().Truncate(time.Second)
	theirs, err := asker.Observe(ctx)
	if err != nil {
		return nil, err
	}
	withheld := asker.Withhold(theirs, ours)
	findings := &Findings{
		At: at, Requests: asker.Asked, NotAsked: asker.Stopped, Withheld: withheld,
		observed: theirs.Service(service.Statuses), empty: asker.Empty(),
	}
	for _, f := range observe.Compare(ours, theirs, service.Statuses) {
		findings.List = append(findings.List, Finding{f.Setting, f.Verdict, asJSON(f.Fake), asJSON(f.Real), f.Note})
	}
	return findings, nil
}

// Requests returns the requests that Compare would send at most, one on a line, without
// the token.
func (c Comparison) Requests(baseURL string) ([]string, error) {
	base, err := checkTarget(baseURL, "any")
	if err != nil {
		return nil, err
	}
	var lines []string
	for _, q := range observe.Questions(c.Skip) {
		lines = append(lines, q.Line(base))
	}
	return lines, nil
}

// checkTarget checks the base URL and the token of a real service.
func checkTarget(baseURL, token string) (*url.URL, error) {
	base, err := url.Parse(baseURL)
	if err != nil {
		return nil, errors.New("the base URL is not a URL; write one as https://staging.example.com/api")
	}
	if wrong := observe.CheckURL(base); wrong != "" {
		return nil, fmt.Errorf("%q cannot be asked: %s", (&url.URL{Scheme: base.Scheme, Host: base.Host, Path: base.Path}).String(), wrong)
	}
	if fixtures.CheckToken(token) != nil {
		return nil, errors.New("the token is not one that a client can send; give it without spaces and quotes")
	}
	return base, nil
}

func (c *Comparison) transport() http.RoundTripper {
	if c.Client != nil && c.Client.Transport != nil {
		return c.Client.Transport
	}
	// On a connection that was used before, the transport would repeat requests by itself.
	return &http.Transport{Proxy: proxyOf, ForceAttemptHTTP2: true, DisableCompression: true, DisableKeepAlives: true, MaxResponseHeaderBytes: 1 << 20}
}

// proxyOf returns the proxy of the environment, but none for what is not encrypted.
func proxyOf(r *http.Request) (*url.URL, error) {
	if r.URL.Scheme != "https" {
		return nil, nil
	}
	return http.ProxyFromEnvironment(r)
}

// askFake asks a fake with the settings of the comparison, as a service is asked, and
// returns its settings as well.
func (c *Comparison) askFake(ctx context.Context) (observe.Traits, Service, error) {
	const token, campaigns = "campaignfake-compare", 200
	service := Service{}.Overlay(c.Service)
	unknown := cmp.Or(service.UnknownTokens, "reject")
	service.BasePath, service.Delay, service.Chaos = "", nil, nil
	service.UnknownTokens = "reject" // so that its answer to an unknown token is seen
	s, err := New(WithService(service), WithoutControl(), WithJournal(0), WithUser(token, User{Generate: &Generate{Count: campaigns}}))
	if err != nil {
		return nil, Service{}, err
	}
	defer s.Close()
	memory := wire.NewMemoryListener()
	go s.Serve(memory)
	transport := &http.Transport{DialContext: memory.DialContext, DisableCompression: true}
	defer transport.CloseIdleConnections()
	asker := &observe.Asker{
		BaseURL: &url.URL{Scheme: "http", Host: wire.MemoryHost, Path: "/api"}, Token: token, Transport: transport, Skip: c.Skip,
	}
	traits, err := asker.Observe(ctx)
	if _, asked := traits["unknown_tokens"]; asked {
		traits["unknown_tokens"] = observe.Trait{Value: unknown}
	}
	return traits, s.Service(), err
}

// asJSON returns a conclusion as JSON, nil if there is none.
func asJSON(value any) json.RawMessage {
	if value == nil {
		return nil
	}
	return bytes.TrimSpace(marshaled(value))
}

// Differs reports whether a setting differs or, if strict, whether there is a warning, a
// setting is withheld, or something was not asked.
func (f *Findings) Differs(strict bool) bool {
	return strict && (len(f.Withheld) > 0 || f.NotAsked != "") || slices.ContainsFunc(f.List, func(f Finding) bool {
		return f.Verdict == observe.Differs || strict && f.Verdict == observe.Warning
	})
}

// Observed returns what two requests have shown, as settings with their date. It fails
// if a setting is withheld, or if there was no campaign to conclude anything from.
func (f *Findings) Observed() (Observed, error) {
	if f.empty {
		return Observed{}, errors.New("nothing can be written down: the list was empty; ask with an account that has campaigns")
	}
	if len(f.Withheld) == 0 {
		return Observed{At: f.At, Service: Service{}.Overlay(f.observed)}, nil
	}
	var words []string
	for setting, secret := range f.Withheld {
		words = append(words, fmt.Sprintf("%s holds %s", setting, secret))
	}
	slices.Sort(words)
	return Observed{}, fmt.Errorf("nothing can be written down: %s; skip the setting, or ask with another account", strings.Join(words, ", and "))
}

// A Runner is a test that has subtests and can be skipped, as *testing.T is.
type Runner[T any] interface {
	TB
	Run(name string, f func(t T)) bool
	Skipf(format string, args ...any)
}

// Conform compares a server with a real service, as Compare does, in a subtest for each
// setting: it fails if the setting differs, and logs warnings. Without a token it skips
// the test, and says so. The base URL and the token usually come from variables:
//
//	fake.Conform(t, srv, os.Getenv("STAGING_URL"), os.Getenv("STAGING_TOKEN"))
//
// If there is no verdict the test fails.
func Conform[T Runner[T]](t T, srv *Server, baseURL, token string) {
	t.Helper()
	if token == "" {
		t.Skipf("campaignfake: not compared with the real service: there is no token")
		return
	}
	findings, err := Compare(context.Background(), baseURL, token, Comparison{Service: srv.Service()})
	if err != nil {
		t.Fatalf("campaignfake: %v", err)
		return
	}
	for _, f := range findings.List {
		t.Run(f.Setting, func(t T) {
			t.Helper()
			if f.Verdict == observe.Differs {
				t.Errorf("campaignfake: %s", f)
			} else if f.Verdict != observe.Agrees {
				t.Logf("campaignfake: %s", f)
			}
		})
	}
	if findings.NotAsked != "" {
		t.Logf("campaignfake: not everything was compared: %s", findings.NotAsked)
	}
	for setting, secret := range findings.Withheld {
		t.Logf("campaignfake: %s is not compared, since it holds %s", setting, secret)
	}
}

// String returns the finding on one line.
func (f Finding) String() string {
	text := fmt.Sprintf("%s %s", f.Setting, f.Verdict)
	if f.Verdict != observe.Agrees && f.Fake != nil && f.Real != nil {
		text += fmt.Sprintf(": the fake has %s, the service %s", f.Fake, f.Real)
	} else if f.Verdict != observe.Agrees && f.Real != nil {
		text += fmt.Sprintf(": the service has %s", f.Real)
	}
	if f.Note != "" {
		text += " (" + f.Note + ")"
	}
	return text
}

// CheckSetting returns an error if a name in Skip is not that of a setting.
func CheckSetting(name string) error {
	known := []string{"head", "query", "accept", "headers", "nested", "fields", "campaign", "responses", "success"}
	for _, s := range fixtures.DefaultService().Settings(nil) {
		if s.Basis != "documented" {
			known = append(known, s.Name)
		}
	}
	for _, response := range []string{"missing_token", "invalid_token", "not_found"} {
		known = append(known, response, "responses."+response)
	}
	if slices.Contains(known, name) || strings.HasPrefix(name, "fields.") || strings.HasPrefix(name, "campaign.") {
		return nil
	}
	return fmt.Errorf("%q is not a setting; write one as invalid_token, ids, head, query, or fields.score", name)
}
