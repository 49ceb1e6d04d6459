package fake_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// cannotBeSent reports whether a character cannot stand in a method or a path as it is.
func cannotBeSent(r rune) bool {
	return r <= ' ' || r > '~' || strings.ContainsRune("?#%:\\", r)
}

// FuzzControl sends whatever clients put into bodies and tokens. What is refused
// says why, and changes nothing.
func FuzzControl(f *testing.F) {
	for _, seed := range []string{
		`{}`,
		`[]`,
		`{"campaigns": [{"id": "1"}]}`,
		`[{"status": 503, "times": 2}]`,
		`{"generate": {"count": 3}, "delay": "1s"}`,
		"{",
		"nul",
		"\"\\ud800\"",
	} {
		f.Add("PUT", "users", "alice", seed)
		f.Add("POST", "replies", "alice", seed)
	}
	f.Add("PUT", "users", " ", "{}")
	f.Add("DELETE", "users", "alice", "")
	f.Add("GET", "requests", "a/b?c#d%zz", "")
	srv := newHandler(f,
		fake.WithUser("alice", fixtures.User{Campaigns: []fixtures.Campaign{spring}}))
	state := func() string {
		w := httptest.NewRecorder()
		srv.ServeHTTP(w,
			httptest.NewRequest("GET", "http://localhost/_fake/users?token=alice", nil))
		return w.Body.String()
	}
	f.Fuzz(func(t *testing.T, method, path, token, body string) {
		if strings.ContainsFunc(method+path, cannotBeSent) || method == "" ||
			strings.HasPrefix(path, "event") {
			t.Skip("no request that a client can send")
		}
		srv.ResetAll()
		before := state()
		target := "http://localhost/_fake/" + path + "?" + ofToken(token)
		r, err := http.NewRequest(method, target, strings.NewReader(body))
		if err != nil {
			t.Skip("no request that a client can send")
		}
		w := httptest.NewRecorder()
		srv.ServeHTTP(w, r)
		if w.Code >= 500 && w.Code != 507 {
			t.Errorf("%s %s is answered %d %s", method, path, w.Code, w.Body)
		}
		if w.Code < 400 {
			return
		}
		var problem struct {
			Detail   string
			Mistakes []struct {
				Line    int
				Problem string
			}
		}
		if err := json.Unmarshal(w.Body.Bytes(),
			&problem); method != "HEAD" && (err != nil || problem.Detail == "") {
			t.Errorf("%s %s is answered %d %s", method, path, w.Code, w.Body)
		}
		for _, m := range problem.Mistakes {
			// the token is not in the body
			if m.Line < 1 && !strings.Contains(m.Problem, "token") || m.Problem == "" {
				t.Errorf("a mistake is %+v", m)
			}
		}
		if after := state(); after != before {
			t.Errorf("what was refused has changed the user from %s to %s", before, after)
		}
	})
}

// fuzzMistake is the variable that makes the target of FuzzTestServer ask for what the service does
// not have: with a token of the server, or of the test.
const fuzzMistake = "FUZZ_TARGET_ASKS_WITH_THE_TOKEN_OF"

// FuzzTestServer has one server for all calls of a fuzz target, which steers it, and asks it.
func FuzzTestServer(f *testing.F) {
	for _, status := range []int{200, 404, 503} {
		f.Add(status)
	}
	srv := fake.NewTestServer(f)
	handler := newHandler(f, fake.WithTB(f))
	f.Fuzz(func(t *testing.T, status int) {
		if status < 200 || status > 599 {
			t.Skip("no status of an answer")
		}
		user := fixtures.User{Replies: []fixtures.Reply{{Status: status}}}
		c := srv.For(t)
		c.SetUser(user)
		srv.SetUser("alice", user)
		handler.SetUser("alice", user)
		answers := []int{
			through(t, srv, listPath, c.Token()),
			through(t, srv, listPath, "alice"),
			record(handler, "alice").Code,
		}
		for i, got := range answers {
			if got != status {
				t.Errorf("answer %d is %d, want %d", i, got, status)
			}
		}
		switch os.Getenv(fuzzMistake) {
		case "server":
			through(t, srv, "/api/users", "alice")
		case "test":
			through(t, srv, "/api/users", c.Token())
		}
	})
}

// The seeds of a fuzz test are as strict as any test: what goes wrong with a token of the server
// fails the fuzz test at its end, and with one of For the call of the target.
func TestFuzzSeedsAreStrict(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for mistake, want := range map[string]struct {
		exitCode int
		parts    []string
	}{
		"": {0, []string{"PASS"}},
		"server": {
			exitCode: 1,
			parts: []string{
				"--- FAIL: FuzzTestServer ", "a request matched nothing:",
				"GET /api/users with token",
			},
		},
		"test": {1, []string{
			"--- FAIL: FuzzTestServer/seed#0 ", "a request matched nothing:",
			"GET /api/users with token",
		}},
	} {
		t.Run(mistake, func(t *testing.T) {
			t.Parallel()
			cmd := exec.CommandContext(t.Context(), self, "-test.run=^FuzzTestServer$")
			cmd.Env = append(os.Environ(), fuzzMistake+"="+mistake)
			out, _ := cmd.CombinedOutput() // its exit code is checked
			if got := cmd.ProcessState.ExitCode(); got != want.exitCode {
				t.Errorf("the test binary ends with %d, want %d:\n%s", got, want.exitCode, out)
			}
			expect(t, string(out), want.parts...)
		})
	}
}
