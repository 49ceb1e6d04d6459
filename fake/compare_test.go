package fake_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// realToken is the token of the services in these tests.
const realToken = "sesame-Zx81Qk-open-the-list"

// targetAt returns the service at a base URL.
func targetAt(base string) fake.Target {
	return fake.Target{BaseURL: base, Token: realToken, Origin: "https://app.example"}
}

// compareWith compares a server with the service at a base URL.
func compareWith(t *testing.T, srv *fake.Server, base string) *fake.Difference {
	t.Helper()
	difference, err := fake.Compare(t.Context(), srv, targetAt(base))
	if err != nil {
		t.Fatal(err)
	}
	return difference
}

// withFile returns a server that has a file of fixtures.
func withFile(t *testing.T, text string) *fake.Server {
	t.Helper()
	return fake.NewTestServer(t, fake.WithFixtures(fstest.MapFS{"own.yaml": {Data: []byte(text)}}))
}

// like returns the base URL of a server that has settings, and campaigns for realToken.
func like(t *testing.T, service fixtures.Service, count int) string {
	t.Helper()
	user := fixtures.User{Generate: &fixtures.Generate{Count: count}}
	return fake.NewTestServer(t, fake.WithLenient(), fake.WithLogger(nil),
		fake.WithService(service), fake.WithUser(realToken, user)).BaseURL()
}

// pick draws one of the values.
func pick[T any](draw *rand.Rand, values ...T) T { return values[draw.IntN(len(values))] }

// anyResponse draws a response whose status is at least the given status.
func anyResponse(draw *rand.Rand, status int) fixtures.Response {
	response := fixtures.Response{Status: status + draw.IntN(4)}
	switch draw.IntN(5) {
	case 0:
		response.Body = pick(draw, "no", "never", "at 12:30:59", "\u202e\x7f\u0085🚀")
	case 1:
		response.Body = map[string]any{
			"error": map[string]any{"code": draw.IntN(99), "at": "2025-01-05T09:30:00Z"},
			"list":  []any{1, "a"},
		}
	case 2:
		realm := pick(draw, "a", "b")
		response.Headers = http.Header{"Www-Authenticate": {`Bearer realm="` + realm + `"`}}
	case 3:
		response = fixtures.Response{
			Status:  302,
			Headers: http.Header{"Location": {"/login"}},
			Body:    strings.Repeat("<p>Sign in</p>", draw.IntN(99)),
		}
	}
	return response
}

// anySettings draws settings.
func anySettings(draw *rand.Rand) fixtures.Service {
	withCharset := http.Header{"Content-Type": {"application/json; charset=utf-8"}}
	s := fixtures.Service{
		Seed:          draw.Uint64(),
		UnknownTokens: pick(draw, "", "generate", "reject"),
		IDs: pick(draw, "uuid", "sequence", "cmp_########", "#", "####", "2024-####",
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

// For any settings of a service, a fake with the observed settings does the same, and so does a
// fake with only the settings that differ. The printed observation loads as a file.
func TestObservedSettingsAreTrue(t *testing.T) {
	t.Parallel()
	draw := rand.New(rand.NewPCG(1, 2))
	for i := range 20 {
		service := anySettings(draw)
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			base := like(t, service, 1+i%10)
			observed, err := fake.Observe(t.Context(), targetAt(base))
			if err != nil {
				t.Fatal(err)
			}
			differing := compareWith(t, fake.NewTestServer(t), base).Service
			for name, srv := range map[string]*fake.Server{
				"the service": fake.NewTestServer(t, fake.WithService(service)),
				"observed":    fake.NewTestServer(t, fake.WithService(observed.Service)),
				"printed":     withFile(t, observed.YAML),
				"differing":   fake.NewTestServer(t, fake.WithService(differing)),
			} {
				d := compareWith(t, srv, base)
				if d.YAML != "" || len(d.NotSeen) > 0 || len(d.Names) > 0 {
					t.Errorf("%s differs:\n%s%q\nobserved is\n%s",
						name, d.YAML, d.NotSeen, observed.YAML)
				}
			}
		})
	}
}

// Each difference has a name, by which Skip leaves it out.
func TestCompareNamesWhatDiffers(t *testing.T) {
	t.Parallel()
	base := like(t, fixtures.Service{Timestamps: "unix", Extra: map[string]any{"id": 7}}, 20)
	other := fixtures.Responses{MissingToken: fixtures.Response{Status: 403}}
	srv := fake.NewTestServer(t, fake.WithService(fixtures.Service{Responses: other}))
	for skip, want := range map[string]string{
		"": "types timestamps responses.missing_token.status " +
			"responses.missing_token.body",
		"responses timestamps":       "types",
		"types timestamps responses": "",
	} {
		target := targetAt(base)
		target.Skip = strings.Fields(skip)
		d, err := fake.Compare(t.Context(), srv, target)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(d.Names, " "); got != want || (d.YAML == "") != (want == "") {
			t.Errorf("without %q, %q differ, want %q:\n%s", skip, got, want, d.YAML)
		}
	}
}

// Check reports all mistakes in a target at once, without its password.
func TestTargetsThatAreNotSafe(t *testing.T) {
	t.Parallel()
	if err := targetAt("https://example.com").Check(); err != nil {
		t.Error(err)
	}
	err := fake.Target{
		BaseURL: "https://me:hunter2@localhost/api",
		Token:   "two words",
		Origin:  "localhost:5173",
		Skip:    []string{"statusses"},
	}.Check()
	expect(t, fmt.Sprint(err),
		"the token cannot be sent; give it alone, in visible ASCII characters without spaces",
		"without a user",
		"write one as browsers send it, as http://localhost:5173",
		`nothing that is compared is called "statusses"; did you mean statuses?`)
	if strings.Contains(fmt.Sprint(err), "hunter2") {
		t.Errorf("the error is %v", err)
	}
}

// A comparison leaves no trace in the server: in its journal, its users or its settings. The result
// shares nothing with the settings.
func TestCompareChangesNothing(t *testing.T) {
	t.Parallel()
	mine := map[string]any{"client": map[string]any{"name": "mine"}}
	srv := fake.NewTestServer(t,
		fake.WithUser(realToken, scripted(fixtures.Reply{Status: 503})),
		fake.WithService(fixtures.Service{Extra: mine}))
	theirs := map[string]any{"client": map[string]any{}, "budget": 7}
	d := compareWith(t, srv, like(t, fixtures.Service{Extra: theirs}, 1))
	d.Service.Extra["client"].(map[string]any)["name"] = "theirs"
	if got := fmt.Sprint(srv.Service().Extra); got != "map[client:map[name:mine]]" {
		t.Errorf("the server has %s", got)
	}
	if requests := srv.Requests(); len(requests) != 0 {
		t.Errorf("the journal has %v", requests)
	}
	expectStatuses(t, srv, realToken, "503")
}

// A server that holds its answers, that accepts any token, or that has an upstream, is compared as
// if it did not.
func TestCompareOfServersThatDoMore(t *testing.T) {
	t.Parallel()
	base := like(t, fixtures.Service{CORS: []string{"local"}}, 1)
	more := fixtures.Service{
		Delay:         &fixtures.Delay{UntilReleased: true},
		UnknownTokens: "generate",
	}
	srv := fake.NewTestServer(t, fake.WithUpstream(newUpstream(t)), fake.WithService(more))
	if d := compareWith(t, srv, base); d.YAML != "" {
		t.Errorf("it differs:\n%s", d.YAML)
	}
}

// Conform fails the test if the server differs in a name that is not skipped. Without a token it
// skips the test.
func TestConform(t *testing.T) {
	t.Parallel()
	base := like(t, fixtures.Service{Timestamps: "unix"}, 3)
	conform := func(tb *recorder, base, token string, skip ...string) {
		fake.Conform(tb, fake.NewTestServer(t), base, token, skip...)
	}
	var differs, skips, empty, without recorder
	conform(&differs, base, realToken)
	want := `campaignfake: the fake (-) differs from the service (+), whose settings ` +
		`fake.WithService takes:
 service:
-  timestamps: "rfc3339"
+  timestamps: "unix"
`
	if got := differs.text(); got != want {
		t.Errorf("the test failed with\n%s, want\n%s", got, want)
	}
	conform(&skips, base, realToken, "timestamps")
	conform(&empty, like(t, fixtures.Service{}, 0), realToken)
	if skips.Failed() || empty.Failed() || len(empty.logged) != 1 {
		t.Errorf("the tests failed with %q and %q, and the log has %q",
			skips.text(), empty.text(), empty.logged)
	}
	conform(&without, base, "")
	if without.Failed() || !without.Skipped() || skips.Skipped() {
		t.Errorf("without a token, the test failed with %q", without.text())
	}
	told := ended(t, func(tb *recorder) { conform(tb, "http://example.com", realToken) })
	expect(t, told, "neither HTTPS nor on this machine")
}
