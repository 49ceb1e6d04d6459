package fake_test

import (
	"encoding/json"
	"fmt"
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

// pick returns one of some values.
func pick[T any](draw *rand.Rand, values ...T) T { return values[draw.IntN(len(values))] }

// anyResponse draws a response whose status is at least one.
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

// Whatever the settings of a service are, a fake with the settings that were observed does the
// same, and so does one with the settings that differ. What was observed loads as it is printed.
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

// Each setting that a service has is found, and nothing else.
func TestCompareFindsEachSetting(t *testing.T) {
	t.Parallel()
	responses := func(name fixtures.ResponseName, r fixtures.Response) (s fixtures.Service) {
		*s.Responses.Named(name) = r
		return s
	}
	noHeaders := fixtures.Response{Headers: http.Header{}}
	problemType := http.Header{
		"Content-Type":     {"application/problem+json"},
		"Www-Authenticate": {"Bearer"},
	}
	for name, service := range map[string]fixtures.Service{
		"success.status": {Success: fixtures.Response{Status: 206}},
		"success.headers": {Success: fixtures.Response{
			Headers: http.Header{"Content-Type": {"text/json"}},
		}},
		"types":                           {Extra: map[string]any{"id": 7}},
		"ids":                             {IDs: "cmp_########"},
		"timestamps":                      {Timestamps: "rfc3339_millis"},
		"statuses":                        {Statuses: []string{"draft", "live"}},
		"extra":                           {Extra: map[string]any{"budget": 1200, "status": nil}},
		"omit":                            {Omit: []string{"updated_at"}},
		"unknown_tokens":                  {UnknownTokens: "generate"},
		"cors":                            {CORS: []string{"https://other.example"}},
		"responses.invalid_token.headers": responses("invalid_token", noHeaders),
		"responses.missing_token.body": responses("missing_token", fixtures.Response{
			Body:    map[string]any{"error": "no"},
			Headers: problemType,
		}),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			base := like(t, service, 20)
			srv := fake.NewTestServer(t)
			d := compareWith(t, srv, base)
			if !slices.Equal(d.Names, []string{name}) {
				t.Fatalf("%q differ:\n%s", d.Names, d.YAML)
			}
			target := targetAt(base)
			target.Skip = d.Names
			skipped, err := fake.Compare(t.Context(), srv, target)
			if err != nil || skipped.YAML != "" {
				t.Errorf("it is skipped: %v\n%s", err, skipped.YAML)
			}
			adopted := fake.NewTestServer(t, fake.WithService(d.Service))
			again := compareWith(t, adopted, base)
			if len(again.Names) > 0 && name != "types" {
				t.Errorf("with what was found, it differs:\n%s", again.YAML)
			}
		})
	}
}

// All that is wrong with a target is said at once, without its password.
func TestTargetsThatAreNotSafe(t *testing.T) {
	t.Parallel()
	const badToken = "the token cannot be sent; " +
		"give it alone, in visible ASCII characters without spaces"
	for _, tt := range []struct {
		target fake.Target
		want   []string
	}{
		{targetAt("https://example.com"), nil},
		{fake.Target{BaseURL: "http://example.com/api", Token: ""},
			[]string{badToken, "neither HTTPS nor on this machine"}},
		{fake.Target{BaseURL: "https://me:hunter2@localhost/api", Token: "two words"},
			[]string{badToken, "without a user"}},
		{
			target: fake.Target{
				BaseURL: "example.com/api",
				Token:   "line\n",
				Origin:  "localhost:5173",
				Skip:    []string{"statusses"},
			},
			want: []string{
				badToken, "the base URL cannot be used; write one as https://example.com/api, ",
				`"localhost:5173"`, "write one as browsers send it, as http://localhost:5173",
				`nothing that is compared is called "statusses"; did you mean statuses?`,
			},
		},
	} {
		err := tt.target.Check()
		if (err == nil) != (tt.want == nil) {
			t.Errorf("the error is %v", err)
		}
		for _, want := range tt.want {
			if !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "hunter2") {
				t.Errorf("the error is %v, want also %q", err, want)
			}
		}
	}
}

// A comparison is not seen by the server: neither in its journal, nor by its users, nor by its
// settings, which what it returns does not share.
func TestCompareChangesNothing(t *testing.T) {
	t.Parallel()
	user := fixtures.User{Replies: []fixtures.Reply{{Status: 503}}}
	mine := map[string]any{"client": map[string]any{"name": "mine"}}
	srv := fake.NewTestServer(t, fake.WithUser(realToken, user), fake.WithLenient(),
		fake.WithService(fixtures.Service{Extra: mine}))
	theirs := map[string]any{"client": map[string]any{}, "budget": 7}
	d := compareWith(t, srv, like(t, fixtures.Service{Extra: theirs}, 1))
	d.Service.Extra["client"].(map[string]any)["name"] = "theirs"
	kept, err := json.Marshal(srv.Service().Extra)
	if err != nil || string(kept) != `{"client":{"name":"mine"}}` {
		t.Errorf("the server has %s; %v", kept, err)
	}
	if requests := srv.Requests(); len(requests) != 0 {
		t.Errorf("the journal has %v", requests)
	}
	if status, _ := list(t, srv, realToken); status != 503 {
		t.Errorf("the next answer is %d, want the reply of the user", status)
	}
}

// A server that holds its answers, that accepts any token, or that has an upstream, shows what it
// would do without.
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

func TestConform(t *testing.T) {
	t.Parallel()
	base := like(t, fixtures.Service{Timestamps: "unix"}, 3)
	var differs recorder
	fake.Conform(&differs, fake.NewTestServer(t), base, realToken)
	want := []string{`campaignfake: the fake (-) differs from the service (+), whose settings ` +
		`fake.WithService takes:
 service:
-  timestamps: "rfc3339"
+  timestamps: "unix"
`}
	if !slices.Equal(differs.failures, want) {
		t.Errorf("the test failed with\n%q, want\n%q", differs.failures, want)
	}

	var conforms recorder
	fake.Conform(&conforms, fake.NewTestServer(t), base, realToken, "timestamps")
	if conforms.Failed() || conforms.Skipped() {
		t.Errorf("what differs is skipped, and the test failed with %q %q",
			conforms.text(), conforms.skipped)
	}
	var unseen recorder
	fake.Conform(&unseen, fake.NewTestServer(t), like(t, fixtures.Service{}, 0), realToken)
	if unseen.Failed() || len(unseen.logged) != 1 {
		t.Errorf("not all is seen, and the test failed with %q; the log has %q",
			unseen.text(), unseen.logged)
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
}
