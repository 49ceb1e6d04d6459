package fake_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// effects has a line for each key of the format: fixtures without the key, and the same ones with
// it. The service answers them in different ways. A key that is read, and does nothing, fails the
// test, and so does a key that has no line here.
var effects = map[string]struct{ without, with string }{
	"service.base_path":      {`service: {}`, `service: {base_path: /v1}`},
	"service.unknown_tokens": {`service: {}`, `service: {unknown_tokens: generate}`},
	"service.seed":           {many, `service: {seed: 7}` + many},
	"service.extra":          {many, `service: {extra: {budget: 1}}` + many},
	"service.omit":           {many, `service: {omit: [name]}` + many},
	"service.ids":            {many, `service: {ids: sequence}` + many},
	"service.timestamps":     {many, `service: {timestamps: unix}` + many},
	"service.statuses":       {many, `service: {statuses: [live]}` + many},
	"service.cors":           {`service: {}`, `service: {cors: off}`},
	"service.delay":          {many, `service: {delay: 2s}` + many},
	"service.success":        {many, status203},
	"service.responses":      {`service: {}`, `service: {responses: {not_found: {status: 410}}}`},

	"success.status":  {many, status203},
	"success.headers": {many, `service: {success: {headers: {X-Total: "8"}}}` + many},

	"default-response.headers": {
		`service: {}`, `service: {responses: {default: {headers: {X-Error: a}}}}`,
	},
	"default-response.body": {`service: {}`, `service: {responses: {default: {body: no}}}`},

	"responses.default": {`service: {}`, `service: {responses: {default: {body: no}}}`},
	"responses.missing_token": {
		`service: {}`, `service: {responses: {missing_token: {status: 403}}}`,
	},
	"responses.invalid_token": {
		`service: {}`, `service: {responses: {invalid_token: {status: 403}}}`,
	},
	"responses.not_found": {`service: {}`, `service: {responses: {not_found: {status: 410}}}`},
	"responses.method_not_allowed": {
		`service: {}`, `service: {responses: {method_not_allowed: {status: 404}}}`,
	},
	"responses.rate_limited": {
		limited, `service: {responses: {rate_limited: {status: 420}}}` + limited,
	},

	"service-response.status": {
		`service: {}`, `service: {responses: {not_found: {status: 410}}}`,
	},
	"service-response.headers": {
		`service: {}`, `service: {responses: {not_found: {headers: {X-A: b}}}}`,
	},
	"service-response.body": {`service: {}`, `service: {responses: {not_found: {body: no}}}`},

	"user.description": {`users: {alice: {}}`, `users: {alice: {description: Nobody}}`},
	"user.campaigns":   {`users: {alice: {}}`, `users: {alice: {campaigns: [{id: 1}]}}`},
	"user.generate":    {`users: {alice: {}}`, `users: {alice: {generate: {count: 1}}}`},
	"user.replies":     {`users: {alice: {}}`, `users: {alice: {replies: [{status: 503}]}}`},
	"user.repeat": {
		`users: {alice: {replies: [{status: 503}]}}`,
		`users: {alice: {replies: [{status: 503}], repeat: true}}`,
	},
	"user.delay":      {`users: {alice: {}}`, `users: {alice: {delay: 2s}}`},
	"user.rate_limit": {`users: {alice: {}}`, limited},

	"generate.count": {many, `users: {alice: {generate: {count: 4}}}`},
	"generate.edge_cases": {
		many, `users: {alice: {generate: {count: 3, edge_cases: texts}}}`,
	},
	"rate-limit.requests": {
		limited, `users: {alice: {rate_limit: {requests: 2, per: 10s}}}`,
	},
	"rate-limit.per": {limited, `users: {alice: {rate_limit: {requests: 1, per: 60s}}}`},

	"campaign.id":         {`[{}]`, `[{id: 1}]`},
	"campaign.name":       {`[{}]`, `[{name: null}]`},
	"campaign.created_at": {`[{}]`, `[{created_at: ""}]`},
	"campaign.updated_at": {`[{}]`, `[{updated_at: {ago: 3h}}]`},
	"campaign.status":     {`[{}]`, `[{status: on}]`},
	"campaign.omit":       {`[{}]`, `[{omit: [id]}]`},
	"campaign.extra":      {`[{}]`, `[{extra: {budget: 1}}]`},
	"before.ago":          {`[{updated_at: {ago: 2h}}]`, `[{updated_at: {ago: 3h}}]`},

	"reply.status":    {`{}`, `{status: 503}`},
	"reply.response":  {`{}`, `{response: invalid_token}`},
	"reply.headers":   {`{status: 429}`, `{status: 429, headers: {Retry-After: []}}`},
	"reply.body":      {`{}`, `{body: '[1]'}`},
	"reply.campaigns": {`{}`, `{campaigns: [{id: 1}]}`},
	"reply.fault":     {`{}`, `{fault: truncate}`},
	"reply.delay":     {`{}`, `{delay: 2s}`},
	"reply.times":     {`{status: 503}`, `{status: 503, times: 2}`},
}

const (
	many      = "\nusers: {alice: {generate: {count: 3}}}"
	limited   = "\nusers: {alice: {rate_limit: {requests: 1, per: 10s}}}"
	status203 = "\nservice: {success: {status: 203}}" + many
)

func TestEffects(t *testing.T) {
	t.Parallel()
	for _, name := range keysOfTheFormat(t) {
		line, isThere := effects[name]
		if !isThere {
			t.Errorf("the table has no line for the key %s", name)
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				without := observed(t, fixturesOf(name, line.without))
				with := observed(t, fixturesOf(name, line.with))
				if without == with {
					t.Errorf("%s changes nothing in the answers:\n%s", line.with, with)
				}
			})
		})
	}
}

// keysOfTheFormat returns the keys of the schema, each behind the name of its mapping.
func keysOfTheFormat(t *testing.T) []string {
	t.Helper()
	var schema struct {
		Definitions map[string]struct {
			AdditionalProperties any // false for a mapping of the format
			Properties           map[string]any
		}
	}
	if err := json.Unmarshal(fixtures.Schema(), &schema); err != nil {
		t.Fatal(err)
	}
	var names []string
	for mapping, definition := range schema.Definitions {
		for key := range definition.Properties {
			if definition.AdditionalProperties == false {
				names = append(names, mapping+"."+key)
			}
		}
	}
	if len(names) < len(effects) {
		t.Errorf("the schema has %d keys, and the table %d lines", len(names), len(effects))
	}
	return names
}

// fixturesOf returns the fixtures of a line. Campaigns and a reply are those of alice.
func fixturesOf(name, text string) string {
	switch {
	case strings.HasPrefix(text, "["):
		return "users: {alice: {campaigns: " + text + "}}"
	case strings.HasPrefix(name, "reply."):
		return "users: {alice: {generate: {count: 2}, replies: [" + text + "]}}"
	}
	return text
}

// observed returns all that clients see of a service that has some fixtures: three requests of a
// user, and one of each kind that is refused.
func observed(t *testing.T, text string) string {
	t.Helper()
	files := fstest.MapFS{"effects.yaml": {Data: []byte(text)}}
	handler := newHandler(t, fake.WithFixtures(files))
	var seen strings.Builder
	for _, request := range []struct{ method, path, token string }{
		{"GET", "/api/user/campaigns", "alice"},
		{"GET", "/api/user/campaigns", "alice"},
		{"GET", "/api/user/campaigns", "alice"},
		{"GET", "/api/user/campaigns", "nobody"},
		{"GET", "/api/user/campaigns", ""},
		{"POST", "/api/user/campaigns", "alice"},
		{"GET", "/api/user", "alice"},
		{"GET", "/v1/user/campaigns", "alice"},
		{"GET", "/_fake/users", ""},
	} {
		r := httptest.NewRequest(request.method, "http://127.0.0.1"+request.path, nil)
		r.Header.Set("Origin", "http://127.0.0.1")
		if request.token != "" {
			r.Header.Set("Authorization", "Bearer "+request.token)
		}
		answer := httptest.NewRecorder()
		start := time.Now()
		isAborted := serve(handler, answer, r)
		body := answer.Body.String()
		if request.path == "/_fake/users" { // which shows each key, whatever it does
			_, body, _ = strings.Cut(body, `"description":`)
			body, _, _ = strings.Cut(body, ",")
		}
		fmt.Fprintln(&seen, request, answer.Code, time.Since(start), isAborted, body)
		if request.path == "/_fake/users" {
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(answer.Header())) {
			fmt.Fprintln(&seen, name, answer.Header()[name])
		}
	}
	return seen.String()
}

// serve answers a request, and reports whether the handler has aborted that.
func serve(handler http.Handler, w http.ResponseWriter, r *http.Request) (isAborted bool) {
	defer func() {
		isAborted = recover() != nil
	}()
	handler.ServeHTTP(w, r)
	return false
}
