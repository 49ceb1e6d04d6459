package compare_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"example.com/campaignfake/fake/internal/ask"
	"example.com/campaignfake/fake/internal/compare"
	"example.com/campaignfake/fixtures"
)

const (
	token  = "sesame-Zx81Qk-open-the-list" // of the service
	origin = "https://app.example"
)

// A service has the answers to what both sides are asked. The nil ones are those that the fake
// gives in these tests, so that a test names what differs alone.
type service struct {
	list, missing, invalid, notFound http.HandlerFunc
	preflight                        http.HandlerFunc
}

// says returns an answer that has a body.
func says(status int, contentType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		w.WriteHeader(status)
		fmt.Fprint(w, body)
	}
}

// lists returns an answer that is a list of campaigns.
func lists(campaigns ...string) http.HandlerFunc {
	return says(200, "application/json", `{"campaigns":[`+strings.Join(campaigns, ",")+`]}`)
}

const (
	oneCampaign = `{"id":"0b7b6c1e-9f0a-4e55-8c1d-5d0f7c0e4a11","name":"N",
		"created_at":"2025-01-05T09:30:00Z","updated_at":"2025-01-05T09:30:00Z","status":"active"}`
	refusalBody = `{"message":"Unauthenticated."}`
)

func (s service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	answer := func(own, usual http.HandlerFunc) {
		if own == nil {
			own = usual
		}
		own(w, r)
	}
	given := r.Header.Get("Authorization")
	w.Header().Set("Access-Control-Allow-Origin", "*")
	w.Header().Set("Access-Control-Allow-Headers", "authorization")
	switch {
	case r.URL.Path != "/api/user/campaigns":
		answer(s.notFound, says(404, "application/json", `{"message":"Not found."}`))
	case r.Method == http.MethodOptions:
		answer(s.preflight, says(204, "", ""))
	case given == "":
		answer(s.missing, says(401, "application/json", refusalBody))
	case given != "Bearer "+token:
		answer(s.invalid, says(401, "application/json", refusalBody))
	default:
		answer(s.list, lists(oneCampaign))
	}
}

// endpoint returns where a handler is asked, until the test ends.
func endpoint(t *testing.T, handler http.Handler) ask.Endpoint {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	base, err := url.Parse(server.URL + "/api")
	if err != nil {
		t.Fatal(err)
	}
	return ask.Endpoint{BaseURL: base, Token: token, Transport: ask.NewTransport()}
}

// comparison returns one with the settings that hold where none are given.
func comparison() *compare.Comparison {
	inForce := fixtures.DefaultService()
	inForce.UnknownTokens = fixtures.UnknownTokensReject
	return &compare.Comparison{InForce: &inForce, Origin: origin}
}

// A result is what a comparison has found.
type result struct {
	findings []compare.Finding
	settings fixtures.Service
}

// run compares a service with a fake that has the usual answers.
func run(t *testing.T, c *compare.Comparison, real http.Handler) result {
	t.Helper()
	findings, settings, err := c.Run(t.Context(), endpoint(t, real), endpoint(t, service{}))
	if err != nil {
		t.Fatal(err)
	}
	return result{findings, settings}
}

// called returns the finding with a name.
func (r result) called(t *testing.T, name string) compare.Finding {
	t.Helper()
	for _, f := range r.findings {
		if f.Name == name {
			return f
		}
	}
	t.Fatalf("there is no finding %s in %+v", name, r.findings)
	return compare.Finding{}
}

// differing returns the names of findings that are not the same on both sides, with their verdicts.
func (r result) differing() []string {
	var names []string
	for _, f := range r.findings {
		if f.Verdict != compare.Same {
			names = append(names, f.Verdict+": "+f.Name)
		}
	}
	return names
}

// written returns settings as JSON.
func written(t *testing.T, settings fixtures.Service) string {
	t.Helper()
	text, err := json.Marshal(settings)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestRunFindsNothingBetweenTheSameAnswers(t *testing.T) {
	t.Parallel()
	r := run(t, comparison(), service{})
	if got := r.differing(); len(got) > 0 {
		t.Errorf("found %q", got)
	}
	if got := written(t, r.settings); got != "{}" {
		t.Errorf("there is something to write: %s", got)
	}
	var names []string
	for _, f := range r.findings {
		names = append(names, f.Name)
	}
	want := "success.status success.headers answer types ids timestamps statuses extra omit " +
		"null order " +
		"responses.missing_token.status responses.missing_token.headers " +
		"responses.missing_token.body unknown_tokens " +
		"responses.invalid_token.status responses.invalid_token.headers " +
		"responses.invalid_token.body " +
		"responses.not_found.status responses.not_found.headers responses.not_found.body cors"
	if got := strings.Join(names, " "); got != want {
		t.Errorf("the findings are\n%s, want\n%s", got, want)
	}
}

func TestRunReturnsDifferencesFirst(t *testing.T) {
	t.Parallel()
	limited := says(429, "text/plain", "slow down")
	r := run(t, comparison(), service{
		list: lists(`{"id":"7","name":"N","created_at":"2025-01-05T09:30:00Z",` +
			`"status":"active"}`),
		notFound: limited,
	})
	want := []string{
		"differs: ids", "note: omit",
		"not seen: responses.not_found.status", "not seen: responses.not_found.headers",
		"not seen: responses.not_found.body", "not seen: cors",
	}
	if got := r.differing(); !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
	if got := written(t, r.settings); got != `{"omit":["updated_at"],"ids":"sequence"}` {
		t.Errorf("to be written are %s", got)
	}
}

func TestRunSkipsByName(t *testing.T) {
	t.Parallel()
	different := service{
		list: lists(`{"id":"7","name":"N","created_at":"2025-01-05",` +
			`"updated_at":"2025-01-05","status":"active"}`),
		missing:  says(403, "text/plain", "no"),
		notFound: says(410, "application/json", `{"message":"Not found."}`),
	}
	for _, tt := range []struct {
		name string
		skip []string
		want string
	}{
		{"a name", []string{"ids"}, "timestamps missing_token.status missing_token.headers " +
			"missing_token.body not_found.status"},
		{
			name: "what names begin with",
			skip: []string{"timestamps", "responses.missing_token"},
			want: "ids not_found.status",
		},
		{"all responses", []string{"responses"}, "ids timestamps"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := comparison()
			c.Skip = tt.skip
			got := strings.Join(run(t, c, different).differing(), " ")
			got = strings.NewReplacer("differs: ", "", "responses.", "").Replace(got)
			if got != tt.want {
				t.Errorf("found %s, want %s", got, tt.want)
			}
		})
	}
}

func TestCheckSkip(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		skip []string
		want string // "" if nothing is wrong
	}{
		{"nothing", nil, ""},
		{"names", []string{"ids", "cors", "responses.not_found.body"}, ""},
		{"what names begin with", []string{"responses", "responses.not_found", "success"}, ""},
		{"a misspelt name", []string{"ids", "statusses"},
			`no finding to skip is called "statusses"; did you mean statuses?`},
		{"no whole word", []string{"responses."},
			`no finding to skip is called "responses."; did you mean responses?`},
		{"two of nothing", []string{"budget", "Statuses"},
			`no finding to skip is called "budget"; write one of success, success.status, ` +
				`success.headers, ` +
				"answer, types, ids, timestamps, statuses, extra, omit, null, order, responses, " +
				"responses.missing_token, responses.missing_token.status, " +
				"responses.missing_token.headers, " +
				"responses.missing_token.body, unknown_tokens, responses.invalid_token, " +
				"responses.invalid_token.status, responses.invalid_token.headers, " +
				"responses.invalid_token.body, responses.not_found, responses.not_found.status, " +
				"responses.not_found.headers, responses.not_found.body, cors\n" +
				`no finding to skip is called "Statuses"; did you mean statuses?`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := ""
			err := compare.CheckSkip(tt.skip)
			if err != nil {
				got = err.Error()
			}
			if got != tt.want {
				t.Errorf("the error is\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

func TestRunComparesCORSForAnOriginAlone(t *testing.T) {
	t.Parallel()
	c := comparison()
	c.Origin = ""
	real := &listener{
		Handler: service{preflight: says(401, "", "")},
		remotes: make(map[string]bool),
	}
	for _, f := range run(t, c, real).findings {
		if f.Name == "cors" {
			t.Errorf("found %+v", f)
		}
	}
	// the list is asked for as by a page
	want := "GET /api/user/campaigns sesame http://localhost:5173"
	if !slices.Contains(real.requests, want) {
		t.Errorf("it asked %q, want also %q", real.requests, want)
	}
}

// Settings that were given are to be changed where that was done, and are not written elsewhere.
func TestRunNamesThePlacesOfSettings(t *testing.T) {
	t.Parallel()
	real := service{
		list: lists(`{"id":"7","name":"N","created_at":"2025-01-05","updated_at":null,` +
			`"status":"active","budget":1}`),
		missing: func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("WWW-Authenticate", "Basic")
			says(401, "text/plain", "no")(w, r)
		},
	}
	c := comparison()
	c.Places = map[string]fixtures.Place{
		"timestamps":                   {File: "own.yaml", Line: 1, Column: 1},
		"extra":                        {File: "own.yaml", Line: 2, Column: 1},
		"responses.missing_token.body": {File: "own.yaml", Line: 3, Column: 1},
	}
	r := run(t, c, real)
	for name, want := range map[string]string{
		"ids": "", "timestamps": "own.yaml:1:1", "extra": "own.yaml:2:1", "null": "own.yaml:2:1",
		"responses.missing_token.headers": "", "responses.missing_token.body": "own.yaml:3:1",
	} {
		remedy := r.called(t, name).Remedy
		action := compare.Change
		if want == "" {
			action = compare.Write
		}
		if remedy.Action != action || remedy.Place.String() != want {
			t.Errorf("%s: the remedy is %+v, want %s at %q", name, remedy, action, want)
		}
	}
	want := `{"ids":"sequence","responses":{"missing_token":{"headers":` +
		`{"Content-Type":"text/plain","WWW-Authenticate":"Basic"}}}}`
	if got := written(t, r.settings); got != want {
		t.Errorf("to be written are %s, want %s", got, want)
	}
	got := written(t, r.called(t, "responses.missing_token.body").Remedy.Settings)
	if strings.Contains(got, "headers") {
		t.Errorf("the settings for the body have those for headers: %s", got)
	}
}

// The status with which the fake sends its list is a setting, which can be wrong in any way.
func TestRunComparesTheStatusOfTheFake(t *testing.T) {
	t.Parallel()
	for _, status := range []int{302, 401, 429, 500, 503} {
		c := comparison()
		place := fixtures.Place{File: "f.yaml", Line: 1, Column: 29}
		c.Places = map[string]fixtures.Place{"success.status": place}
		wrong := service{list: says(status, "application/json", `{"campaigns":[`+oneCampaign+`]}`)}
		findings, settings, err := c.Run(t.Context(), endpoint(t, service{}), endpoint(t, wrong))
		if err != nil {
			t.Fatal(err)
		}
		r := result{findings, settings}
		differing := r.differing()
		if !slices.Equal(differing, []string{"differs: success.status"}) {
			t.Errorf("of a fake that sends %d, these differ: %q", status, differing)
		}
		f := r.called(t, "success.status")
		if f.Service != "200" || f.Fake != fmt.Sprint(status) || f.Remedy.Place != place {
			t.Errorf("found %+v", f)
		}
	}
}

// A setting that the service does without is to be taken away.
func TestRunSaysWhatIsToBeTakenAway(t *testing.T) {
	t.Parallel()
	c := comparison()
	c.Places = map[string]fixtures.Place{
		"omit":  {File: "own.yaml", Line: 1, Column: 1},
		"extra": {File: "own.yaml", Line: 2, Column: 1},
	}
	r := runWithFakeThatOmits(t, c)
	for name, want := range map[string]string{
		"omit":  "own.yaml:1:1",
		"extra": "own.yaml:2:1",
		"null":  "own.yaml:2:1",
	} {
		f := r.called(t, name)
		if f.Remedy.Action != compare.Remove || f.Remedy.Place.String() != want {
			t.Errorf("found %+v, want that the setting at %s is removed", f, want)
		}
	}
	if got := written(t, r.settings); got != "{}" {
		t.Errorf("to be written are %s", got)
	}
}

// runWithFakeThatOmits compares the usual service with a fake whose campaigns have a field less, a
// null and a field more.
func runWithFakeThatOmits(t *testing.T, c *compare.Comparison) result {
	t.Helper()
	omits := service{list: lists(`{"id":"0b7b6c1e-9f0a-4e55-8c1d-5d0f7c0e4a11","name":null,
		"status":"active","updated_at":"2025-01-05T09:30:00Z","budget":1}`)}
	findings, settings, err := c.Run(t.Context(), endpoint(t, service{}), endpoint(t, omits))
	if err != nil {
		t.Fatal(err)
	}
	return result{findings, settings}
}

// Where no setting makes the fake differ, none can be taken away, and the default is not written.
func TestRunWritesNoDefaults(t *testing.T) {
	t.Parallel()
	r := runWithFakeThatOmits(t, comparison())
	for _, name := range []string{"omit", "extra", "null"} {
		if f := r.called(t, name); f.Remedy.Action != compare.NoSetting {
			t.Errorf("found %+v, want that no setting can say it", f)
		}
	}
}

// Settings that are right alone may be wrong together: an answer with 304 has no body.
func TestRunWritesWhatIsRightTogether(t *testing.T) {
	t.Parallel()
	r := run(t, comparison(), service{missing: says(304, "text/plain", "")})
	if err := r.settings.Check(); err != nil {
		t.Errorf("the settings cannot be used: %v", err)
	}
	if f := r.called(t, "responses.missing_token.status"); f.Remedy.Action != compare.Write {
		t.Errorf("no setting says the status: %+v", f)
	}
	if f := r.called(t, "responses.missing_token.body"); f.Remedy.Action != compare.NoSetting {
		t.Errorf("settings for no body are to be written: %+v", f)
	}
}
