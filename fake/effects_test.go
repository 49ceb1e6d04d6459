package fake_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// effects has a line for each key and each fault of the format, and for each call of the control
// plane and its parameters: fixtures or a call without it, and with it. The observations of the two
// have to differ. A key or a parameter without an effect fails the test, and so does a key or a
// parameter without a line here. Below are the options of Go. The flags of the command are in a
// table beside its code, which this package cannot import.
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
		limited,
		`service: {responses: {rate_limited: {headers: {Retry-After: soon}}}}` + limited,
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

	"fault.reset":      {`{}`, `{fault: reset}`},
	"fault.close":      {`{}`, `{fault: close}`},
	"fault.hang":       {`{}`, `{fault: hang}`},
	"fault.truncate":   {`{}`, `{fault: truncate}`},
	"fault.stall":      {`{}`, `{fault: stall}`},
	"fault.bad_json":   {`{}`, `{fault: bad_json}`},
	"fault.wrong_type": {`{}`, `{fault: wrong_type}`},

	"GET users token":    {`GET users`, `GET users?token=alice`},
	"GET users run":      {`GET users`, `GET users?run=R`},
	"GET users format":   {`GET users?token=alice`, `GET users?token=alice&format=yaml`},
	"PUT users":          {`PUT users?token=alice {}`, `PUT users?token=alice {"delay": "1s"}`},
	"PUT users token":    {`PUT users?token=alice {}`, `PUT users?token=bob {}`},
	"PUT users like":     {`PUT users?token=bob {}`, `PUT users?token=bob&like=alice`},
	"PUT users anew":     {`PUT users?token=alice {}`, `PUT users?token=alice&anew=false {}`},
	"DELETE users":       {``, `DELETE users?token=alice`},
	"DELETE users token": {`DELETE users?token=bob`, `DELETE users?token=alice`},
	"DELETE users run":   {`DELETE users?token=bob`, `DELETE users?run=R`},
	"DELETE users anew":  {`DELETE users?token=alice`, `DELETE users?token=alice&anew=false`},

	"GET replies token":    {`GET replies?token=bob`, `GET replies?token=alice`},
	"POST replies":         {`POST replies?token=bob {}`, `POST replies?token=bob {"status": 503}`},
	"POST replies token":   {`POST replies?token=alice {}`, `POST replies?token=bob {}`},
	"DELETE replies":       {``, `DELETE replies?token=alice`},
	"DELETE replies token": {`DELETE replies?token=bob`, `DELETE replies?token=alice`},
	"POST release":         {``, `POST release?token=held~R`},
	"POST release token":   {`POST release?token=bob`, `POST release?token=held~R`},
	"POST release run":     {`POST release?token=bob`, `POST release?run=R`},
	"GET unplayed token":   {`GET unplayed`, `GET unplayed?token=bob`},
	"GET unplayed run":     {`GET unplayed`, `GET unplayed?run=R`},

	"GET requests token":         {`GET requests`, `GET requests?token=alice`},
	"GET requests run":           {`GET requests`, `GET requests?run=R`},
	"GET requests since":         {`GET requests`, `GET requests?since=2`},
	"GET requests limit":         {`GET requests`, `GET requests?limit=2`},
	"GET requests await":         {ofAlice, ofAlice + `&await=9`},
	"GET requests await_answers": {ofAlice, ofAlice + `&await_answers=9`},
	"GET requests within":        {ofAlice + `&await=9`, ofAlice + `&await=9&within=1m`},
	"GET requests unmatched":     {`GET requests`, `GET requests?unmatched=true`},
	"GET requests passed_on":     {`GET requests`, `GET requests?passed_on=true`},
	"GET requests advice":        {`GET requests`, `GET requests?advice=true`},
	"GET requests brief":         {`GET requests`, `GET requests?brief=true`},
	"GET requests oldest":        {`GET requests`, `GET requests?oldest=true`},
	"DELETE requests":            {``, `DELETE requests`},
	"DELETE requests token":      {`DELETE requests`, `DELETE requests?token=alice`},
	"DELETE requests run":        {`DELETE requests`, `DELETE requests?run=R`},
	"POST reset":                 {``, `POST reset`},
	"POST reset token":           {`POST reset`, `POST reset?token=alice`},
	"POST reset run":             {`POST reset`, `POST reset?run=R`},
}

const (
	many      = "\nusers: {alice: {generate: {count: 3}}}"
	limited   = "\nusers: {alice: {rate_limit: {requests: 1, per: 10s}}}"
	status203 = "\nservice: {success: {status: 203}}" + many
	ofAlice   = "GET requests?token=alice"
)

func TestEffects(t *testing.T) {
	t.Parallel()
	keys := slices.Concat(keysOfTheFormat(t), faultsOfTheFormat(t))
	calls := callsOfTheControlPlane(newHandler(t))
	for name := range effects {
		if !slices.Contains(keys, name) && !slices.Contains(calls, name) {
			t.Errorf("the table has a line for %s, which is not there", name)
		}
	}
	checkEffects(t, keys, observeFixtures)
	checkEffects(t, calls, observeCall)
}

// checkEffects reports names that have no line in the table, or whose line changes nothing.
func checkEffects(t *testing.T, names []string, observe func(*testing.T, string, string) string) {
	t.Helper()
	for _, name := range names {
		line, isThere := effects[name]
		if !isThere {
			t.Errorf("the table has no line for %s", name)
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var without, with string
			synctest.Test(t, func(t *testing.T) { without = observe(t, name, line.without) })
			synctest.Test(t, func(t *testing.T) { with = observe(t, name, line.with) })
			if without == with {
				t.Errorf("%s has no effect, or its line in the table shows none: "+
					"with %q, the same is observed as with %q", name, line.with, line.without)
			}
		})
	}
}

// keysOfTheFormat returns the keys of the schema, each behind the name of its mapping.
func keysOfTheFormat(t *testing.T) (names []string) {
	t.Helper()
	var schema struct {
		Definitions map[string]struct {
			AdditionalProperties any // false for a mapping that allows no other keys
			Properties           map[string]any
		}
	}
	if err := json.Unmarshal(fixtures.Schema(), &schema); err != nil {
		t.Fatal(err)
	}
	for mapping, definition := range schema.Definitions {
		for key := range definition.Properties {
			if definition.AdditionalProperties == false {
				names = append(names, mapping+"."+key)
			}
		}
	}
	return names
}

// faultsOfTheFormat returns the faults that have a constant.
func faultsOfTheFormat(t *testing.T) (names []string) {
	t.Helper()
	return namesIn(t, "../fixtures/faults.go", `Fault = "(\w+)"`, "fault.")
}

// namesIn returns the names that a pattern finds in source files, each behind a prefix. It leaves
// out tests.
func namesIn(t *testing.T, sources, pattern, prefix string) (names []string) {
	t.Helper()
	files, _ := filepath.Glob(sources)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		for _, match := range regexp.MustCompile(pattern).FindAllStringSubmatch(string(text), -1) {
			names = append(names, prefix+match[1])
		}
	}
	if len(names) == 0 {
		t.Errorf("nothing in %s is like %s", sources, pattern)
	}
	return names
}

// callsOfTheControlPlane returns the calls that may change something, as POST reset, and the
// parameters of all calls, as GET users run.
func callsOfTheControlPlane(srv http.Handler) (names []string) {
	for _, path := range pathsOf(srv) {
		for _, method := range methodsOf(srv, path) {
			call := method + " " + strings.TrimPrefix(path, "/_fake/")
			if method != http.MethodGet {
				names = append(names, call)
			}
			for _, parameter := range parametersOf(srv, method, path) {
				names = append(names, call+" "+parameter)
			}
		}
	}
	return names
}

// observeFixtures returns what clients see of a service that has the fixtures of a line. The
// campaigns and the reply in a line belong to alice.
func observeFixtures(t *testing.T, name, text string) string {
	t.Helper()
	switch {
	case strings.HasPrefix(text, "["):
		text = "users: {alice: {campaigns: " + text + "}}"
	case strings.HasPrefix(name, "reply.") || strings.HasPrefix(name, "fault."):
		text = "users: {alice: {generate: {count: 2}, replies: [" + text + "]}}"
	}
	return observeAnswers(t, fake.WithFixtures(fstest.MapFS{"a.yaml": {Data: []byte(text)}}))
}

// observeAnswers returns the answers of a server to three requests of a user, to one refused
// request of each kind, and to some calls of the control plane.
func observeAnswers(t *testing.T, options ...fake.Option) string {
	t.Helper()
	handler := newHandler(t, options...)
	var seen strings.Builder
	const here = "http://127.0.0.1"
	for _, request := range []struct{ method, url, token, origin string }{
		{"GET", here + listPath, "alice", here},
		{"GET", here + listPath, "alice", here},
		{"GET", here + listPath, "alice", here},
		{"GET", here + listPath, "nobody", here},
		{"GET", here + listPath, "", here},
		{"POST", here + listPath, "alice", here},
		{"GET", here + "/api/profile", "alice", here},
		{"GET", here + "/v1/user/campaigns", "alice", here},
		{"GET", here + "/_fake/users", "", here},
		{"GET", here + "/_fake/users", "", page},
		{"GET", "http://campaigns.example.com/_fake/users", "", ""},
	} {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		r := httptest.NewRequestWithContext(ctx, request.method, request.url, nil)
		r.Header = bearer(request.token)
		if request.origin != "" {
			r.Header.Set("Origin", request.origin)
		}
		start := time.Now()
		answer, isAborted := answerOf(handler, r)
		fmt.Fprintln(&seen, request, answer.Code, time.Since(start), isAborted)
		if r.URL.Path == "/_fake/users" { // the list shows each key, even a key without an effect
			fmt.Fprintln(&seen, between(answer.Body.String(), `"description":`, ","))
			continue
		}
		fmt.Fprintln(&seen, answer.Body)
		for _, name := range slices.Sorted(maps.Keys(answer.Header())) {
			fmt.Fprintln(&seen, name, answer.Header()[name])
		}
	}
	return seen.String()
}

// answerOf returns the answer to a request, and whether the handler has aborted it.
func answerOf(handler http.Handler, r *http.Request) (w *httptest.ResponseRecorder, aborted bool) {
	w = httptest.NewRecorder()
	defer func() {
		aborted = recover() != nil
	}()
	handler.ServeHTTP(w, r)
	return w, false
}

// observeCall returns what a call leaves behind on a server that has been used: what the control
// plane answers to each other call, and the next answer to alice. For a parameter, the answer to
// the call itself comes first.
func observeCall(t *testing.T, name, call string) string {
	t.Helper()
	srv := usedServer(t)
	var seen strings.Builder
	control := func(method, path, body string) {
		start := time.Now()
		url := rootOf(srv) + "/_fake/" + path
		r, err := http.NewRequest(method, url, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		answer, text := send(t, srv.Client(), r)
		fmt.Fprintln(&seen, answer.Status, time.Since(start), text)
	}
	if call != "" {
		words := strings.SplitN(call+" ", " ", 3) // the body may have spaces
		control(words[0], words[1], words[2])
	}
	if strings.Count(name, " ") == 1 {
		seen.Reset()
	}
	synctest.Wait()
	for _, path := range pathsOf(srv) {
		if path != "/_fake/events" { // events never end
			control("GET", strings.TrimPrefix(path, "/_fake/"), "")
		}
	}
	control("GET", "replies?token=alice", "")
	status, body := list(t, srv, "alice")
	return fmt.Sprint(seen.String(), status, body)
}

// usedServer returns a server with users, replies that wait, a request that is held, and requests
// of every kind in its journal. It has to be made in a bubble.
func usedServer(t *testing.T) *fake.Server {
	t.Helper()
	srv := fake.NewTestServer(t, fake.WithInMemory(), fake.WithLenient(), fake.WithLogger(nil),
		fake.WithUser("alice", scripted(fixtures.Reply{Status: 503}, fixtures.Reply{Status: 504})),
		fake.WithUser("bob", fixtures.User{}),
		fake.WithUser("held", fixtures.User{Delay: untilReleased}),
		fake.WithFallback(http.NotFoundHandler()),
	)
	for _, token := range []string{"alice", "alice~R", "undefined"} {
		list(t, srv, token)
	}
	for _, path := range []string{"/api/profile", "/user/campaigns"} {
		ask(t, srv, "GET", path, bearer("bob"))
	}
	for _, token := range []string{"alice", "alice~R"} {
		if err := srv.Enqueue(token, fixtures.Reply{Status: 500}); err != nil {
			t.Fatal(err)
		}
	}
	go srv.Client().Do(listRequest(t, srv, "held~R"))
	synctest.Wait()
	return srv
}

// optionEffects has a function for each option. It returns an observation without the option, and
// an observation with it.
var optionEffects = map[string]func(t *testing.T) (without, with string){
	"WithUser":           inAnswers(fake.WithUser("alice", generated(1))),
	"WithFixtures":       inAnswers(fake.WithFixtures(files("users: {alice: {}}"))),
	"WithLoader":         inAnswers(fake.WithLoader(loading(oneUser))),
	"WithService":        inAnswers(fake.WithService(fixtures.Service{BasePath: "/v1"})),
	"WithUpstream":       inAnswers(fake.WithUpstream(nobody)),
	"WithFallback":       inAnswers(fake.WithFallback(http.NotFoundHandler())),
	"WithoutControl":     inAnswers(fake.WithoutControl()),
	"WithControlHosts":   inAnswers(fake.WithControlHosts("campaigns.example.com")),
	"WithControlOrigins": inAnswers(fake.WithControlOrigins(page)),
	"WithLogger": func(t *testing.T) (without, with string) {
		var log strings.Builder
		observeAnswers(t, logTo(&log))
		return "", log.String()
	},
	"WithTB": func(t *testing.T) (without, with string) {
		var tb recorder
		observeAnswers(t, fake.WithTB(&tb))
		return "", tb.text()
	},
	"WithLenient": func(t *testing.T) (without, with string) {
		var strict, lenient recorder
		observeAnswers(t, fake.WithTB(&strict))
		observeAnswers(t, fake.WithTB(&lenient), fake.WithLenient())
		return strict.text(), lenient.text()
	},
	"WithInMemory": func(t *testing.T) (without, with string) {
		withPort := fake.NewTestServer(t).BaseURL()
		return withPort[:16], fake.NewTestServer(t, fake.WithInMemory()).BaseURL()[:16]
	},
	"WithTLS": func(t *testing.T) (without, with string) {
		certificate, _ := certified()
		secure := listening(t, fake.WithTLS(certificate))
		return listening(t).BaseURL()[:16], secure.BaseURL()[:16]
	},
}

var (
	oneUser = &fixtures.Set{Users: map[string]fixtures.User{"alice": {}}}
	nobody  = &url.URL{Scheme: "http", Host: "127.0.0.1:1"}
)

// inAnswers observes the answers of a server without an option, and with it.
func inAnswers(option fake.Option) func(t *testing.T) (without, with string) {
	return func(t *testing.T) (without, with string) {
		synctest.Test(t, func(t *testing.T) { without = observeAnswers(t) })
		synctest.Test(t, func(t *testing.T) { with = observeAnswers(t, option) })
		return without, with
	}
}

func TestEffectsOfOptions(t *testing.T) {
	t.Parallel()
	for _, name := range namesIn(t, "*.go", `(?m)^func ([A-Z]\w*)\(.*\) Option {`, "") {
		observe, isThere := optionEffects[name]
		if !isThere {
			t.Errorf("the table has no line for the option %s", name)
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if without, with := observe(t); without == with {
				t.Errorf("%s has no effect, or its line in the table shows none", name)
			}
		})
	}
}
