package fake_test

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// told returns the settings of a server as one line each, by their names.
func told(t *testing.T, srv *fake.Server) map[string]string {
	t.Helper()
	w := httptest.NewRecorder()
	srv.ServeHTTP(w, httptest.NewRequest("GET", "http://localhost/_fake/service", nil))
	var answer struct{ Settings []fixtures.Setting }
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil || w.Code != 200 {
		t.Fatalf("the settings are answered %d %s", w.Code, w.Body)
	}
	lines := make(map[string]string)
	for _, s := range answer.Settings {
		if _, twice := lines[s.Name]; twice {
			t.Errorf("the setting %s is there twice", s.Name)
		}
		lines[s.Name] = strings.TrimSpace(fmt.Sprintf("%s %s %s", s.Value, s.Basis, s.Where))
	}
	return lines
}

// Every setting is told, with where it comes from: that of the options that
// holds.
func TestSettings(t *testing.T) {
	t.Parallel()
	read := files(`x-service: &common
  ids: sequence
service:
  <<: *common
  base_path: /v1
  seed: 5
  delay: 250ms
  statuses: [on, 1, "null"]
  success:
    headers: {X-Version: 2}
  responses:
    missing_token: {status: 403}
    invalid_token:
      body: {error: [no, 1.50]}
    not_found: {headers: {}, body: null}
users: {alice: {}}
`)
	const inGo = "configured fake.WithService"
	for name, tt := range map[string]struct {
		options []fake.Option
		want    map[string]string
	}{
		"nothing": {nil, map[string]string{
			"base_path":      `"/api" assumed`,
			"unknown_tokens": `"reject" assumed`,
			"seed":           `0 assumed`,
			"ids":            `"uuid" assumed`,
			"timestamps":     `"rfc3339" assumed`,
			"statuses": `["draft","scheduled","active","paused","completed",` +
				`"archived"] assumed`,
			"cors":  `["any"] assumed`,
			"delay": "null assumed",

			"success.status":                  "200 assumed",
			"success.headers":                 "null assumed",
			"responses.missing_token.status":  "401 assumed",
			"responses.missing_token.headers": `{"WWW-Authenticate":"Bearer"} assumed`,
			"responses.missing_token.body":    "null assumed",
			"responses.invalid_token.headers": `{"WWW-Authenticate":` +
				`"Bearer error=\"invalid_token\""} assumed`,
			"responses.not_found.status":          "404 assumed",
			"responses.method_not_allowed.status": "405 assumed",
			"responses.rate_limited.status":       "429 assumed",
			"responses.default.body": `{"type":"about:blank","title":"{title}",` +
				`"status":"{status}","detail":"{detail}"} assumed`,
		}},
		"a file": {[]fake.Option{fake.WithFixtures(read)}, map[string]string{
			"base_path": `"/v1" configured users.yaml:5:3`,
			"seed":      "5 configured users.yaml:6:3",
			// where it is written, not where it is merged
			"ids":        `"sequence" configured users.yaml:2:3`,
			"delay":      `"250ms" configured users.yaml:7:3`,
			"statuses":   `["on","1","null"] configured users.yaml:8:3`,
			"timestamps": `"rfc3339" assumed`,

			"success.status":                  "200 assumed",
			"success.headers":                 `{"X-Version":"2"} configured users.yaml:10:5`,
			"responses.missing_token.status":  "403 configured users.yaml:12:21",
			"responses.missing_token.headers": `{"WWW-Authenticate":"Bearer"} assumed`,
			"responses.missing_token.body":    "null assumed",
			"responses.invalid_token.status":  "401 assumed",
			"responses.invalid_token.body":    `{"error":["no",1.50]} configured users.yaml:14:7`,
			"responses.not_found.headers":     "{} configured users.yaml:15:17",
			"responses.not_found.body":        "null configured users.yaml:15:30",
		}},
		"Go": {[]fake.Option{fake.WithService(fixtures.Service{
			BasePath:      "/api", // as it would be anyway
			CORS:          []string{"http://a.test", "http://b.test"},
			UnknownTokens: "generate",
			Timestamps:    "02 \"Jan\" <2006>",
			Success:       fixtures.Response{Status: 203},
			Responses: fixtures.Responses{
				NotFound:         fixtures.Response{Body: "gone\n"},
				RateLimited:      fixtures.Response{Headers: http.Header{}},
				MethodNotAllowed: fixtures.Response{Body: struct{ A []int }{}},
				InvalidToken:     fixtures.Response{Body: json.RawMessage("null")},
			},
		})}, map[string]string{
			"base_path":      `"/api" ` + inGo,
			"unknown_tokens": `"generate" ` + inGo,
			"cors":           `["http://a.test","http://b.test"] ` + inGo,
			"timestamps":     `"02 \"Jan\" <2006>" ` + inGo,
			"seed":           "0 assumed",
			"ids":            `"uuid" assumed`,
			"delay":          "null assumed",

			"success.status":                    "203 " + inGo,
			"success.headers":                   "null assumed",
			"responses.not_found.body":          `"gone\n" ` + inGo,
			"responses.rate_limited.headers":    "{} " + inGo,
			"responses.method_not_allowed.body": `{"A":null} ` + inGo,
			"responses.invalid_token.body":      "null " + inGo,
		}},
		"a file, then Go": {[]fake.Option{fake.WithFixtures(read),
			fake.WithService(fixtures.Service{
				BasePath:  "/go",
				Responses: fixtures.Responses{InvalidToken: fixtures.Response{Status: 403}},
			})}, map[string]string{
			"base_path":                      `"/go" ` + inGo,
			"seed":                           "5 configured users.yaml:6:3",
			"responses.invalid_token.status": "403 " + inGo,
			"responses.invalid_token.body":   `{"error":["no",1.50]} configured users.yaml:14:7`,
		}},
		"Go, then a file": {
			[]fake.Option{
				fake.WithService(fixtures.Service{BasePath: "/go"}),
				fake.WithFixtures(read),
			},
			map[string]string{"base_path": `"/v1" configured users.yaml:5:3`},
		},
		"a seed before a file": {
			[]fake.Option{seed(9), fake.WithFixtures(read)},
			map[string]string{"seed": "5 configured users.yaml:6:3"},
		},
		"a seed before a 0": {
			[]fake.Option{seed(9), fake.WithFixtures(files("service: {seed: 0}\nusers: {}"))},
			map[string]string{"seed": "0 configured users.yaml:1:11"},
		},
		"a seed before no seed": {
			[]fake.Option{seed(9), fake.WithFixtures(files("service: {cors: off}\nusers: {}"))},
			map[string]string{"seed": "9 " + inGo},
		},
		"a seed before none in Go": {
			[]fake.Option{seed(math.MaxUint64), fake.WithService(fixtures.Service{})},
			map[string]string{"seed": "18446744073709551615 " + inGo},
		},
		"a loader with a place": {
			[]fake.Option{fake.WithLoader(loading(&fixtures.Set{
				Service: fixtures.Service{BasePath: "/l"},
				Places:  map[string]fixtures.Place{"base_path": {Flag: "--base-path"}},
			}))},
			map[string]string{"base_path": `"/l" configured --base-path`},
		},
		"a place for no setting": {
			[]fake.Option{fake.WithLoader(loading(&fixtures.Set{
				Places: map[string]fixtures.Place{
					"delay":    {Flag: "--delay"},
					"nonsense": {File: "here"},
				},
			}))},
			map[string]string{"delay": "null assumed", "nonsense": ""},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := told(t, newHandler(t, tt.options...))
			for setting, want := range tt.want {
				if got[setting] != want {
					t.Errorf("%s is %s, want %s", setting, got[setting], want)
				}
			}
			for setting, line := range got {
				if name == "nothing" && strings.Contains(line, "configured") {
					t.Errorf("%s is %s, and nobody has configured it", setting, line)
				}
				if strings.Contains(line, inGo) && tt.want[setting] == "" {
					t.Errorf("%s is %s, which is not so", setting, line)
				}
			}
		})
	}
}

// seed is the option that sets the seed.
func seed(seed uint64) fake.Option {
	return fake.WithService(fixtures.Service{Seed: seed})
}

// loading returns a function for WithLoader.
func loading(set *fixtures.Set) func() (*fixtures.Set, error) {
	return func() (*fixtures.Set, error) { return set, nil }
}

// The base path / is none.
func TestBasePathAtTheRoot(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithLenient(),
		fake.WithService(fixtures.Service{BasePath: "/"}), fake.WithUser("alice", fixtures.User{}))
	if strings.Count(srv.BaseURL(), "/") != 2 {
		t.Errorf("the base URL is %s", srv.BaseURL())
	}
	for path, want := range map[string]int{
		"/user/campaigns":     200,
		"//user/campaigns":    404,
		"/api/user/campaigns": 404,
		"/_fake/health":       200,
	} {
		if response, _ := ask(t, srv, "GET", path, bearer("alice")); response.StatusCode != want {
			t.Errorf("%s is answered %s", path, response.Status)
		}
	}
	_, answer := steer(t, srv, "GET", "api.json", "")
	if !strings.Contains(answer, `"/user/campaigns":`) {
		t.Errorf("the document is %s", answer)
	}
}

func TestEveryAnswerIsASetting(t *testing.T) {
	t.Parallel()
	service := fixtures.Service{
		BasePath: "/v2/x",
		Success: fixtures.Response{
			Status:  203,
			Headers: http.Header{"x-total": {"0"}, "Content-Type": {"text/json"}},
		},
		Responses: fixtures.Responses{
			MissingToken: fixtures.Response{
				Status: 403,
				Body:   map[string]any{"error": "<none>"},
			},
			InvalidToken:     fixtures.Response{Headers: http.Header{}},
			NotFound:         fixtures.Response{Body: "gone fishing"},
			MethodNotAllowed: fixtures.Response{Status: 501, Headers: http.Header{"X-A": {"b"}}},
		},
	}
	srv := fake.NewTestServer(t,
		fake.WithLenient(), fake.WithUser("alice", fixtures.User{}), fake.WithService(service))
	const path = "/v2/x/user/campaigns"
	const problem = "application/problem+json"
	tests := []struct {
		method, path string
		header       http.Header
		status       int
		headers      map[string]string
		body         string
	}{
		{
			method:  "GET",
			path:    path,
			header:  bearer("alice"),
			status:  203,
			headers: map[string]string{"X-Total": "0", "Content-Type": "text/json"},
			body:    `{"campaigns":[]}`,
		},
		{
			method: "GET",
			path:   path,
			status: 403,
			headers: map[string]string{
				"WWW-Authenticate": "Bearer",
				"Content-Type":     "application/json",
			},
			body: `{"error":"<none>"}`,
		},
		{
			method:  "GET",
			path:    path,
			header:  bearer("bob"),
			status:  401,
			headers: map[string]string{"WWW-Authenticate": "", "Content-Type": problem},
			body: `{"type":"about:blank","title":"Unauthorized","status":401,` +
				`"detail":"No user has this bearer token."}`,
		},
		{
			method:  "GET",
			path:    "/api/user/campaigns",
			header:  bearer("alice"),
			status:  404,
			headers: map[string]string{"Content-Type": "text/plain; charset=utf-8"},
			body:    "gone fishing",
		},
		{
			method:  "POST",
			path:    path,
			header:  bearer("alice"),
			status:  501,
			headers: map[string]string{"X-A": "b", "Allow": "GET, HEAD", "Content-Type": problem},
			body: `{"type":"about:blank","title":"Not Implemented","status":501,` +
				`"detail":"POST is not allowed here. Send one of GET, HEAD."}`,
		},
	}
	for _, test := range tests {
		response, body := ask(t, srv, test.method, test.path, test.header)
		if response.StatusCode != test.status || body != test.body {
			t.Errorf("%s %s is answered %d %s\nwant %d %s",
				test.method, test.path, response.StatusCode, body, test.status, test.body)
		}
		for name, want := range test.headers {
			if got := response.Header.Get(name); got != want {
				t.Errorf("%s %s has %s: %q, want %q", test.method, test.path, name, got, want)
			}
		}
	}
}

func TestUnknownTokensGenerate(t *testing.T) {
	t.Parallel()
	first := ""
	for i, tt := range []struct {
		seed  uint64
		token string
		same  bool // campaigns as at first
	}{{7, "anyone", false}, {7, "anyone", true}, {8, "anyone", false}, {7, "anyone2", false}} {
		srv := fake.NewTestServer(t,
			fake.WithService(fixtures.Service{UnknownTokens: "generate", Seed: tt.seed}))
		_, body := list(t, srv, tt.token)
		_, again := list(t, srv, tt.token)
		if strings.Count(body, `"id":`) != 10 || body != again || (body == first) != tt.same {
			t.Errorf("%+v has the campaigns %s and %s, want the same: %s", tt, body, again, first)
		}
		if i == 0 {
			first = body
		}
	}
}
