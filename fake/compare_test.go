package fake_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
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
	result, err := fake.Compare(t.Context(), srv, fake.Target{BaseURL: base, Token: realToken, Origin: "https://app.example"})
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// verdicts returns the verdicts by the names of the findings, without those that are the same.
func verdicts(result *fake.Comparison) map[string]string {
	found := make(map[string]string)
	for _, f := range result.Findings {
		if f.Verdict != "same" {
			found[f.Name] = f.Verdict
		}
	}
	return found
}

// expectVerdicts checks the verdicts that are not "same".
func expectVerdicts(t *testing.T, result *fake.Comparison, want map[string]string) {
	t.Helper()
	if got := verdicts(result); !maps.Equal(got, want) {
		t.Errorf("found %v, want %v", got, want)
		for _, f := range result.Findings {
			t.Log(f)
		}
	}
}

// inFile returns settings as compare writes them: as a file of fixtures.
func inFile(t *testing.T, settings fixtures.Service) string {
	t.Helper()
	text, err := json.MarshalIndent(settings, "  ", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return "service:\n  " + string(text) + "\n"
}

// agrees checks that a server which has the settings that were found agrees with the service:
// nothing differs any more, but for what has no setting.
func agrees(t *testing.T, base string, found *fake.Comparison, except ...string) {
	t.Helper()
	files := fstest.MapFS{"found.yaml": {Data: []byte(inFile(t, found.Settings))}}
	srv := fake.NewTestServer(t, fake.WithFixtures(files))
	for _, f := range compareWith(t, srv, base).Findings {
		if f.Verdict == "differs" && !slices.Contains(except, f.Name) {
			t.Errorf("with what was written: %v", f)
		}
	}
}

// like returns the base URL of a server that has settings, and campaigns for realToken.
func like(t *testing.T, service fixtures.Service, count int) string {
	t.Helper()
	return fake.NewTestServer(t, fake.WithLenient(), fake.WithLogger(nil), fake.WithService(service),
		fake.WithUser(realToken, fixtures.User{Generate: &fixtures.Generate{Count: count}})).BaseURL()
}

// anySettings draws settings.
func anySettings(draw *rand.Rand) fixtures.Service {
	pick := func(list ...string) string { return list[draw.IntN(len(list))] }
	response := func(status int) fixtures.Response {
		r := fixtures.Response{Status: status + draw.IntN(4)}
		switch draw.IntN(4) {
		case 0:
			r.Body = "refused: " + pick("no", "never")
		case 1:
			r.Body = map[string]any{"error": map[string]any{"code": draw.IntN(99), "at": "2025-01-05T09:30:00Z"}, "list": []any{1, "a"}}
		case 2:
			r.Headers = http.Header{"Www-Authenticate": {`Bearer realm="` + pick("a", "b") + `"`}}
		}
		return r
	}
	s := fixtures.Service{
		Seed: draw.Uint64(), UnknownTokens: pick("", "generate", "reject"),
		IDs: pick("uuid", "sequence", "cmp_########", "#", "####", "a#b##", "2024-####", "x"+strings.Repeat("#", 18)),
		Timestamps: pick("rfc3339", "rfc3339_millis", "rfc3339_micros", "sql", "unix", "unix_millis", "02.01.2006 15:04", "01/02/2006",
			time.RFC1123, time.RFC3339Nano, "2006-01-02T15:04:05-07:00"),
		Statuses: []string{"draft", pick("live", "on air", "läuft"), pick("done", "archived")},
		CORS:     [][]string{nil, {"any"}, {"off"}, {"https://app.example"}, {"https://other.example"}}[draw.IntN(5)],
		BasePath: pick("/api", "/v2/api", "/"),
		Success: fixtures.Response{Status: pickStatus(draw), Headers: [](http.Header){nil,
			{"Content-Type": {"application/json; charset=utf-8"}}}[draw.IntN(2)]},
		Responses: fixtures.Responses{
			MissingToken: response(400), InvalidToken: response(401), NotFound: response(404),
			Default: fixtures.Response{Body: []any{nil, "plain", map[string]any{"message": "{title}", "detail": "{detail}"}}[draw.IntN(3)]},
		},
	}
	if draw.IntN(2) == 0 {
		s.Extra = map[string]any{"budget": draw.IntN(9), "owner": "{firstname}", "tags": []any{"{word}"}, "limit": nil}
	}
	if draw.IntN(3) == 0 {
		s.Omit = []string{pick("id", "created_at", "status", "name")}
	}
	return s
}

func pickStatus(draw *rand.Rand) int { return []int{0, 200, 203, 206}[draw.IntN(4)] }

// Whatever the settings are, a server that has the same finds no difference, and one that has none
// writes what agrees.
func TestCompareWithRandomSettings(t *testing.T) {
	t.Parallel()
	draw := rand.New(rand.NewPCG(1, 2))
	for i := range 40 {
		service := anySettings(draw)
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			own, base := service, like(t, service, 1+i%10)
			own.Seed++
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
	body := json.RawMessage(`{"message":"no"}`)
	tests := map[string]struct {
		service fixtures.Service
		verdict string
		wrote   string
	}{
		"success.status": {fixtures.Service{Success: fixtures.Response{Status: 206}}, "differs", `"success":{"status":206}`},
		"success.headers": {fixtures.Service{Success: fixtures.Response{Headers: http.Header{"Content-Type": {"text/json"}}}}, "differs",
			"text/json"},
		"types":      {fixtures.Service{Extra: map[string]any{"id": 7}}, "differs", ""},
		"ids":        {fixtures.Service{IDs: "cmp_########"}, "differs", `"cmp_########"`},
		"timestamps": {fixtures.Service{Timestamps: "rfc3339_millis"}, "differs", `"rfc3339_millis"`},
		"statuses":   {fixtures.Service{Statuses: []string{"draft", "live"}}, "differs", `"statuses":["draft","live"]`},
		"extra": {fixtures.Service{Extra: map[string]any{"budget": 1200, "owner": "Ann"}}, "differs",
			`"extra":{"budget":1,"owner":"text"}`},
		"omit": {fixtures.Service{Omit: []string{"updated_at"}}, "note", `"omit":["updated_at"]`},
		"null": {fixtures.Service{Extra: map[string]any{"updated_at": nil}}, "note", `"extra":{"updated_at":null}`},
		"responses.missing_token": {fixtures.Service{Responses: fixtures.Responses{MissingToken: fixtures.Response{Status: 403}}}, "differs",
			`"status":403`},
		"responses.invalid_token": {fixtures.Service{Responses: fixtures.Responses{InvalidToken: fixtures.Response{Body: body}}}, "differs",
			`{"message":"no"}`},
		"responses.not_found": {fixtures.Service{Responses: fixtures.Responses{NotFound: fixtures.Response{Headers: http.Header{}, Body: "gone"}}},
			"differs", `"body":"gone"`},
		"cors": {fixtures.Service{CORS: []string{"https://other.example"}}, "differs", `"cors":["off"]`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			base := like(t, test.service, 20)
			result := compareWith(t, fake.NewTestServer(t), base)
			expectVerdicts(t, result, map[string]string{name: test.verdict})
			if text, _ := json.Marshal(result.Settings); !strings.Contains(string(text), test.wrote) {
				t.Errorf("wrote %s, without %s", text, test.wrote)
			}
			if f := result.Findings[0]; f.Remedy == "" || test.wrote == "" && !strings.Contains(f.Remedy, "no setting can say it") {
				t.Errorf("the remedy is %q", f.Remedy)
			}
			if test.wrote == "" {
				agrees(t, base, result, name)
			} else {
				agrees(t, base, result)
			}
		})
	}
}

// A standIn is a service that is no server of ours. A nil function answers as most do.
type standIn struct {
	list        string // the body of the list
	contentType string
	missing     func(w http.ResponseWriter, r *http.Request)
	invalid     func(w http.ResponseWriter, r *http.Request)
	notFound    func(w http.ResponseWriter, r *http.Request)
}

// says returns a handler that answers with a body.
func says(status int, contentType, body string) func(w http.ResponseWriter, r *http.Request) {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", contentType)
		w.WriteHeader(status)
		fmt.Fprint(w, body)
	}
}

func (s standIn) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	refuse := says(401, "application/json", `{"message":"Unauthenticated."}`)
	switch token := r.Header.Get("Authorization"); {
	case r.URL.Path != "/api/user/campaigns" && s.notFound != nil:
		s.notFound(w, r)
	case r.URL.Path != "/api/user/campaigns":
		says(404, "application/json", `{"message":"Not found."}`)(w, r)
	case token == "" && s.missing != nil:
		s.missing(w, r)
	case token != "" && token != "Bearer "+realToken && s.invalid != nil:
		s.invalid(w, r)
	case token != "Bearer "+realToken:
		refuse(w, r)
	default:
		contentType := s.contentType
		if contentType == "" {
			contentType = "application/json"
		}
		says(200, contentType, s.list)(w, r)
	}
}

// start returns the base URL of a handler.
func start(t *testing.T, handler http.Handler) string {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server.URL + "/api"
}

// campaignsWith returns a list of campaigns with dates.
func campaignsWith(id func(i int) string, created, updated string) string {
	var list []string
	for i := range 3 {
		list = append(list, fmt.Sprintf(`{"id":%q,"name":"N","created_at":%q,"updated_at":%q,"status":"active"}`, id(i), created, updated))
	}
	return `{"campaigns":[` + strings.Join(list, ",") + `]}`
}

// What these frameworks do when a service of the documented shape is made with them.
func TestCompareKnowsTheHabitsOfFrameworks(t *testing.T) {
	t.Parallel()
	number := func(i int) string { return fmt.Sprint(i + 1) }
	uuid := func(i int) string { return fmt.Sprintf("0b7b6c1e-9f0a-4e55-8c1d-5d0f7c0e4a1%d", i) }
	var count atomic.Int64
	spring := func(status int, reason string) func(w http.ResponseWriter, r *http.Request) {
		return func(w http.ResponseWriter, r *http.Request) {
			at := time.Date(2025, 1, 5, 9, 30, 0, int(count.Add(1))*1e6, time.UTC).Format("2006-01-02T15:04:05.000-07:00")
			body := fmt.Sprintf(`{"timestamp":%q,"status":%d,"error":%q,"path":%q}`, at, status, reason, r.URL.Path)
			says(status, "application/json", body)(w, r)
		}
	}
	tests := map[string]struct {
		standIn
		timestamps, missing string
	}{
		"Laravel": {standIn{
			list:     campaignsWith(number, "2025-01-05T09:30:00.000000Z", "2025-02-05T19:30:11.000000Z"),
			notFound: says(404, "application/json", `{"message":"The route api/campaignfake-made-up could not be found."}`),
		}, "rfc3339_micros", `{"message":"Unauthenticated."}`},
		"Django REST": {standIn{
			list:    campaignsWith(uuid, "2025-01-05T09:30:00.123456Z", "2025-02-05T19:30:11Z"),
			missing: says(401, "application/json", `{"detail":"Authentication credentials were not provided."}`),
			invalid: says(401, "application/json", `{"detail":"Given token not valid","code":"token_not_valid"}`),
		}, "rfc3339_micros", "were not provided"},
		"Rails": {standIn{
			list: campaignsWith(number, "2025-01-05T09:30:00.123Z", "2025-02-05T19:30:11.000Z"), contentType: "application/json; charset=utf-8",
			missing:  says(401, "text/plain; charset=utf-8", "HTTP Token: Access denied.\n"),
			notFound: says(404, "text/html; charset=UTF-8", "<!DOCTYPE html><title>404</title>"+strings.Repeat("<p>page</p>", 600)),
		}, "rfc3339_millis", "Access denied"},
		"Express": {standIn{
			list: campaignsWith(uuid, "2025-01-05T09:30:00.000Z", "2025-02-05T19:30:11.120Z"), contentType: "application/json; charset=utf-8",
			missing:  func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(401) },
			notFound: says(404, "text/html; charset=utf-8", "<pre>Cannot GET /api/campaignfake-made-up</pre>"),
		}, "rfc3339_millis", `"status":401,"headers":{},"body":""`},
		"Spring": {standIn{
			list:    campaignsWith(uuid, "2025-01-05T09:30:00.000+00:00", "2025-02-05T19:30:11.120+00:00"),
			missing: spring(401, "Unauthorized"), invalid: spring(403, "Forbidden"), notFound: spring(404, "Not Found"),
		}, "2006-01-02T15:04:05.000-07:00", `"error":"Unauthorized","path":"/api/user/campaigns","status":401,"timestamp":"varies"`},
		"FastAPI": {standIn{
			list: campaignsWith(uuid, "2025-01-05T09:30:00.123456", "2025-02-05T19:30:11"),
			missing: func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("WWW-Authenticate", "Bearer")
				says(401, "application/json", `{"detail":"Not authenticated"}`)(w, r)
			},
		}, "2006-01-02T15:04:05.000000", `"WWW-Authenticate":"Bearer"`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			base := start(t, test.standIn)
			result := compareWith(t, fake.NewTestServer(t), base)
			if got := result.Settings.Timestamps; got != test.timestamps {
				t.Errorf("dates are written as %q, want %q", got, test.timestamps)
			}
			text, _ := json.Marshal(result.Settings)
			if !strings.Contains(string(text), test.missing) || strings.Contains(string(text), "made-up") {
				t.Errorf("the refusals are %s; want %s in them", text, test.missing)
			}
			agrees(t, base, result)
		})
	}
}

func TestCompareKnowsFormatsOfDatesAndIDs(t *testing.T) {
	t.Parallel()
	one := func(i int) string { return fmt.Sprint(i + 7) }
	for created, want := range map[string]string{
		"2025-01-25T09:30:00+02:00":     "2006-01-02T15:04:05-07:00",
		"2025-01-25T09:30:00+0000":      "2006-01-02T15:04:05-0700",
		"2025-01-25 09:30:00":           "sql",
		"2025-01-25 09:30:00 UTC":       "2006-01-02 15:04:05 UTC",
		"2025-01-25T09:30:00.1234567Z":  "2006-01-02T15:04:05.0000000Z07:00",
		"1737797400":                    "unix",
		"1737797400000":                 "unix_millis",
		"2025-01-25":                    "2006-01-02",
		"25.01.2025 09:30":              "02.01.2006 15:04",
		"01/25/2025":                    "01/02/2006",
		"Sat, 25 Jan 2025 09:30:00 GMT": http.TimeFormat,
		"3 days ago":                    "",
		"2025-13-45T09:30:00Z":          "",
	} {
		t.Run(created, func(t *testing.T) {
			t.Parallel()
			result := compareWith(t, fake.NewTestServer(t), start(t, standIn{list: campaignsWith(one, created, created)}))
			if got := result.Settings.Timestamps; got != want || verdicts(result)["timestamps"] != "differs" {
				t.Errorf("the format is %q, want %q; %v", got, want, verdicts(result))
			}
		})
	}
	for id, want := range map[string]string{
		"cmp_0000%d": "cmp_#####", "%d": "sequence", "0%d": "##", "65f1c0ffee1234567890abc%d": "", "spring-sale-of-acme-%d": "",
	} {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			list := campaignsWith(func(i int) string { return fmt.Sprintf(id, i+1) }, "2025-01-05T09:30:00Z", "2025-01-05T09:30:00Z")
			result := compareWith(t, fake.NewTestServer(t), start(t, standIn{list: list}))
			wanted := map[bool]string{true: "note", false: "differs"}[want == ""]
			if got := result.Settings.IDs; got != want || verdicts(result)["ids"] != wanted {
				t.Errorf("the format is %q, want %q; %v", got, want, verdicts(result))
			}
		})
	}
}
