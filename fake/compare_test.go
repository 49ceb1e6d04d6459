package fake_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// realToken is the token of the services in these tests.
const realToken = "sesame-Zx81Qk-open-the-list"

// compareWith compares a server with the service at a base URL.
func compareWith(t *testing.T, srv *fake.Server, base string) *fake.Comparison {
	t.Helper()
	target := fake.Target{BaseURL: base, Token: realToken, Origin: "https://app.example"}
	result, err := fake.Compare(t.Context(), srv, target)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// expectVerdicts checks the verdicts that are not "same".
func expectVerdicts(t *testing.T, result *fake.Comparison, want map[string]string) {
	t.Helper()
	got := make(map[string]string)
	for _, f := range result.Findings {
		if f.Verdict != fake.VerdictSame {
			got[f.Name] = f.Verdict
		}
	}
	if !maps.Equal(got, want) {
		t.Errorf("found %v, want %v", got, want)
		for _, f := range result.Findings {
			t.Log(f)
		}
	}
}

// inFile returns settings as a file of fixtures.
func inFile(t *testing.T, settings fixtures.Service) string {
	t.Helper()
	text, err := json.MarshalIndent(settings, "  ", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return "service:\n  " + string(text) + "\n"
}

// withFile returns a server that has a file of fixtures.
func withFile(t *testing.T, text string) *fake.Server {
	t.Helper()
	return fake.NewTestServer(t, fake.WithFixtures(fstest.MapFS{"own.yaml": {Data: []byte(text)}}))
}

// agrees checks that a server which has the settings that were found agrees with the service:
// nothing differs any more, but for what has no setting.
func agrees(t *testing.T, base string, found *fake.Comparison, except ...string) {
	t.Helper()
	srv := withFile(t, inFile(t, found.Settings))
	for _, f := range compareWith(t, srv, base).Findings {
		if f.Verdict == fake.VerdictDiffers && !slices.Contains(except, f.Name) {
			t.Errorf("with what was written: %v", f)
		}
	}
}

// like returns the base URL of a server that has settings, and campaigns for realToken.
func like(t *testing.T, service fixtures.Service, count int) string {
	t.Helper()
	user := fixtures.User{Generate: &fixtures.Generate{Count: count}}
	return fake.NewTestServer(t, fake.WithLenient(), fake.WithLogger(nil),
		fake.WithService(service), fake.WithUser(realToken, user)).BaseURL()
}

// pick returns one of some values.
func pick[T any](draw *rand.Rand, values ...T) T { return values[draw.IntN(len(values))] }

// anyResponse draws a response whose status is at least one.
func anyResponse(draw *rand.Rand, status int) fixtures.Response {
	response := fixtures.Response{Status: status + draw.IntN(4)}
	switch draw.IntN(4) {
	case 0:
		response.Body = "refused: " + pick(draw, "no", "never")
	case 1:
		response.Body = map[string]any{
			"error": map[string]any{"code": draw.IntN(99), "at": "2025-01-05T09:30:00Z"},
			"list":  []any{1, "a"},
		}
	case 2:
		realm := pick(draw, "a", "b")
		response.Headers = http.Header{"Www-Authenticate": {`Bearer realm="` + realm + `"`}}
	}
	return response
}

// anySettings draws settings.
func anySettings(draw *rand.Rand) fixtures.Service {
	withCharset := http.Header{"Content-Type": {"application/json; charset=utf-8"}}
	s := fixtures.Service{
		Seed:          draw.Uint64(),
		UnknownTokens: pick(draw, "", "generate", "reject"),
		IDs: pick(draw, "uuid", "sequence", "cmp_########", "#", "####", "a#b##", "2024-####",
			"x"+strings.Repeat("#", 18)),
		Timestamps: pick(draw, "rfc3339", "rfc3339_millis", "rfc3339_micros", "sql", "unix",
			"unix_millis",
			"02.01.2006 15:04", "01/02/2006", time.RFC1123, time.RFC3339Nano,
			"2006-01-02T15:04:05-07:00"),
		Statuses: []string{
			"draft",
			pick(draw, "live", "on air", "läuft"),
			pick(draw, "done", "archived"),
		},
		CORS: pick(draw, nil, []string{"any"}, []string{"off"}, []string{"https://app.example"},
			[]string{"https://other.example"}),
		BasePath: pick(draw, "/api", "/v2/api", "/"),
		Success: fixtures.Response{
			Status:  pick(draw, 0, 200, 203, 206),
			Headers: pick(draw, nil, withCharset),
		},
		Responses: fixtures.Responses{
			MissingToken: anyResponse(draw, 400),
			InvalidToken: anyResponse(draw, 401),
			NotFound:     anyResponse(draw, 404),
			Default: fixtures.Response{
				Body: pick[any](draw, nil, "plain",
					map[string]any{"message": "{title}", "detail": "{detail}"}),
			},
		},
	}
	if draw.IntN(2) == 0 {
		s.Extra = map[string]any{
			"budget": draw.IntN(9),
			"owner":  "{firstname}",
			"tags":   []any{"{word}"},
			"limit":  nil,
		}
	}
	if draw.IntN(3) == 0 {
		s.Omit = []string{pick(draw, "id", "created_at", "status", "name")}
	}
	return s
}

// Whatever the settings are, a server that has the same finds no difference, and one that has none
// writes what agrees.
func TestCompareWithRandomSettings(t *testing.T) {
	t.Parallel()
	draw := rand.New(rand.NewPCG(1, 2))
	for i := range 40 {
		service := anySettings(draw)
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			own := service
			own.Seed++
			base := like(t, service, 1+i%10)
			result := compareWith(t, fake.NewTestServer(t, fake.WithService(own)), base)
			expectVerdicts(t, result, map[string]string{})
			if text := inFile(t, result.Settings); text != "service:\n  {}\n" {
				t.Errorf("there is something to write:\n%s", text)
			}
			agrees(t, base, compareWith(t, fake.NewTestServer(t), base))
			if t.Failed() {
				t.Logf("%+v", service)
			}
		})
	}
}

func TestCompareFindsEachDifferenceAndOnlyThat(t *testing.T) {
	t.Parallel()
	const differs, note = fake.VerdictDiffers, fake.VerdictNote
	contentType := func(value string) http.Header { return http.Header{"Content-Type": {value}} }
	success := func(r fixtures.Response) fixtures.Service { return fixtures.Service{Success: r} }
	invalidToken := func(r fixtures.Response) fixtures.Service {
		return fixtures.Service{Responses: fixtures.Responses{InvalidToken: r}}
	}
	notFound := func(r fixtures.Response) fixtures.Service {
		return fixtures.Service{Responses: fixtures.Responses{NotFound: r}}
	}
	for _, tt := range []struct {
		name    string
		service fixtures.Service
		verdict string
		wrote   string // "" if no setting can say it
	}{
		{
			name:    "success.status",
			service: success(fixtures.Response{Status: 206}),
			verdict: differs,
			wrote:   `{"success":{"status":206}}`,
		},
		{"success.headers", success(fixtures.Response{Headers: contentType("text/json")}), differs,
			`{"success":{"headers":{"Content-Type":"text/json"}}}`},
		{"types", fixtures.Service{Extra: map[string]any{"id": 7}}, differs, ``},
		{"ids", fixtures.Service{IDs: "cmp_########"}, differs, `{"ids":"cmp_########"}`},
		{
			name:    "timestamps",
			service: fixtures.Service{Timestamps: "rfc3339_millis"},
			verdict: differs,
			wrote:   `{"timestamps":"rfc3339_millis"}`,
		},
		{
			name:    "statuses",
			service: fixtures.Service{Statuses: []string{"draft", "live"}},
			verdict: differs,
			wrote:   `{"statuses":["draft","live"]}`,
		},
		{"extra", fixtures.Service{Extra: map[string]any{"budget": 1200, "owner": "Ann"}}, differs,
			`{"extra":{"budget":0,"owner":""}}`},
		{"omit", fixtures.Service{Omit: []string{"updated_at"}}, note, `{"omit":["updated_at"]}`},
		{
			name:    "null",
			service: fixtures.Service{Extra: map[string]any{"updated_at": nil}},
			verdict: note,
			wrote:   `{"extra":{"updated_at":null}}`,
		},
		{
			name:    "unknown_tokens",
			service: fixtures.Service{UnknownTokens: "generate"},
			verdict: differs,
			wrote:   `{"unknown_tokens":"generate"}`,
		},
		{
			name:    "responses.invalid_token.headers",
			service: invalidToken(fixtures.Response{Headers: http.Header{}}),
			verdict: differs,
			wrote: `{"responses":{"invalid_token":{"headers":` +
				`{"Content-Type":"application/problem+json"}}}}`,
		},
		{"responses.not_found.body", notFound(fixtures.Response{
			Headers: contentType("application/problem+json"),
			Body:    map[string]any{"error": "no"},
		}), differs, `{"responses":{"not_found":{` +
			`"headers":{"Content-Type":"application/problem+json"},"body":{"error":"no"}}}}`},
		{
			name:    "cors",
			service: fixtures.Service{CORS: []string{"https://other.example"}},
			verdict: differs,
			wrote:   `{"cors":["off"]}`,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			base := like(t, tt.service, 20)
			result := compareWith(t, fake.NewTestServer(t), base)
			expectVerdicts(t, result, map[string]string{tt.name: tt.verdict})
			text, err := json.Marshal(result.Settings)
			if err != nil {
				t.Fatal(err)
			}
			want := tt.wrote
			if want == "" {
				want = "{}"
			}
			if string(text) != want {
				t.Errorf("wrote %s, want %s", text, want)
			}
			if tt.wrote == "" {
				agrees(t, base, result, tt.name)
			} else {
				agrees(t, base, result)
			}
		})
	}
}

// Statuses that somebody has listed are not taken away because they are not seen.
func TestCompareAddsToListedStatuses(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t,
		fake.WithService(fixtures.Service{Statuses: []string{"live", "done"}}))
	base := like(t, fixtures.Service{Statuses: []string{"active"}}, 1)
	want := "differs: statuses: also active; the fake: those of live, done; " +
		"change the setting at fake.WithService, as in " +
		`fake.WithService(fixtures.Service{Statuses: []string{"live", "done", "active"}})`
	if got := compareWith(t, srv, base).Findings[0].String(); got != want {
		t.Errorf("found %s, want %s", got, want)
	}
}

// Settings that a server was given are changed where that was done. The others stand beside.
func TestCompareSaysWhereToChangeWhatIsGiven(t *testing.T) {
	t.Parallel()
	const own = `service:
  timestamps: sql
  responses:
    missing_token: {status: 403}
    default: {body: no}
  extra: {budget: text}
  omit: [name]
`
	base := like(t, fixtures.Service{
		Timestamps: "unix", IDs: "sequence", Extra: map[string]any{"budget": 1, "id": 7},
	}, 5)
	result := compareWith(t, withFile(t, own), base)
	found := make(map[string]string)
	for _, f := range result.Findings {
		found[f.Name] = f.String()
	}
	for name, want := range map[string]string{
		"timestamps": `; change the setting at own.yaml:2:3, as in fake.WithService(` +
			`fixtures.Service{Timestamps: "unix"})`,
		"responses.missing_token.status": `; change the setting at own.yaml:4:21, as in ` +
			`fake.WithService(` +
			`fixtures.Service{Responses: fixtures.Responses{MissingToken: ` +
			`fixtures.Response{Status: 401}}})`,
		"extra": `; change the setting at own.yaml:6:3, as in fake.WithService(` +
			`fixtures.Service{Extra: map[string]any{"budget": 0}})`,
		"omit":  `; take the setting away at own.yaml:7:3`,
		"types": `; no setting can say it; the Campaigns of a user can, or the Body of a reply`,
		"responses.not_found.headers": `; write fake.WithService(` +
			`fixtures.Service{Responses: fixtures.Responses{NotFound: fixtures.Response{` +
			`Headers: http.Header{"Content-Type": {"application/problem+json"}}}}})`,
		"responses.not_found.body": `; left out: detail (repeats the request)`,
		"success.status":           `same: success.status: 200`,
	} {
		if !strings.HasSuffix(found[name], want) {
			t.Errorf("found %q, want %q at its end", found[name], want)
		}
	}
	both := fstest.MapFS{
		"own.yaml":   {Data: []byte(own)},
		"found.yaml": {Data: []byte(inFile(t, result.Settings))},
	}
	again := compareWith(t, fake.NewTestServer(t, fake.WithFixtures(both)), base)
	expectVerdicts(t, again, map[string]string{
		"timestamps": "differs", "responses.missing_token.status": "differs", "extra": "differs",
		"types": "differs", "omit": "note",
	})
}

func TestCompareRefusesTargetsThatAreNotSafe(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, base, token, want string }{
		{"no HTTPS", "http://example.com/api", realToken, "neither HTTPS nor on this machine"},
		{"a password", "https://me:hunter2hunter2@localhost/api", realToken, "without a user"},
		{"no token", "https://example.com", "", "the token cannot be sent"},
		{"two words", "https://example.com", "two words", "the token cannot be sent"},
		{"a line", "https://example.com", "line\n", "the token cannot be sent"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			target := fake.Target{BaseURL: tt.base, Token: tt.token}
			_, err := fake.Compare(t.Context(), fake.NewTestServer(t), target)
			if err == nil || !strings.Contains(err.Error(), tt.want) ||
				strings.Contains(err.Error(), "hunter2") {
				t.Errorf("the error is %v, want %q", err, tt.want)
			}
		})
	}
	good := fake.Target{
		BaseURL: "https://example.com",
		Token:   realToken,
		Origin:  "https://app.example",
	}
	if err := good.Check(); err != nil {
		t.Error(err)
	}
}

// All that is wrong with a target is said at once.
func TestCompareSaysEachMistakeOfATarget(t *testing.T) {
	t.Parallel()
	target := fake.Target{BaseURL: "example.com/api", Token: "two words", Origin: "localhost:5173"}
	_, err := fake.Compare(t.Context(), fake.NewTestServer(t), target)
	for _, want := range []string{
		"the token cannot be sent; give it alone, in visible ASCII characters without spaces\n",
		"\nthe base URL cannot be used; write one as https://example.com/api, ",
		`"localhost:5173"`,
		"write one as browsers send it, as http://localhost:5173",
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, want also %q", err, want)
		}
	}
}

// A comparison is not seen by the server: neither in its journal, nor by its users.
func TestCompareChangesNothing(t *testing.T) {
	t.Parallel()
	user := fixtures.User{Replies: []fixtures.Reply{{Status: 503}}}
	srv := fake.NewTestServer(t, fake.WithUser(realToken, user), fake.WithLenient())
	compareWith(t, srv, like(t, fixtures.Service{}, 1))
	if requests := srv.Requests(); len(requests) != 0 {
		t.Errorf("the journal has %v", requests)
	}
	request, err := http.NewRequest(http.MethodGet, srv.BaseURL()+"/user/campaigns", nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+realToken)
	response, err := srv.Client().Do(request)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != 503 {
		t.Errorf("the next answer is %d, want the reply of the user", response.StatusCode)
	}
}

// A server that holds its answers, and one that accepts any token, shows what it would do without.
func TestCompareWithoutDelaysAndUnknownTokens(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithService(fixtures.Service{
		Delay:         &fixtures.Delay{UntilReleased: true},
		UnknownTokens: "generate",
	}))
	expectVerdicts(t, compareWith(t, srv, like(t, fixtures.Service{}, 1)), map[string]string{})
}

func TestCompareEndsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	target := fake.Target{BaseURL: like(t, fixtures.Service{}, 1), Token: realToken}
	_, err := fake.Compare(ctx, fake.NewTestServer(t), target)
	if err == nil {
		t.Error("a comparison that was called off has no error")
	}
}

func TestConform(t *testing.T) {
	t.Parallel()
	base := like(t, fixtures.Service{
		Timestamps: "unix",
		Omit:       []string{"name"},
		Responses: fixtures.Responses{
			NotFound: fixtures.Response{Status: 410, Body: json.RawMessage(`{"error":"no"}`)},
		},
	}, 3)
	var differs recorder
	fake.Conform(&differs, fake.NewTestServer(t), base, realToken)
	want := []string{
		`campaignfake: differs: timestamps: unix; the fake: rfc3339; write fake.WithService(` +
			`fixtures.Service{Timestamps: "unix"})`,
		`campaignfake: differs: responses.not_found.status: 410; the fake: 404; ` +
			`write fake.WithService(` +
			`fixtures.Service{Responses: fixtures.Responses{NotFound: ` +
			`fixtures.Response{Status: 410}}})`,
	}
	if len(differs.failures) != 4 || !slices.Equal(differs.failures[:2], want) {
		t.Errorf("the test failed with\n%q, want four, of which the first are\n%q",
			differs.failures, want)
	}
	note := "campaignfake: note: omit: name is missing; the fake: as documented; " +
		"write fake.WithService(" +
		`fixtures.Service{Omit: []string{"name"}})`
	if !slices.Equal(differs.logged, []string{note}) {
		t.Errorf("the log has %q, want %q", differs.logged, note)
	}

	var conforms recorder
	fake.Conform(&conforms, fake.NewTestServer(t), base, realToken, "timestamps",
		"responses.not_found")
	if conforms.Failed() || conforms.Skipped() {
		t.Errorf("what differs is skipped, and the test failed with %q %q",
			conforms.text(), conforms.skipped)
	}
	var skips recorder
	fake.Conform(&skips, fake.NewTestServer(t), base, "")
	if skips.Failed() || !skips.Skipped() {
		t.Errorf("without a token, the test failed with %q, and was skipped with %q",
			skips.text(), skips.skipped)
	}
	told := ended(t, func(tb *recorder) {
		fake.Conform(tb, fake.NewTestServer(t), "http://example.com", realToken)
	})
	if !strings.Contains(told, "neither HTTPS nor on this machine") {
		t.Errorf("the test failed with %q", told)
	}
	told = ended(t, func(tb *recorder) {
		fake.Conform(tb, fake.NewTestServer(t), base, realToken, "statusses")
	})
	if !strings.Contains(told, `no finding to skip is called "statusses"; did you mean statuses?`) {
		t.Errorf("the test failed with %q", told)
	}
}

// What a comparison returns can be changed: it is not what the server has.
func TestCompareReturnsCopies(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithService(fixtures.Service{
		Extra: map[string]any{"client": map[string]any{"name": "mine"}},
	}))
	base := like(t,
		fixtures.Service{Extra: map[string]any{"client": map[string]any{}, "budget": 7}}, 1)
	for _, f := range compareWith(t, srv, base).Findings {
		if f.Name == "extra" {
			client, isObject := f.Remedy.Settings.Extra["client"].(map[string]any)
			if !isObject || client["name"] != "mine" {
				t.Fatalf("the remedy has the client %v", f.Remedy.Settings.Extra["client"])
			}
			client["name"] = "theirs"
		}
	}
	kept, err := json.Marshal(srv.Service().Extra)
	if err != nil || string(kept) != `{"client":{"name":"mine"}}` {
		t.Errorf("the server has %s; %v", kept, err)
	}
}

// With an upstream, only pages on localhost may read, unless a setting says otherwise. That is what
// is compared.
func TestCompareCORSBesideAnUpstream(t *testing.T) {
	t.Parallel()
	base := like(t, fixtures.Service{CORS: []string{"local"}}, 20)
	srv := fake.NewTestServer(t, fake.WithUpstream(newUpstream(t)))
	expectVerdicts(t, compareWith(t, srv, base), map[string]string{})
}
