package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const secretToken = "Zx81Qk-of-a-customer"

// service returns the base URL of a service with a list, which refuses other tokens. After
// some requests it refuses all.
func service(t *testing.T, list string, requests int) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := func(status int, body string) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(status)
			fmt.Fprint(w, body)
		}
		switch requests--; {
		case requests < 0:
			answer(429, `{}`)
		case r.URL.Path != "/api/user/campaigns":
			answer(404, `{"message":"`+r.Header.Get("Authorization")+`"}`)
		case r.Header.Get("Authorization") != "Bearer "+secretToken:
			answer(401, `{"message":"Unauthenticated."}`)
		default:
			answer(200, list)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL + "/api"
}

const usual = `{"campaigns":[
{"id":"cmp_01","name":"Text of a customer",
"created_at":"2025-01-05T09:30:00.000000Z","updated_at":"2025-01-05T09:30:00.000000Z","status":"live"},
{"id":"cmp_02","name":"Text of a customer","created_at":"2025-01-05T09:30:00.000000Z","updated_at":null,"status":"draft"}]}`

// compared runs a comparison, and checks that the token is nowhere.
func compared(t *testing.T, status int, args ...string) result {
	t.Helper()
	r := finish(t, []string{"SERVICE_TOKEN=" + secretToken}, append([]string{"compare"}, args...)...)
	if r.status != status {
		t.Errorf("the status is %d, want %d:\n%s%s", r.status, status, r.stdout, r.stderr)
	}
	if strings.Contains(r.stdout+r.stderr, secretToken) {
		t.Errorf("the token is in\n%s%s", r.stdout, r.stderr)
	}
	return r
}

// What is written is served beside one's own fixtures, and the next comparison agrees.
func TestCompareWritesSettings(t *testing.T) {
	t.Parallel()
	base, written := service(t, usual, 99), filepath.Join(t.TempDir(), "service.yaml")
	own := file(t, "own.yaml", "service: {cors: off, seed: 7}\nusers: {demo: {generate: {count: 2}}}\n")
	first := compared(t, 4, base, own, "--token-env", "SERVICE_TOKEN", "--write", written)
	for _, want := range []string{
		`differs: timestamps: rfc3339_micros; the fake: rfc3339; write service: {"timestamps":"rfc3339_micros"}`,
		"differs: ids: cmp_##;", "note: null: updated_at is null in some;", "same: success.status, success.headers, answer,",
	} {
		if !strings.Contains(first.stdout, want) {
			t.Errorf("there is no %q in\n%s", want, first.stdout)
		}
	}
	text, err := os.ReadFile(written)
	if err != nil || strings.Contains(string(text), "customer") || strings.Contains(string(text), secretToken) {
		t.Fatalf("written is %v\n%s", err, text)
	}
	nothing := filepath.Join(t.TempDir(), "nothing.yaml")
	again := compared(t, 0, base, own, written, "--token-file", file(t, "token", secretToken+"\n"), "--write", nothing)
	if _, err := os.Lstat(nothing); err == nil || !strings.Contains(again.stdout, nothing+" is not written: ") {
		t.Errorf("it does not say that there is nothing to write:\n%s", again.stdout)
	}
	compared(t, 2, base, own, "--token-env", "SERVICE_TOKEN", "--write", written).failsLike(t, 2, "--write: ", "is there already")
	p := serve(t, nil, own, written)
	if status, body := p.list("demo"); status != 200 || !strings.Contains(body, `"id":"cmp_`) {
		t.Errorf("served is %d %s", status, body)
	}
	tokens := file(t, "tokens.yaml", "service: {unknown_tokens: generate}")
	compared(t, 0, p.base, own, written, tokens, "--token-file", file(t, "token", "demo")) // the command's own answers
}

func TestCompareExitStatus(t *testing.T) {
	t.Parallel()
	env := []string{"--token-env", "SERVICE_TOKEN"}
	fixtures := file(t, "own.yaml", `service: {ids: "cmp_##", timestamps: rfc3339_micros, statuses: [draft, live]}`)
	if r := compared(t, 4, append([]string{service(t, usual, 99), "--origin", "http://localhost:5173"}, env...)...); !strings.Contains(r.stdout, "differs: cors: ") {
		t.Errorf("CORS is not judged for an origin:\n%s", r.stdout)
	}
	skip := []string{"--skip", "responses.missing_token,responses.invalid_token,responses.not_found"}
	compared(t, 0, append(append([]string{service(t, usual, 99), fixtures}, env...), skip...)...)
	compared(t, 4, append([]string{service(t, usual, 99), fixtures}, env...)...)
	compared(t, 5, append(append([]string{service(t, usual, 3), fixtures}, env...), "--skip", "cors")...)
	compared(t, 5, append([]string{service(t, usual, 0), fixtures}, env...)...)
	compared(t, 5, append(append([]string{service(t, `{"campaigns":[]}`, 99), fixtures}, env...), skip...)...)
	compared(t, 1, append([]string{service(t, `{"data":[]}`, 99), fixtures}, env...)...).failsLike(t, 1, "nothing", "its keys are: data")
	compared(t, 1, service(t, usual, 99), fixtures, "--token-file", file(t, "token", "another")).failsLike(t, 1, "refuses the token (401)")
	bad := file(t, "bad.yaml", "service: {ids: 7x}")
	compared(t, 1, append([]string{service(t, usual, 99), bad}, env...)...).failsLike(t, 1, "bad.yaml:1:")
	compared(t, 2, append([]string{"http://example.com/api"}, env...)...).failsLike(t, 2, "neither HTTPS nor on this machine")
	compared(t, 2, service(t, usual, 99)).failsLike(t, 2, "there is no token", "--token-env", "--token-file")
	compared(t, 2, service(t, usual, 99), "--token-env", "NO_SUCH_VARIABLE").failsLike(t, 2, "there is no token")
	compared(t, 2, service(t, usual, 99), "--token-file", "no/such/file").failsLike(t, 2, "no/such/file")
	compared(t, 2, append([]string{service(t, usual, 99), "--origin", "localhost:5173"}, env...)...).failsLike(t, 2, "--origin")
	compared(t, 2).failsLike(t, 2, "base-url")
}
