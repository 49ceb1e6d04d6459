package fake_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// anyOf draws one of several values.
func anyOf[V any](r *rand.Rand, values ...V) V { return values[r.IntN(len(values))] }

// learnable has a change for each setting that Compare can learn, under the name that
// its finding starts with.
var learnable = map[string]func(s *fake.Service, r *rand.Rand){
	"envelope": func(s *fake.Service, r *rand.Rand) {
		if s.Envelope = anyOf(r, "data", "campaigns", "none", "a list", "items"); s.Envelope == "none" {
			s.Beside = nil
		}
	},
	"beside": func(s *fake.Service, r *rand.Rand) {
		if s.Envelope == "none" {
			s.Envelope = "data"
		}
		s.Beside = map[string]any{anyOf(r, "total", "count"): anyOf[any](r, 8, 0.5, nil, "text", true), "meta": map[string]any{"pages": anyOf[any](r, 3, "three"), "links": []any{anyOf[any](r, "first", 1)}}}
	},
	"fields": func(s *fake.Service, r *rand.Rand) {
		s.Fields = make(map[string]fake.Field)
		for range 1 + r.IntN(4) {
			s.Fields[anyOf(r, "budget", "owner", "note", "score")] = anyOf(r,
				fake.Field{Fake: "{number:1,50000}", Type: "integer", Null: anyOf(r, 0, 0.5)},
				fake.Field{Fake: "{price:1,99}", Type: "number"},
				fake.Field{Fake: "{bool}", Type: "boolean", Null: anyOf(r, 0, 0.4)},
				fake.Field{Fake: "{uuid}"}, fake.Field{Fake: "{sentence}", Null: anyOf(r, 0, 0.6)}, fake.Field{Fake: "{firstname}"},
				fake.Field{Fake: "2025-0{number:1,9}-1{number:0,9}"}, fake.Field{},
				fake.Field{Value: map[string]any{"id": 7, "tags": []any{"a"}}, Null: anyOf(r, 0, 0.5)}, fake.Field{Value: []any{1, 2}},
			)
		}
	},
	"omit": func(s *fake.Service, r *rand.Rand) {
		s.Omit = anyOf(r, nil, []string{"updated_at"}, []string{"created_at", "updated_at"}, []string{"status"}, []string{"name"})
	},
	"ids": func(s *fake.Service, r *rand.Rand) {
		s.IDs = anyOf(r, "uuid", "sequence", "integers", "cmp_########", "########", "ab-####-c-####")
	},
	"timestamps": func(s *fake.Service, r *rand.Rand) {
		s.Timestamps = anyOf(r, "rfc3339", "rfc3339_millis", "rfc3339_micros", "sql", "02.01.2006 15:04", "2006-01-02", "Mon, 02 Jan 2006 15:04:05 MST")
	},
	"statuses": func(s *fake.Service, r *rand.Rand) {
		s.Statuses = anyOf(r, []string{"draft", "scheduled", "active", "paused", "completed", "archived"}, []string{"live", "ended"}, []string{"in-progress", "Done", "new"})
	},
	"unknown_tokens": func(s *fake.Service, r *rand.Rand) { s.UnknownTokens = anyOf(r, "generate", "reject") },
	"cors": func(s *fake.Service, r *rand.Rand) {
		s.CORS = anyOf(r, []string{"any"}, []string{"off"}, []string{"http://localhost:5173"})
	},
	"success.status": func(s *fake.Service, r *rand.Rand) { s.Success.Status = anyOf(r, 200, 201, 203) },
	"success.headers": func(s *fake.Service, r *rand.Rand) {
		s.Success.Headers = anyOf(r, nil, map[string]string{"Content-Type": "application/vnd.api+json"})
	},
	"responses.missing_token": func(s *fake.Service, r *rand.Rand) { s.Responses.MissingToken = anyResponse(r) },
	"responses.invalid_token": func(s *fake.Service, r *rand.Rand) { s.Responses.InvalidToken = anyResponse(r) },
	"responses.not_found":     func(s *fake.Service, r *rand.Rand) { s.Responses.NotFound = anyResponse(r) },
}

func anyResponse(r *rand.Rand) fake.Response {
	return fake.Response{
		Status:  anyOf(r, 0, 400, 401, 403, 302),
		Headers: anyOf(r, nil, map[string]string{}, map[string]string{"WWW-Authenticate": "Bearer realm=\"api\""}),
		Body:    anyOf[any](r, nil, map[string]any{"message": "Unauthenticated."}, map[string]any{"error": map[string]any{"code": 7, "errors": []any{"a"}}}, "Not here", []any{}, json.RawMessage("null")),
	}
}

// A loopback sends requests to a server in memory that are meant for this machine.
type loopback struct{ to *fake.Server }

func (l loopback) RoundTrip(r *http.Request) (*http.Response, error) {
	own := r.Clone(r.Context())
	own.URL.Host = strings.TrimPrefix(strings.TrimSuffix(l.to.BaseURL(), "/api"), "http://")
	return l.to.Client().Transport.RoundTrip(own)
}

// compared returns what is found of a server with some settings, beside other ones.
func compared(t *testing.T, real, ours fake.Service) *fake.Findings {
	t.Helper()
	srv := fake.NewTestServer(t, fake.InMemory(), fake.Lenient(), fake.WithLogger(nil), fake.WithService(real), fake.WithUser("the-real-token", fake.User{Generate: &fake.Generate{Count: 80}}))
	defer srv.Close()
	findings, err := fake.Compare(context.Background(), "http://localhost/api", "the-real-token", fake.Comparison{Service: ours, Pause: -1, Client: &http.Client{Transport: loopback{srv}}})
	if err != nil {
		t.Fatal(err)
	}
	if findings.Requests > 12 {
		t.Errorf("%d requests were sent, want at most 12", findings.Requests)
	}
	return findings
}

// unlike returns the findings that do not agree.
func unlike(f *fake.Findings) (list []fake.Finding) {
	for _, finding := range f.List {
		if finding.Verdict != "agrees" && finding.Verdict != "unknown" {
			list = append(list, finding)
		}
	}
	return list
}

// Compare learns the settings that a server was given: it finds nothing against what it
// has learnt, and finds any one setting that is changed after that.
func TestCompareLearnsWhatAServerWasGiven(t *testing.T) {
	t.Parallel()
	seeds := 60
	if text := os.Getenv("COMPARE_SEEDS"); text != "" {
		var err error
		if seeds, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	names := make([]string, 0, len(learnable))
	for name := range learnable {
		names = append(names, name)
	}
	slices.Sort(names)
	for seed := range uint64(seeds) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(seed, 1))
			var given fake.Service
			for _, name := range names {
				if r.IntN(2) == 0 {
					learnable[name](&given, r)
				}
			}
			if err := given.Check(); err != nil {
				t.Skip(err) // a name in beside that is the envelope's
			}
			first := compared(t, given, fake.Service{})
			learnt, err := first.Observed()
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range unlike(compared(t, given, learnt.Service)) {
				t.Errorf("given %+v\nlearnt %+v\nthere is still %s", given, learnt.Service, f)
			}
			changed, name := given, ""
			for name == "" || changed.Check() != nil || sameSetting(given, changed, name) {
				name = names[r.IntN(len(names))]
				changed = fake.Service{}.Overlay(given)
				learnable[name](&changed, r)
			}
			found := compared(t, changed, learnt.Service)
			if !slices.ContainsFunc(unlike(found), func(f fake.Finding) bool { return strings.HasPrefix(f.Setting, name) }) {
				t.Errorf("%s was changed from\n%+v to\n%+v, learnt\n%+v and only this was found: %s", name, given, changed, learnt.Service, unlike(found))
			}
		})
	}
}

// sameSetting reports whether a change cannot be seen in any answer.
func sameSetting(a, b fake.Service, name string) bool {
	switch {
	case name == "responses.invalid_token" && a.UnknownTokens == "generate",
		name == "statuses" && slices.Contains(a.Omit, "status"),
		name == "timestamps" && len(a.Omit) == 2: // both dates
		return true
	}
	seen := func(s fake.Service) string {
		all := fixtures.DefaultService().Overlay(fake.Service{UnknownTokens: "reject"}).Overlay(s)
		var text strings.Builder
		for _, setting := range all.Settings(nil) {
			if strings.HasPrefix(setting.Name, name) {
				fmt.Fprintf(&text, "%s=%s ", setting.Name, setting.Value)
			}
		}
		return strings.ReplaceAll(text.String(), "not_found.headers={} ", "not_found.headers= ") // it has none by default
	}
	return seen(a) == seen(b)
}
