package fake_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// cannotBeSent reports whether a character cannot stand in a method or a path as it is.
func cannotBeSent(r rune) bool {
	return r <= ' ' || r > '~' || strings.ContainsRune("?#%:\\", r)
}

// FuzzControl sends whatever clients put into bodies and tokens. A refused request gets a reason,
// and changes nothing.
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
		target := "http://localhost/_fake/" + path + "?token=" + url.QueryEscape(token)
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

// A server for a fuzz test is refused, and the message says where to make it.
func FuzzTestServer(f *testing.F) {
	const want = "make the server in the target, with its *testing.T"
	if _, err := fake.New(fake.WithTB(f)); err == nil || !strings.Contains(err.Error(), want) {
		f.Errorf("the error is %v", err)
	}
	f.Fuzz(func(*testing.T, bool) {})
}
