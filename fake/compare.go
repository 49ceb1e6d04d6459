package fake

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/campaignfake/fake/internal/api"
	"example.com/campaignfake/fake/internal/observe"
	"example.com/campaignfake/fake/internal/wire"
	"example.com/campaignfake/fixtures"
)

// A Comparison states what a real service is compared with, and how it is asked. The
// zero value compares with the defaults.
type Comparison struct {
	// Service has the settings of the fake. Those that are zero have their defaults.
	Service Service

	// Settings are those of the fake, as Server.Settings returns them. If they are given,
	// findings say where a setting stands that is configured, and so goes before what is
	// observed.
	Settings []Setting

	// Accepted are differences that no setting can describe. They are no findings, unless
	// something else is seen.
	Accepted []Accepted

	// Skip names settings that are not compared, as campaign.score, ids, or
	// invalid_token; cors, head, query and accept can be skipped, too. What is asked
	// for one of these alone is not asked then.
	Skip []string

	// Strict lets warnings count as differences.
	Strict bool

	// Origin is one whose pages should read answers, as https://app.example.com. The list
	// and an error are asked for from there, too.
	Origin string

	// KeepTexts keeps and compares texts of errors and values of enums that are not among
	// the known words of HTTP and frameworks.
	KeepTexts bool

	// Client sends the requests. Its redirects, cookies and Timeout are not used. By
	// default requests use the proxy of the environment, and trust what the system
	// trusts.
	Client *http.Client

	// Pause is the time between two requests: 0 stands for a second, and a negative
	// one for none.
	Pause time.Duration

	// Progress is called before each request is sent, with its number, and in a few words
	// what it asks. It may be nil.
	Progress func(number int, what string)
}

// Findings are what Compare has found.
type Findings struct {
	// At is when the service was asked, in whole seconds, UTC.
	At time.Time

	// Verdict is "differs"; "partial" if nothing differs, but not everything was seen that
	// was asked for; or "agrees".
	Verdict string

	// List has one finding for each path, sorted by name.
	List []Finding

	// Requests is how many requests were sent.
	Requests int

	// Partial lists why something was not seen.
	Partial []string

	// Withheld names the paths of keys and statuses that are left out, since they hold a
	// part of the token, an id, a name or a text of a campaign, or the host; and which of
	// these.
	Withheld map[string]string

	// NotWatched lists what is neither compared nor written.
	NotWatched []string

	// Keys and Statuses are the words of the service that Observed has, save those that
	// are documented or known.
	Keys, Statuses []string

	comparison Comparison
	real       *observe.View
	statuses   []string
}

// A Finding is what the fake and the service show at one path. It has no value of the
// service, but names, types, kinds, and known words.
type Finding struct {
	// Setting is the name that Settings has for it, or a path in its shape, as
	// campaign.budget. Names that no setting has are head, query, accept, headers,
	// redirect, byte_order_mark and cors.credentials.
	Setting string `json:"setting"`

	// Verdict is "agrees"; "differs", which two requests have shown; "warning", for
	// what is new, was seen once, or has no setting; or "unknown", if it was not seen.
	Verdict string `json:"verdict"`

	// Fake and Real describe both, "" if nothing is known.
	Fake string `json:"fake,omitempty"`
	Real string `json:"real,omitempty"`

	// Note explains the verdict in a few words, "" if there is nothing to explain.
	Note string `json:"note,omitempty"`

	// Write is what to write for the setting, or at its path, as JSON. It is nil if there
	// is nothing to write, or no setting for it.
	Write json.RawMessage `json:"write,omitempty"`
}

// Compare asks a real service how it answers, asks a fake with the settings of the
// comparison in the same way, and returns what it finds. The base URL is that of the
// service, as https://staging.example.com/api.
//
// The service gets at most 12 requests within a minute, one at a time: GET of the list
// and of a path that does not exist, HEAD, and OPTIONS. No redirect is followed, but to the
// same place with a slash at its end. Comparisons that run at the same time do not know of
// each other. The token is sent to the base URL alone, which must be https unless it is on
// this machine, and stands in no error and no finding.
//
// An error means that there is no verdict: the service cannot be reached, refuses the
// token, or answers with something else than a list of campaigns.
func Compare(ctx context.Context, baseURL, token string, c Comparison) (*Findings, error) {
	base, err := observe.Target(baseURL, token, c.Origin, c.Skip)
	if err != nil {
		return nil, err
	}
	ours, service, err := c.askFake(ctx, c.Service)
	if err != nil {
		return nil, err
	}
	asker := &observe.Asker{
		BaseURL: base, Token: token, Transport: c.transport(), Pause: max(cmp.Or(c.Pause, time.Second), 0), Skip: c.Skip, Progress: c.Progress,
		Origin: c.Origin, KeepTexts: c.KeepTexts, Shape: observe.ShapeOf(service),
	}
	at := time.Now().UTC().Truncate(time.Second)
	theirs, err := asker.Observe(ctx)
	if err != nil {
		return nil, err
	}
	f := &Findings{
		At: at, Requests: asker.Asked, Partial: asker.Partial, Withheld: asker.Withheld, NotWatched: theirs.NotWatched(),
		comparison: c, real: theirs, statuses: service.Statuses,
	}
	f.Keys, f.Statuses = theirs.Words()
	for _, found := range observe.Compare(ours, theirs, service.Statuses, seenAt(c.Accepted)) {
		var write json.RawMessage
		if found.Write != nil && found.Verdict != observe.Agrees {
			write = api.Encoded(found.Write)
		}
		note := found.Note
		if where := c.configured(found.Setting); where != "" && found.Verdict != observe.Agrees {
			note = strings.TrimPrefix(note+"; "+where+" sets it, which goes before what is observed", "; ")
		}
		f.List = append(f.List, Finding{found.Setting, found.Verdict, found.Fake, found.Real, note, write})
	}
	f.Verdict = f.verdict(c.Strict)
	return f, nil
}

// configured returns where a setting stands that goes before what is observed, "" if it
// does not.
func (c *Comparison) configured(setting string) string {
	for _, s := range c.Settings {
		if s.Basis == "configured" && observe.Skipped(setting, []string{s.Name}) {
			return s.Where
		}
	}
	return ""
}

// seenAt returns what is accepted by its paths.
func seenAt(accepted []Accepted) map[string]string {
	seen := make(map[string]string)
	for _, a := range accepted {
		seen[a.Path] = a.Seen
	}
	return seen
}

func (f *Findings) verdict(strict bool) string {
	has := func(verdict string) bool {
		return slices.ContainsFunc(f.List, func(f Finding) bool { return f.Verdict == verdict })
	}
	switch {
	case has(observe.Differs), strict && (has(observe.Warning) || len(f.Withheld) > 0):
		return "differs"
	case len(f.Partial) > 0:
		return "partial"
	}
	return "agrees"
}

// Requests returns the requests that Compare would send at most, one on a line, without
// the token.
func (c Comparison) Requests(baseURL string) ([]string, error) {
	base, err := observe.Target(baseURL, "any", c.Origin, c.Skip)
	if err != nil {
		return nil, err
	}
	var lines []string
	for _, q := range observe.Questions(c.Skip, c.Origin) {
		lines = append(lines, q.Line(base))
	}
	return lines, nil
}

func (c *Comparison) transport() http.RoundTripper {
	if c.Client != nil && c.Client.Transport != nil {
		return c.Client.Transport
	}
	return observe.NewTransport()
}

// shares matches how often a value of a shape is null or absent.
var shares = regexp.MustCompile(`"\$(?:null|absent)":([0-9.]+)`)

// askFake asks a fake with some settings, as a service is asked, and returns all its
// settings as well.
func (c *Comparison) askFake(ctx context.Context, settings Service) (*observe.View, Service, error) {
	const token, few, many = "campaignfake-compare", 100, 1000
	service := Service{}.Overlay(settings)
	unknown := cmp.Or(service.UnknownTokens, UnknownTokensReject)
	service.BasePath, service.Delay, service.Chaos = "", nil, nil
	service.UnknownTokens = UnknownTokensReject // so that its answer to an unknown token is seen
	standard := fixtures.DefaultService().Responses
	for _, name := range []ResponseName{ResponseMissingToken, ResponseInvalidToken} {
		// Headers that are given keep those of the default response away.
		if r := service.Responses.Named(name); maps.EqualFunc(r.Headers, standard.Named(name).Headers, slices.Equal) {
			r.Headers = nil
		}
	}
	campaigns := few
	for _, found := range shares.FindAllSubmatch(api.Encoded(service.Campaign), -1) { // so that what is rare is there, too
		share, _ := strconv.ParseFloat(string(found[1]), 64)
		campaigns = max(campaigns, int(min(few/min(share, 1-share), many)))
	}
	s, err := New(WithService(service), WithoutControl(), WithJournal(0), WithUser(token, User{Generate: &Generate{Count: campaigns}}))
	if err != nil {
		return nil, Service{}, err
	}
	defer s.Close()
	memory := wire.NewMemoryListener()
	go s.Serve(memory)
	transport := &http.Transport{DialContext: memory.DialContext, DisableCompression: true}
	defer transport.CloseIdleConnections()
	service = s.Service()
	asker := &observe.Asker{
		BaseURL: &url.URL{Scheme: "http", Host: wire.MemoryHost, Path: "/api"}, Token: token, Transport: transport, Skip: c.Skip,
		Origin: c.Origin, KeepTexts: c.KeepTexts, Own: true, Shape: observe.ShapeOf(service),
	}
	view, err := asker.Observe(ctx)
	if err == nil {
		view.SetUnknownTokens(unknown)
	}
	return view, service, err
}

// Observed returns what the service has shown, as settings with their date, and, as
// accepted, what no setting can describe. What was observed before holds where this run
// was partial, or where something was skipped and nothing was seen; and a shape stays as it
// was written wherever it agrees with what was seen.
func (f *Findings) Observed(before Observed) (Observed, error) {
	o := Observed{At: f.At, Service: f.real.Service(f.statuses)}
	partial := len(f.Partial) > 0 && !before.At.IsZero()
	switch {
	case partial:
		o.Service = o.Service.Overlay(before.Service)
		o.At = before.At
	case len(f.comparison.Skip) > 0:
		o.Service = before.Service.Overlay(o.Service)
	default:
		o.Service = Service{}.Overlay(o.Service)
	}
	if !partial && !before.At.IsZero() {
		if ours, _, err := f.comparison.askFake(context.Background(), before.Service); err == nil {
			o.Service = observe.Keep(ours, f.real, before.Service, o.Service)
		}
	}
	learnt, service, err := f.comparison.askFake(context.Background(), o.Service)
	if err != nil {
		return Observed{}, fmt.Errorf("what was seen cannot be settings: %w", err)
	}
	for _, a := range before.Accepted {
		if partial || observe.Skipped(a.Path, f.comparison.Skip) {
			o.Accepted = append(o.Accepted, a)
		}
	}
	for _, found := range observe.Compare(learnt, f.real, service.Statuses, seenAt(o.Accepted)) {
		isKept := slices.ContainsFunc(o.Accepted, func(a Accepted) bool { return a.Path == found.Setting })
		if (found.Verdict == observe.Differs || found.Verdict == observe.Warning || found.Accept) && !isKept && found.Note != observe.SeenOnce {
			o.Accepted = append(o.Accepted, Accepted{Path: found.Setting, Seen: found.Seen, Why: cmp.Or(found.Note, "no setting describes it")})
		}
	}
	return o, nil
}

// A Runner is a test that has subtests and can be skipped, as *testing.T is.
type Runner[T any] interface {
	TB
	Run(name string, f func(t T)) bool
	Skipf(format string, args ...any)
}

// Conform compares a server with a real service, as Compare does, in a subtest for each
// setting: it fails if the setting differs, and logs warnings, which fail it, too, if the
// comparison is strict. The settings, and what is accepted, are those of the server.
// Without a token it skips the test, and logs why. The base URL and the token usually come
// from variables:
//
//	fake.Conform(t.Context(), t, srv, os.Getenv("STAGING_URL"), os.Getenv("STAGING_TOKEN"), fake.Comparison{})
//
// If there is no verdict, or something was not seen that was asked for, the test fails.
func Conform[T Runner[T]](ctx context.Context, t T, srv *Server, baseURL, token string, c Comparison) {
	t.Helper()
	if token == "" {
		t.Skipf("campaignfake: not compared with the real service: there is no token")
		return
	}
	c.Service, c.Settings, c.Accepted = srv.Service(), srv.Settings(), srv.engine.State.InForce().Accepted
	findings, err := Compare(ctx, baseURL, token, c)
	if err != nil {
		t.Fatalf("campaignfake: %v", err)
		return
	}
	for _, f := range findings.List {
		t.Run(f.Setting, func(t T) {
			t.Helper()
			if f.Verdict == observe.Differs || c.Strict && f.Verdict == observe.Warning {
				t.Errorf("campaignfake: %s", f)
			} else if f.Verdict != observe.Agrees {
				t.Logf("campaignfake: %s", f)
			}
		})
	}
	for _, why := range findings.Partial {
		t.Errorf("campaignfake: not everything was compared: %s", why)
	}
	for path, secret := range findings.Withheld {
		t.Logf("campaignfake: %s is left out, since it holds %s", path, secret)
	}
}

// String returns the finding on one line.
func (f Finding) String() string {
	text := fmt.Sprintf("%s %s", f.Setting, f.Verdict)
	if f.Verdict != observe.Agrees && f.Fake != "" && f.Real != "" {
		text += fmt.Sprintf(": the fake has %s, the service %s", f.Fake, f.Real)
	} else if f.Verdict != observe.Agrees && f.Real != "" {
		text += fmt.Sprintf(": the service has %s", f.Real)
	}
	if f.Note != "" {
		text += " (" + f.Note + ")"
	}
	if f.Write != nil {
		text += fmt.Sprintf("; write %s there", f.Write)
	}
	return text
}
