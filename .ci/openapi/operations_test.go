package openapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// A step is a request, and the status that answers it.
type step struct {
	method string
	path   string // with the query; that of the service without the base path
	header string // as X-Nothing: 1
	body   string
	status int

	// refused tells that the document refuses the request: whatever the server
	// refuses, save what no schema can see.
	refused bool
}

// steps are taken in their order. They meet every status that the document has,
// but for those that are met by every operation in the same way.
func steps() []step {
	const list = campaignsPath
	mistakes := `{"campaigns": [` + strings.Repeat(`{"a": 1},`, 1100) + `{}]}`
	return []step{
		{"GET", list, "Authorization: Bearer demo", "", 200, false},
		{"GET", list, "Authorization: Bearer anybody", "", 200, false},
		{"GET", list + "?page=2", "Authorization: Bearer demo", "", 200, false},
		{"GET", list, "X-Nothing: 1", "", 401, false},

		{"GET", "/_fake/health", "", "", 200, false},
		{"GET", "/_fake/openapi.json", "", "", 200, false},
		{"GET", "/_fake/api.json", "", "", 200, false},
		{"GET", "/_fake/schema.json", "", "", 200, false},
		{"GET", "/_fake/service", "", "", 200, false},
		{"PUT", "/_fake/service", "", `{"statuses": ["live"], "campaign": {"id": "{id}", "score": {"$fake": "{number:1,5}", "$type": "integer", "$null": 0.4}}}`, 200, false},
		{"PUT", "/_fake/service", "", `{"envelop": "data"}`, 400, true},
		{"PUT", "/_fake/service", "", "{}" + strings.Repeat(" ", 8<<20), 413, false},
		{"PUT", "/_fake/service", "", `{}`, 200, false},
		{"GET", "/_fake/users", "", "", 200, false},
		{"GET", "/_fake/users?token=flaky", "", "", 200, false},
		{"GET", "/_fake/users?token=nobody", "", "", 404, false},
		{"GET", "/_fake/users?token=", "", "", 404, true},
		{"GET", "/_fake/users?token=demo&token=empty", "", "", 400, false},
		{"PUT", "/_fake/users?token=alice", "", `{}`, 201, false},
		{"PUT", "/_fake/users?token=alice", "", `{"description": "another", "generate": {"count": 3}, "delay": "1ms..2ms", "rate_limit": {"requests": 2, "per": "1h"}}`, 200, false},
		{"PUT", "/_fake/users?token=alice", "", `{"campaigns": [{"id": 1, "name": null, "status": true, "created_at": 1.50, "updated_at": {"ago": "3h"}}], "description": 7}`, 200, false},
		{"PUT", "/_fake/users?token=alice", "", `{"campaigns": [{"id": "1", "omit": ["name", "created_at", "updated_at"], "extra": {"status": 7, "tags": [null, {}]}}]}`, 200, false},
		{"PUT", "/_fake/users?token=alice", "", `{"delay": 0, "replies": [{"status": 503, "headers": {"Retry-After": 1}}, {"body": null}, {"fault": "reset", "times": "always"}]}`, 200, false},
		{"PUT", "/_fake/users?token=a%2Fb", "", `{"campaigns": []}`, 201, false},
		{"PUT", "/_fake/users?token=zo%C3%AB", "", `{}`, 400, true},
		{"PUT", "/_fake/users?token=", "", `{}`, 400, true},
		{"PUT", "/_fake/users", "", `{}`, 400, true},
		{"PUT", "/_fake/users?token=alice", "", `{"campaings": []}`, 400, true},
		{"PUT", "/_fake/users?token=alice", "", `{"campaigns": [], "generate": {"count": 1}}`, 400, true},
		{"PUT", "/_fake/users?token=alice", "", `{"delay": "3 seconds", "replies": [{"status": 99}]}`, 400, true},
		{"PUT", "/_fake/users?token=alice", "", `{"replies": [{"times": "always"}, {}]}`, 400, false},
		{"PUT", "/_fake/users?token=alice", "", mistakes, 400, true},
		{"PUT", "/_fake/users?token=alice", "", `{"repeat": "true"}`, 400, true},
		{"PUT", "/_fake/users?token=alice", "", `{`, 400, true},
		{"PUT", "/_fake/users?token=alice", "", `[]`, 400, true},
		{"PUT", "/_fake/users?token=alice", "", `{"delay": "1s", "delay": "2s"}`, 400, false},
		{"PUT", "/_fake/users?token=alice", "", `{"generate": {"count": 1e3}}`, 400, false},
		{"PUT", "/_fake/users?token=alice", "", "{}" + strings.Repeat(" ", 8<<20), 413, false},
		{"DELETE", "/_fake/users?token=nobody", "", "", 404, false},
		{"DELETE", "/_fake/users", "", "", 400, true},

		{"POST", "/_fake/replies?token=demo", "", `[{"status": 503, "times": 2}, {"fault": "bad_json"}, {}]`, 200, false},
		{"POST", "/_fake/replies?token=demo", "", `{"response": "not_found"}`, 200, false},
		{"POST", "/_fake/replies?token=demo", "", `[]`, 200, false},
		{"POST", "/_fake/replies?token=demo", "", `[{"fault": "rest"}]`, 400, true},
		{"POST", "/_fake/replies?token=demo", "", `7`, 400, true},
		{"POST", "/_fake/replies?token=demo", "", "[" + strings.Repeat("{},", 10_000) + "{}]", 507, true},
		{"POST", "/_fake/replies", "", `{}`, 400, true},
		{"POST", "/_fake/replies?token=demo", "", "[]" + strings.Repeat(" ", 8<<20), 413, false},
		{"GET", "/_fake/replies?token=demo", "", "", 200, false},
		{"GET", "/_fake/replies?token=flaky", "", "", 200, false},
		{"GET", "/_fake/replies?token=nobody", "", "", 404, false},
		{"GET", "/_fake/replies", "", "", 400, true},
		{"GET", list, "Authorization: Bearer demo", "", 503, false},
		{"GET", "/_fake/replies?token=demo", "", "", 200, false},
		{"DELETE", "/_fake/replies?token=demo", "", "", 204, false},
		{"DELETE", "/_fake/replies?token=nobody", "", "", 404, false},
		{"POST", "/_fake/release?token=demo", "", "", 200, false},
		{"POST", "/_fake/release", "", "", 400, true},
		{"GET", "/_fake/unplayed", "", "", 200, false},
		{"GET", "/_fake/unplayed?token=demo&since_version=1", "", "", 200, false},
		{"GET", "/_fake/unplayed?since_version=now", "", "", 400, true},
		{"GET", "/_fake/campaigns?token=demo", "", "", 200, false},
		{"GET", "/_fake/campaigns?token=anybody", "", "", 200, false},
		{"GET", "/_fake/campaigns?token=edge-cases", "", "", 200, false},
		{"GET", "/_fake/campaigns", "", "", 400, true},

		{"GET", "/_fake/requests", "", "", 200, false},
		{"GET", "/_fake/requests?token=demo&await=1&limit=1", "", "", 200, false},
		{"GET", "/_fake/requests?status=401&since=0&since_version=2&before=1000", "", "", 200, false},
		{"GET", "/_fake/requests?path=nothing&token=", "", "", 200, false},
		{"GET", "/_fake/requests?unmatched=true", "", "", 200, false},
		{"GET", "/_fake/requests?unmatched=maybe", "", "", 400, true},
		{"GET", "/_fake/requests?status=ok", "", "", 400, true},
		{"GET", "/_fake/requests?status=600", "", "", 400, true},
		{"GET", "/_fake/requests?since=-1", "", "", 400, true},
		{"GET", "/_fake/requests?before=0", "", "", 400, true},
		{"GET", "/_fake/requests?limit=1001", "", "", 400, true},
		{"GET", "/_fake/requests?token=demo&await=0", "", "", 400, true},
		{"GET", "/_fake/requests?token=demo&await=1000&within=1ms", "", "", 504, false},
		{"GET", "/_fake/requests?await=1", "", "", 400, false},
		{"GET", "/_fake/events", "", "", 200, false},
		{"GET", "/_fake/events?token=demo&since=1", "", "", 200, false},
		{"GET", "/_fake/events", "Last-Event-ID: 3", "", 200, false},
		{"GET", "/_fake/events?since=yesterday", "", "", 400, true},
		{"GET", "/_fake/events", "Last-Event-ID: yesterday", "", 400, true},

		{"DELETE", "/_fake/requests?token=demo", "", "", 204, false},
		{"DELETE", "/_fake/requests", "", "", 204, false},
		{"DELETE", "/_fake/users?token=alice", "", "", 200, false},
		{"POST", "/_fake/reload", "", "", 200, false},
		{"POST", "/_fake/reload", "", "", 400, false}, // with mistakes, by then
		{"GET", "/_fake/health", "", "", 200, false},
		{"POST", "/_fake/reload", "", "", 400, false}, // with an error
		{"GET", "/_fake/health", "", "", 200, false},
		{"POST", "/_fake/reset?token=demo", "", "", 204, false},
		{"POST", "/_fake/reset", "", "", 204, false},
	}
}

// Whatever is answered is documented, and whatever is documented is answered.
func TestOperations(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithLenient(), fake.WithLogger(nil), fake.WithFixtures(fake.Gallery()), fake.WithLoader(loader()),
		fake.WithService(fake.Service{BasePath: basePath, UnknownTokens: "generate", CORS: []string{"http://localhost:5173"}}))
	d := describe(t, srv, controlDocument)
	client := srv.Client()
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	met := make(map[string]map[int]bool)
	meet := func(x *exchange, err error) {
		t.Helper()
		if err != nil {
			t.Fatalf("%s is answered with %v", x, err)
		}
		if x.operation == listOperation {
			return // of the service, which has another document
		}
		d.checkAnswer(t, x)
		if met[x.operation] == nil {
			met[x.operation] = make(map[int]bool)
		}
		met[x.operation][x.status] = true
	}

	for _, s := range steps() {
		x := s.exchange(srv)
		meet(x, x.send(t, client))
		if x.status != s.status {
			t.Errorf("%s is answered %d %s, want %d", x, x.status, x.answer, s.status)
		}
		if x.operation == listOperation {
			continue
		}
		refused := d.refusedRequest(t, x)
		switch {
		case s.refused != (len(refused) > 0):
			t.Errorf("%s is answered %d; that the document refuses it is %v: %s", x, s.status, !s.refused, explainAll(refused))
		case s.method == "GET" && s.status < 300:
			x = s.exchange(srv)
			x.method = "HEAD"
			meet(x, x.send(t, client))
			if x.status != s.status {
				t.Errorf("%s is answered %d, and GET %d", x, x.status, s.status)
			}
		}
	}
	meetFollowers(t, srv, meet)
	meetCrowd(t, meet)

	// What every operation answers alike.
	closed := fake.NewTestServer(t, fake.WithService(fake.Service{BasePath: basePath}))
	closed.Close()
	for operation, statuses := range d.statuses {
		method, path, _ := strings.Cut(operation, " ")
		x := step{method: method, path: path, header: "Authorization: Bearer demo"}.exchange(closed)
		w := httptest.NewRecorder()
		closed.ServeHTTP(w, x.asked(t, method))
		x.status, x.answered, x.answer = w.Code, w.Result().Header, w.Body.Bytes()
		meet(x, nil)

		x = step{method: method, path: path, header: "Authorization: Bearer demo"}.exchange(srv)
		x.method = "BREW"
		meet(x, x.send(t, client))

		x = step{method: method, path: path, header: "Sec-Fetch-Site: cross-site"}.exchange(srv)
		meet(x, x.send(t, client))

		if strings.Contains(strings.Join(statuses, " "), "400") {
			x = step{method: method, path: path + "?nonsense=1"}.exchange(srv)
			meet(x, x.send(t, client))
			if len(d.refusedRequest(t, x)) == 0 {
				t.Errorf("%s is refused, but not by the document", x)
			}
		}
	}
	for _, missing := range d.missing(met) {
		t.Errorf("%s is documented, and not met here", missing)
	}
}

// loader returns what loads something at first and at the first reload, then
// mistakes, and then fails.
func loader() func() (*fake.Set, error) {
	var calls atomic.Int32
	return func() (*fake.Set, error) {
		switch calls.Add(1) {
		case 1, 2:
			return &fake.Set{Users: map[string]fake.User{"zoe": {Description: "from a loader"}}}, nil
		case 3:
			return fixtures.LoadFS(fstest.MapFS{"users.yaml": {Data: []byte("users:\n  zoe: {delay: 3 seconds}\n")}})
		}
		return nil, errors.New("the loader has failed")
	}
}

// exchange returns the step as it is sent to a server.
func (s step) exchange(srv *fake.Server) *exchange {
	path, _, _ := strings.Cut(s.path, "?")
	x := &exchange{operation: s.method + " " + path, method: s.method, url: root(srv) + s.path, header: make(http.Header), body: s.body}
	if path == campaignsPath {
		x.url = srv.BaseURL() + s.path
	}
	if name, value, found := strings.Cut(s.header, ": "); found {
		x.header.Set(name, value)
	}
	if s.body != "" {
		x.header.Set("Content-Type", "application/json")
	}
	return x
}

// meetFollowers follows the events as often as that can be, and once more.
func meetFollowers(t *testing.T, srv *fake.Server, meet func(*exchange, error)) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	for range 100 {
		x := step{method: "GET", path: "/_fake/events"}.exchange(srv)
		response, err := srv.Client().Do(x.asked(t, "GET").WithContext(ctx))
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		if response.StatusCode == http.StatusOK {
			continue
		}
		meet(x, x.send(t, srv.Client()))
		return
	}
	t.Error("100 clients follow the events at once")
}

// meetCrowd meets a server that has no room for another user.
func meetCrowd(t *testing.T, meet func(*exchange, error)) {
	t.Helper()
	options := []fake.Option{fake.WithLenient(), fake.WithLogger(nil), fake.WithService(fake.Service{BasePath: basePath, UnknownTokens: "generate"})}
	for i := range 10_000 {
		options = append(options, fake.WithUser(fmt.Sprint("user-", i), fake.User{}))
	}
	srv := fake.NewTestServer(t, options...)
	for _, s := range []step{
		{method: "PUT", path: "/_fake/users?token=another", body: "{}"},
		{method: "POST", path: "/_fake/replies?token=another", body: "{}"},
	} {
		x := s.exchange(srv)
		meet(x, x.send(t, srv.Client()))
	}
	// There is no room for a file of many users who share a long list.
	text := "users:\n  first:\n    campaigns: &list\n"
	for i := range 1000 {
		text += fmt.Sprintf("      - {id: %d, name: Spring, status: draft, created_at: 2026-01-05, updated_at: 2026-01-06}\n", i)
	}
	for i := range 400 {
		text += fmt.Sprintf("  user-%d: {campaigns: *list}\n", i)
	}
	srv = fake.NewTestServer(t, fake.WithLenient(), fake.WithLogger(nil), fake.WithService(fake.Service{BasePath: basePath}),
		fake.WithFixtures(fstest.MapFS{"users.yaml": {Data: []byte(text)}}))
	x := step{method: "GET", path: "/_fake/users?format=yaml"}.exchange(srv)
	meet(x, x.send(t, srv.Client()))
	// Without generated campaigns an unknown token has none.
	srv = fake.NewTestServer(t, fake.WithLogger(nil), fake.WithService(fake.Service{BasePath: basePath}))
	for _, s := range []step{
		{method: "GET", path: "/_fake/campaigns?token=nobody"},
		{method: "POST", path: "/_fake/replies?token=nobody", body: "{}"},
	} {
		x := s.exchange(srv)
		meet(x, x.send(t, srv.Client()))
	}
}
