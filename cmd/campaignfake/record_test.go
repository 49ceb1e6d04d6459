package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// answering returns the base URL of a service that sends one answer to its token, and counts its
// requests.
func answering(t *testing.T, answer http.HandlerFunc) (baseURL string, asked *atomic.Int32) {
	t.Helper()
	asked = new(atomic.Int32)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		if r.URL.Path != "/api/user/campaigns" ||
			r.Header.Get("Authorization") != "Bearer "+secretToken {
			t.Errorf("it is asked for %s, with %q", r.URL.Path, r.Header.Get("Authorization"))
		}
		answer(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL + "/api", asked
}

// recorded runs record, and checks that its output does not have the token.
func recorded(t *testing.T, args ...string) result {
	t.Helper()
	r := finish(t, []string{"SERVICE_TOKEN=" + secretToken}, append([]string{"record"}, args...)...)
	if strings.Contains(r.stdout+r.stderr, secretToken) {
		t.Errorf("the token is in\n%.2000s%s", r.stdout, r.stderr)
	}
	return r
}

// servedTo returns what a server with a file of fixtures answers to a token.
func servedTo(t *testing.T, yaml, token string) *httptest.ResponseRecorder {
	t.Helper()
	server, err := fake.New(fake.WithLoader(func() (*fixtures.Set, error) {
		return fixtures.LoadText("recorded.yaml", yaml)
	}))
	if err != nil {
		t.Fatalf("what was recorded cannot be served: %v\n%.2000s", err, yaml)
	}
	defer server.Close()
	w := httptest.NewRecorder()
	r := httptest.NewRequest("GET", "/api/user/campaigns", nil)
	r.Header.Set("Authorization", "Bearer "+token)
	server.ServeHTTP(w, r)
	return w
}

// The whole fixture, as people read it.
func TestRecordedFixture(t *testing.T) {
	t.Parallel()
	base, asked := answering(t, sent(200, "application/json", `{"campaigns": [
		{"id": "cmp_1", "name": "Spring 🚀 launch", "status": "live", "updated_at": null,
			"created_at": "2026-01-05T09:30:00.000000Z", "budget": 12.50,
			"owner": {"name": "A, B", "tags": []}},
		{"id": 12345678901234567890, "name": "", "created_at": 1767605400, "status": "off"}
	]}`))
	r := recorded(t, base, "--token-env", "SERVICE_TOKEN", "--token", "alice")
	const want = `users:
  "alice":
    description: "Recorded: 2 campaigns"
    campaigns:
      - {id: "cmp_1", name: "Spring 🚀 launch", ` +
		`created_at: "2026-01-05T09:30:00.000000Z", updated_at: null, status: "live", ` +
		`extra: {"budget": 12.50, "owner": {"name":"A, B","tags":[]}}}
      - {name: "", status: "off", omit: ["updated_at"], ` +
		`extra: {"created_at": 1767605400, "id": 12345678901234567890}}
`
	if r.status != 0 || r.stdout != want || r.stderr != "" {
		t.Errorf("the status is %d, want 0:\n%s%s\nwant\n%s", r.status, r.stdout, r.stderr, want)
	}
	if asked.Load() != 1 {
		t.Errorf("the service is asked %d times, want once", asked.Load())
	}
}

// An answer on standard input is recorded like an answer in a file.
func TestRecordOfStandardInput(t *testing.T) {
	t.Parallel()
	const answer = `{"campaigns":[{"id":"1","name":"Spring","budget":1200}]}`
	r := finishReading(t, answer, nil, "record", "-", "--token", "alice")
	if got := servedTo(t, r.stdout, "alice").Body.String(); got != answer {
		t.Errorf("it is served as\n%s\nwant\n%s", got, answer)
	}
	finish(t, nil, "record", "-").failsLike(t, 1, "the answer has no body")
}

// If the token of the service is given, record also leaves it out of an answer from a file.
func TestRecordOfAFileHidesTheToken(t *testing.T) {
	t.Parallel()
	saved := file(t, "saved.json",
		`{"campaigns":[{"id":"1","link":"/export?key=`+secretToken+`"}]}`)
	r := recorded(t, saved, "--token-file", file(t, "token", secretToken+"\n"))
	if r.status != 0 || !strings.Contains(r.stdout, "/export?key=TOKEN") {
		t.Errorf("the status is %d:\n%s%s", r.status, r.stdout, r.stderr)
	}
	recorded(t, saved, "--token-env", "NOWHERE").failsLike(t, 2,
		"no token in the variable of --token-env")
}

// The line of the page records a user who gets the same answer from the fake.
func TestRecordAsInTheReadme(t *testing.T) {
	t.Parallel()
	const answer = `{"campaigns":[{"id":"1","name":"Spring","budget":1200}]}`
	isThere := false
	for _, e := range snippets(t) {
		if e.kind != "sh record" {
			continue
		}
		isThere = true
		base, _ := answering(t, sent(200, "application/json", answer))
		line := strings.Replace(e.text, "https://example.com/api", base, 1)
		command, into, _ := strings.Cut(strings.TrimSpace(line), " > ")
		words := strings.Fields(command)
		if words[0] != "campaignfake" || words[1] != "record" || into != "alice.yaml" {
			t.Fatalf("the line is %q", e.text)
		}
		r := recorded(t, words[2:]...)
		if got := servedTo(t, r.stdout, "alice").Body.String(); got != answer {
			t.Errorf("it is served as\n%s\nwant\n%s", got, answer)
		}
	}
	if !isThere {
		t.Error("no page has such a line")
	}
}

// If record has nothing to record, its error says why, and it prints nothing.
func TestRecordSaysWhyThereIsNothing(t *testing.T) {
	t.Parallel()
	base, asked := answering(t, sent(401, "text/plain", "no"))
	recorded(t, base, "--token-env", "SERVICE_TOKEN").failsLike(t, 1,
		"nothing was recorded: the service refuses the token (401)")
	if asked.Load() != 1 {
		t.Errorf("the service is asked %d times, want once", asked.Load())
	}
	recorded(t, file(t, "answer.json", strings.Repeat(" ", 8<<20+1))).failsLike(t, 1,
		"more than 8 MiB")
	recorded(t).failsLike(t, 2, "there is nothing to record; write the base URL")
	below := recorded(t, "https://example.com/api/user/campaigns/", "--token-env", "SERVICE_TOKEN")
	below.failsLike(t, 2, "the base URL ends in /user/campaigns", "leave that out")
	recorded(t, "example.com/api").failsLike(t, 1, "no such file", "a URL begins with https://")
}

// The token goes nowhere but to the service, over HTTPS or to this machine.
func TestTokenOfRecord(t *testing.T) {
	t.Parallel()
	base, asked := answering(t, sent(200, "application/json", `{"campaigns":[{"id":"1",
		"next":"https://example.com/?access_token=`+secretToken+`&a=1","`+secretToken+`":true}]}`))
	r := recorded(t, base, "--token-env", "SERVICE_TOKEN")
	want := `extra: {"TOKEN": true, "next": "https://example.com/?access_token=TOKEN&a=1"}`
	if !strings.Contains(r.stdout, want) {
		t.Errorf("what was recorded lacks %s:\n%s", want, r.stdout)
	}
	if !strings.Contains(r.stderr, "repeats the token, for which TOKEN stands") {
		t.Errorf("there is no note on the token:\n%s", r.stderr)
	}
	asked.Store(0)
	recorded(t, base).failsLike(t, 2, "there is no token", "--token-env")
	r = recorded(t, "http://example.com/api", "--token-env", "SERVICE_TOKEN")
	r.failsLike(t, 2, "neither HTTPS nor on this machine")
	r = finish(t, []string{"SERVICE_TOKEN=alice"}, "record", base, "--token-env", "SERVICE_TOKEN",
		"--token", "alice")
	r.failsLike(t, 2, "--token is that of the service")
	if asked.Load() != 0 {
		t.Errorf("the service is asked %d times, want never", asked.Load())
	}
}
