package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

const secretToken = "Zx81Qk-of-a-customer"

// service returns the base URL of a service that answers its one token with a list, and refuses
// other tokens. After the given number of requests it answers 429.
func service(t *testing.T, list string, requests int) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests--
		answer := sent(200, "application/json", list)
		switch {
		case requests < 0:
			answer = sent(429, "application/json", `{}`)
		case r.URL.Path != "/api/user/campaigns":
			answer = sent(404, "application/json",
				`{"message":"`+r.Header.Get("Authorization")+`"}`)
		case r.Header.Get("Authorization") != "Bearer "+secretToken:
			answer = sent(401, "application/json", `{"message":"Unauthenticated."}`)
		}
		answer(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL + "/api"
}

const usual = `{"campaigns":[
{"id":"cmp_01","name":"Text of a customer","created_at":"2025-01-05T09:30:00.000000Z",
"updated_at":"2025-01-05T09:30:00.000000Z","status":"live"},
{"id":"cmp_02","name":"Text of a customer","created_at":"2025-01-05T09:30:00.000000Z",
"updated_at":null,"status":"draft"}]}`

// compared runs a comparison, and checks that the token is nowhere.
func compared(t *testing.T, status int, args ...string) result {
	t.Helper()
	r := finish(t,
		[]string{"SERVICE_TOKEN=" + secretToken},
		append([]string{"compare"}, args...)...,
	)
	if r.status != status {
		t.Errorf("the status is %d, want %d:\n%s%s", r.status, status, r.stdout, r.stderr)
	}
	if strings.Contains(r.stdout+r.stderr, secretToken) {
		t.Errorf("the token is in\n%s%s", r.stdout, r.stderr)
	}
	return r
}

// The page shows the output of compare for a service that does some things differently.
func TestComparePage(t *testing.T) {
	t.Parallel()
	user := fixtures.User{Generate: &fixtures.Generate{Count: 20}}
	service := fake.NewTestServer(t, fake.WithLenient(), fake.WithLogger(nil),
		fake.WithService(fixtures.Service{
			Success:    fixtures.Response{Status: 203},
			Timestamps: "rfc3339_micros",
			Extra:      map[string]any{"budget": 1200, "id": 7},
		}), fake.WithUser(secretToken, user))
	r := compared(t, 4, service.BaseURL(), "--token-env", "SERVICE_TOKEN")
	isFound := false
	for _, e := range snippets(t) {
		if e.kind == "text compare" {
			isFound = true
			if r.stdout != e.text {
				t.Errorf("%s: printed is\n%s", e.place, r.stdout)
			}
		}
	}
	if !isFound {
		t.Error("no page has it")
	}
}

// A server with the output of record, beside other fixtures, does not differ from the service. The
// output has neither the token nor a text of a customer.
func TestRecordSettings(t *testing.T) {
	t.Parallel()
	base := service(t, usual, 99)
	withOrigin := []string{"--token-env", "SERVICE_TOKEN", "--origin", "http://localhost:5173"}
	r := recorded(t, append(withOrigin, base, "--settings")...)
	if r.status != 0 || strings.Contains(r.stdout, "customer") || r.stderr != "" {
		t.Fatalf("the status is %d, and recorded is\n%s%s", r.status, r.stdout, r.stderr)
	}
	settings := file(t, "service.yaml", r.stdout)
	own := file(t, "own.yaml", "service: {seed: 7}\nusers: {demo: {generate: {count: 2}}}\n")
	compared(t, 0, append(withOrigin, base, own, settings)...)

	p := serve(t, nil, own, settings)
	status, body := p.list("demo")
	if status != 200 || !strings.Contains(body, `"id":"cmp_`) {
		t.Errorf("served is %d %s", status, body)
	}

	for _, e := range snippets(t) {
		if e.kind != "sh settings" {
			continue
		}
		inPlace := strings.NewReplacer("https://example.com/api", base, "users.yaml", own,
			"service.yaml", settings)
		record, compare, _ := strings.Cut(strings.TrimSpace(e.text), "\n")
		record, _, _ = strings.Cut(record, " > ")
		printed := recorded(t, strings.Fields(inPlace.Replace(record))[2:]...)
		if printed.status != 0 || !strings.HasPrefix(r.stdout, printed.stdout[:30]) {
			t.Errorf("%s: the status is %d, and recorded is\n%s",
				e.place, printed.status, printed.stdout)
		}
		compared(t, 0, strings.Fields(inPlace.Replace(compare))[2:]...)
	}

	for _, tt := range []struct {
		want string
		args []string
	}{
		{"--settings asks the service; write its base URL", []string{"answer.json", "--settings"}},
		{"--token is for campaigns, which --settings does not print",
			append(withOrigin, base, "--settings", "--token", "alice")},
		{"--origin is for --settings", append(withOrigin, base)},
	} {
		recorded(t, tt.args...).failsLike(t, 2, tt.want)
	}
}

// Compare compares the answers that serve would give with the same fixtures, or with none. By
// default serve answers tokens without a user, so compare leaves them out unless a setting refuses
// them.
func TestCompareHasTheDefaultsOfServe(t *testing.T) {
	t.Parallel()
	reject := file(t, "reject.yaml", "service: {unknown_tokens: reject}")
	upstream := file(t, "upstream.yaml", "service: {unknown_tokens: upstream}")
	token := file(t, "token", "demo")
	accepting := serve(t, nil).base
	refusing := serve(t, nil, "--gallery", reject).base
	const generates = "campaignfake: tokens without a user: not compared, " +
		"since the fake has unknown_tokens: generate; if the service refuses them, write reject\n"
	const passesOn = "campaignfake: tokens without a user, and other paths: not compared, " +
		"since the upstream answers them\n"
	for _, tt := range []struct {
		name   string
		args   []string
		status int
		says   string
	}{
		{"an upstream answers", []string{accepting, upstream}, 0, passesOn},
		{"the fake accepts", []string{refusing}, 0, generates},
		{
			name:   "the fake refuses",
			args:   []string{accepting, reject},
			status: 4,
			says:   `+  unknown_tokens: "generate"` + "\n",
		},
		{"both refuse", []string{refusing, reject}, 0, "does what the service does."},
	} {
		r := compared(t, tt.status, append(tt.args, "--token-file", token)...)
		if printed := r.stdout + r.stderr; !strings.Contains(printed, tt.says) {
			t.Errorf("%s: printed is\n%s\nwant %q in it", tt.name, printed, tt.says)
		}
	}
}

func TestCompareExitStatus(t *testing.T) {
	t.Parallel()
	own := file(t, "own.yaml",
		`service: {ids: "cmp_##", timestamps: rfc3339_micros, statuses: [draft, live]}`)
	for _, tt := range []struct {
		name     string
		list     string
		requests int // after this many requests the service answers 429
		args     []string
		status   int
		headline string
	}{
		{"small things differ", usual, 99, []string{"--skip", "responses"}, 0,
			"# The fake does what the service does, but for what few clients care about."},
		{"nothing differs", usual, 99, []string{"--skip", "responses,fields"}, 0,
			"# The fake does what the service does."},
		{"something differs", usual, 99, []string{"--skip", "responses.not_found"}, 4,
			"# The fake (-) differs from the service (+). " +
				"Write the lines with + into your fixtures."},
		{"not all was seen", usual, 1, []string{"--skip", "fields"}, 5,
			"# The fake does what the service does, as far as it was seen."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			args := []string{service(t, tt.list, tt.requests), own, "--token-env", "SERVICE_TOKEN"}
			r := compared(t, tt.status, append(args, tt.args...)...)
			headline, _, _ := strings.Cut(r.stdout, "\n")
			if headline != tt.headline {
				t.Errorf("it begins with %q, want %q", headline, tt.headline)
			}
		})
	}
}

func TestCompareFails(t *testing.T) {
	t.Parallel()
	base := service(t, usual, 99)
	bad := file(t, "bad.yaml", "service: {ids: 7x}")
	for _, tt := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{base, "--token-file", file(t, "token", "another")}, 1, "refuses the token (401)"},
		{[]string{base, "--token-env", "SERVICE_TOKEN", bad}, 1, "bad.yaml:1:"},
		{
			[]string{"http://example.com/api", "--token-env", "SERVICE_TOKEN"}, 2,
			"neither HTTPS nor on this machine",
		},
		{[]string{base}, 2, "there is no token; name the variable that has it with --token-env"},
		{
			[]string{base, "--token-env", "NO_SUCH_VARIABLE"}, 2,
			"there is no token in the variable of --token-env; give its name, without $",
		},
		{
			[]string{base, "--token-file", file(t, "empty", " \n")}, 2,
			"the file of --token-file is empty; write the token into it",
		},
		{
			[]string{base, "--token-file", "no/such/file"}, 2,
			"--token-file: open no/such/file: ",
		},
	} {
		compared(t, tt.status, tt.args...).failsLike(t, tt.status, tt.want)
	}
	windows := []string{`=C:=C:\folder`} // a variable that begins with =, and so has no name
	finish(t, windows, "compare", base).failsLike(t, 2, "there is no token")
}

// sent returns an answer with a body of a type.
func sent(status int, contentType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		w.WriteHeader(status)
		fmt.Fprint(w, body)
	}
}
