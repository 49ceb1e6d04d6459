package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

const secretToken = "Zx81Qk-of-a-customer"

// service returns the base URL of a service with a list, which refuses other tokens. After
// some requests it refuses all.
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

// The whole page, as people read it.
func TestComparePage(t *testing.T) {
	t.Parallel()
	own := file(t, "own.yaml", "service:\n  timestamps: sql\n  omit: [name]\n")
	r := compared(t, 4, service(t, usual, 8), own, "--token-env", "SERVICE_TOKEN",
		"--skip", "responses.missing_token,responses.invalid_token.headers", "--origin",
		"https://app.example")
	const want = `The fake differs from the service in 6 things, as far as it was seen.

what                          the service                         the fake
ids                           cmp_##                              uuid
timestamps                    rfc3339_micros                      sql
statuses                      also live                           those of draft, scheduled, active,
                                                                  paused, completed, archived
responses.invalid_token.body  {"message":"Unauthenticated."}      {"detail":"No user has this bearer
                                                                  token.","status":401,
                                                                  "title":"Unauthorized"…
responses.not_found.headers   Content-Type: application/json      Content-Type:
                                                                  application/problem+json
responses.not_found.body      {}                                  {"detail":"The path is
                                                                  /api/campaignfake-made-up-1. Only
                                                                  GET /api/user/campaigns i…
omit                          as documented                       name is missing
null                          updated_at is null in some          as documented

To have the fake do the same, write:

service:
  ids: cmp_##
  statuses:
    - draft
    - live
  responses:
    invalid_token:
      headers:
        Content-Type: application/json
      body:
        message: Unauthenticated.
    not_found:
      headers:
        Content-Type: application/json
      body: {}

To be changed in your fixtures, at OWN:2:3:

service:
  timestamps: rfc3339_micros

Notes:

- take the setting away that OWN:3:3 has for omit
- no setting says null; campaigns that are written out can, or the body of a reply, and --skip
  leaves it out
- not compared in responses.not_found.body: message (repeats the token)
- not seen are cors: the service limits how often it is asked (429)
- small, so that they fail nothing: omit, null
- the same are success.status, success.headers, answer, types, extra, order,
  responses.invalid_token.status, responses.not_found.status

not compared, since unknown_tokens is generate: whether tokens without a user are refused
`
	// A long name is on a line of its own, and so is what follows it.
	page := strings.ReplaceAll(r.stdout, "\n  "+own, " "+own)
	page = strings.ReplaceAll(page, "\n  omit\n", " omit\n")
	page = strings.ReplaceAll(page, own, "OWN")
	if page != want {
		t.Errorf("printed is\n%s\nwant\n%s", page, want)
	}
}

// Two findings about one setting name its place once.
func TestComparePageNamesAPlaceOnce(t *testing.T) {
	t.Parallel()
	own := file(t, "own.yaml", "service:\n  extra: {budget: text}\n")
	const list = `{"campaigns":[{"id":"1","name":"N","status":"draft",
		"created_at":"2025-01-05T09:30:00Z","updated_at":null,"budget":7}]}`
	r := compared(t, 4, service(t, list, 99), own, "--token-env", "SERVICE_TOKEN")
	if count := strings.Count(r.stdout, own+":2:3"); count != 1 {
		t.Errorf("the place is there %d times:\n%s", count, r.stdout)
	}
	if !strings.Contains(r.stdout,
		"\nservice:\n  extra:\n    budget: 0\n    updated_at: null\n\n") {
		t.Errorf("it does not say what to change:\n%s", r.stdout)
	}
}

// The page in README is that of a service which differs from the fake in five things.
func TestComparePageOfReadme(t *testing.T) {
	t.Parallel()
	service := fake.NewTestServer(t, fake.WithLenient(), fake.WithLogger(nil),
		fake.WithService(fixtures.Service{
			Timestamps: "rfc3339_micros",
			Statuses:   []string{"draft", "live"},
			Responses: fixtures.Responses{
				MissingToken: fixtures.Response{Status: 403, Body: "no token\n"},
			},
		}), fake.WithUser(secretToken, fixtures.User{Generate: &fixtures.Generate{Count: 20}}))
	r := compared(t, 4, service.BaseURL(), "--token-env", "SERVICE_TOKEN")
	isFound := false
	for _, e := range snippets(t) {
		if e.kind != "text compare" {
			continue
		}
		isFound = true
		if !strings.HasPrefix(r.stdout, e.text) {
			t.Errorf("%s: printed is\n%s", e.place, r.stdout)
		}
	}
	if !isFound {
		t.Error("no page has it")
	}
}

// What is written is served beside one's own fixtures, and the next comparison agrees.
func TestCompareWritesSettings(t *testing.T) {
	t.Parallel()
	base := service(t, usual, 99)
	written := filepath.Join(t.TempDir(), "service.yaml")
	own := file(t, "own.yaml",
		"service: {cors: off, seed: 7}\nusers: {demo: {generate: {count: 2}}}\n")
	first := compared(t, 4, base, own, "--token-env", "SERVICE_TOKEN", "--write", written)
	text, err := os.ReadFile(written)
	if err != nil || strings.Contains(string(text), "customer") ||
		strings.Contains(string(text), secretToken) {
		t.Fatalf("written is %v\n%s", err, text)
	}
	if !strings.Contains(first.stdout, "\n\n"+string(text)+"\n") {
		t.Errorf("what was written is not shown:\n%s", first.stdout)
	}

	nothing := filepath.Join(t.TempDir(), "nothing.yaml")
	tokenFile := file(t, "token", secretToken+"\n")
	again := compared(t, 0, base, own, written, "--token-file", tokenFile, "--write", nothing)
	_, err = os.Lstat(nothing)
	if err == nil || !strings.Contains(again.stdout, nothing+" is not written: ") {
		t.Errorf("it does not say that there is nothing to write:\n%s", again.stdout)
	}
	refused := compared(t, 2, base, own, "--token-env", "SERVICE_TOKEN", "--write", written)
	refused.failsLike(t, 2, "--write: ", "is there already")

	p := serve(t, nil, own, written)
	status, body := p.list("demo")
	if status != 200 || !strings.Contains(body, `"id":"cmp_`) {
		t.Errorf("served is %d %s", status, body)
	}
	// The command agrees with its own answers.
	compared(t, 0, p.base, own, written, "--token-file", file(t, "token", "demo"))
}

// What is compared is what serve would answer with the same fixtures, also without any. It answers
// tokens without a user, and so they are compared only if a setting says that they are refused.
func TestCompareHasTheDefaultsOfServe(t *testing.T) {
	t.Parallel()
	reject := file(t, "reject.yaml", "service: {unknown_tokens: reject}")
	token := file(t, "token", "demo")
	accepting := serve(t, nil).base
	refusing := serve(t, nil, "--gallery", reject).base
	const generates = "not compared, since unknown_tokens is generate: "
	for _, tt := range []struct {
		name   string
		args   []string
		status int
		says   string
	}{
		{"both accept", []string{accepting}, 0, generates},
		{"the fake accepts", []string{refusing}, 0, generates},
		{
			name:   "the fake refuses",
			args:   []string{accepting, reject},
			status: 4,
			says:   "unknown_tokens are accepted are refused",
		},
		{"both refuse", []string{refusing, reject}, 0, "unknown_tokens,"},
	} {
		r := compared(t, tt.status, append(tt.args, "--token-file", token)...)
		words := strings.Join(strings.Fields(r.stdout), " ")
		if !strings.Contains(words, tt.says) {
			t.Errorf("%s: printed is\n%s\nwant %q in it", tt.name, r.stdout, tt.says)
		}
		isRejected := tt.says != generates
		if strings.Contains(r.stdout, "not compared, since") == isRejected {
			t.Errorf("%s: the note on unknown tokens is wrong:\n%s", tt.name, r.stdout)
		}
	}
}

// Unknown tokens may be like a user of the gallery, as with serve --gallery.
func TestCompareBesideGallery(t *testing.T) {
	t.Parallel()
	base := service(t, usual, 99)
	withToken := []string{base, "--token-env", "SERVICE_TOKEN"}
	like := file(t, "like.yaml",
		"service: {unknown_tokens: like demo}\n")
	r := compared(t, 4, append(withToken, "--gallery", like)...)
	if !strings.Contains(r.stdout, "not compared, since unknown_tokens is like demo: ") {
		t.Errorf("it does not say what is not compared:\n%s", r.stdout)
	}
	compared(t, 1, append(withToken, like)...).failsLike(t, 1,
		like+`:1:11: service.unknown_tokens: no user has the token "demo"`)
}

// A file that cannot be written is an error before the service is asked.
func TestCompareLooksBeforeItAsks(t *testing.T) {
	t.Parallel()
	nowhere := filepath.Join(t.TempDir(), "no", "folder", "service.yaml")
	r := compared(t, 2, service(t, usual, 99), "--token-env", "SERVICE_TOKEN", "--write", nowhere)
	r.failsLike(t, 2, "--write: open "+nowhere, "; name a new file in a folder that is there")
	if r.stdout != "" {
		t.Errorf("it compares before it looks at the file:\n%s", r.stdout)
	}
}

// A file that cannot be written any more, as its folder has gone, is an error after what was found.
func TestCompareCannotWrite(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "folder")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	nowhere := filepath.Join(folder, "service.yaml")
	base, err := url.Parse(service(t, usual, 99))
	if err != nil {
		t.Fatal(err)
	}
	proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		os.Remove(folder)
		r.Out.URL.Host = base.Host
		r.Out.URL.Scheme = base.Scheme
	}}
	front := httptest.NewServer(proxy)
	defer front.Close()
	r := compared(t, 1, front.URL+base.Path, "--token-env", "SERVICE_TOKEN", "--write", nowhere)
	hasSettings := strings.Contains(r.stdout, "have the fake do the same, write:\n") &&
		strings.Contains(r.stdout, "timestamps: rfc3339_micros")
	isWritten := strings.Contains(r.stdout, "Written to")
	if !hasSettings || isWritten || !strings.Contains(r.stderr, nowhere) {
		t.Errorf("printed is\n%s%s", r.stdout, r.stderr)
	}
}

func TestCompareExitStatus(t *testing.T) {
	t.Parallel()
	own := file(t, "own.yaml",
		`service: {ids: "cmp_##", timestamps: rfc3339_micros, statuses: [draft, live]}`)
	for _, tt := range []struct {
		name     string
		list     string
		requests int // before the service limits how often it is asked
		args     []string
		status   int
		headline string
	}{
		{"nothing differs", usual, 99, []string{"--skip", "responses,null"}, 0,
			"The fake does what the service does."},
		{"small things differ", usual, 99, []string{"--skip", "responses"}, 0,
			"The fake does what the service does, but for small things."},
		{
			name:     "one thing differs",
			list:     usual,
			requests: 99,
			args:     []string{"--skip", "responses", "--origin", "http://localhost:5173"},
			status:   4,
			headline: "The fake differs from the service in 1 thing.",
		},
		{"several things differ", usual, 99, nil, 4,
			"The fake differs from the service in 6 things."},
		{"not all was seen", usual, 3, []string{"--skip", "null"}, 5,
			"The fake does what the service does, as far as it was seen."},
		{"nothing was seen", usual, 0, nil, 5, "Nothing was seen of the service."},
		{"there are no campaigns", `{"campaigns":[]}`, 99, []string{"--skip", "responses"}, 5,
			"The fake does what the service does, as far as it was seen."},
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

// A service may send bytes that are no UTF-8 in a header. The page has one character for them.
func TestComparePageOfBytesThatAreNoText(t *testing.T) {
	t.Parallel()
	for _, line := range wrapped(`Bearer realm="`+strings.Repeat("\xe9", 60), 30) {
		if !utf8.ValidString(line) || utf8.RuneCountInString(line) > 30 {
			t.Errorf("a line is %q", line)
		}
	}
}

func TestCompareFails(t *testing.T) {
	t.Parallel()
	own := file(t, "own.yaml", "service: {seed: 7}")
	bad := file(t, "bad.yaml", "service: {ids: 7x}")
	withToken := []string{"--token-env", "SERVICE_TOKEN"}
	for _, tt := range []struct {
		name   string
		base   string // "" for that of a service
		list   string
		args   []string
		status int
		says   []string
	}{
		{"no list", "", `{"data":[]}`, append(withToken, own), 1,
			[]string{"nothing was compared", "its keys are: data"}},
		{
			name:   "a token that is refused",
			base:   "",
			list:   usual,
			args:   []string{own, "--token-file", file(t, "token", "another")},
			status: 1,
			says:   []string{"refuses the token (401)"},
		},
		{"mistakes in fixtures", "", usual, append(withToken, bad), 1, []string{"bad.yaml:1:"}},
		{"a URL that is not safe", "http://example.com/api", "", withToken, 2,
			[]string{"neither HTTPS nor on this machine"}},
		{
			name:   "no token",
			base:   "",
			list:   usual,
			args:   nil,
			status: 2,
			says:   []string{"there is no token", "--token-env", "--token-file"},
		},
		{"no such variable", "", usual, []string{"--token-env", "NO_SUCH_VARIABLE"}, 2,
			[]string{"there is no token in the variable of --token-env; give its name, without $"}},
		{"an empty file", "", usual, []string{"--token-file", file(t, "empty", " \n")}, 2,
			[]string{"the file of --token-file is empty; write the token into it"}},
		{
			name:   "no such file",
			base:   "",
			list:   usual,
			args:   []string{"--token-file", "no/such/file"},
			status: 2,
			says: []string{
				"--token-file: open no/such/file: ", "; name the file that has the token",
			},
		},
		{
			name:   "no origin",
			base:   "",
			list:   usual,
			args:   append(withToken, "--origin", "localhost:5173"),
			status: 2,
			says:   []string{"--origin"},
		},
		{"no such finding", "", usual, append(withToken, "--skip", "ids,statusses"), 2,
			[]string{`no finding to skip is called "statusses"; did you mean statuses?`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			base := tt.base
			if base == "" {
				base = service(t, tt.list, 99)
			}
			compared(t, tt.status, slices.Concat([]string{base}, tt.args)...).failsLike(t,
				tt.status, tt.says...)
		})
	}
	compared(t, 2).failsLike(t, 2, "base-url")

	windows := []string{`=C:=C:\folder`} // a variable without a name, which is no token
	finish(t, windows, "compare", service(t, usual, 99)).failsLike(t, 2, "there is no token")
}

// sent returns an answer with a body of a type.
func sent(status int, contentType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		w.WriteHeader(status)
		fmt.Fprint(w, body)
	}
}
