package fake_test

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"example.com/campaignfake/fake"
)

// serveGone sends a request to a handler, as a client that has gone away already,
// which ends whatever waits. Connections that are broken off are no answer.
func serveGone(t *testing.T, handler http.Handler, r *http.Request) (w *httptest.ResponseRecorder) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.WithValue(r.Context(), http.LocalAddrContextKey, net.Addr(&net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 1})))
	cancel()
	w = httptest.NewRecorder()
	defer func() {
		if p := recover(); p != nil && p != http.ErrAbortHandler {
			t.Fatalf("the handler panics: %v", p)
		}
	}()
	handler.ServeHTTP(w, r.WithContext(ctx))
	return w
}

// FuzzHeaders sends whatever clients put into headers. Credentials are good, or
// answered 401; a host that is none of this machine's gets nothing of the control
// plane.
func FuzzHeaders(f *testing.F) {
	for _, seed := range [][2]string{
		{"Bearer alice", "localhost"}, {"bearer  alice ", "127.0.0.1:8642"}, {"Basic YTpi", "[::1]:80"},
		{"Bearer", "evil.test"}, {"Bearer alice bob", "localhost.evil.test"}, {"", "LOCALHOST."}, {"Bearer \xff", "127.1"},
	} {
		f.Add(seed[0], seed[1])
	}
	srv, err := fake.New(fake.WithUser("alice", fake.User{Campaigns: []fake.Campaign{spring}}))
	if err != nil {
		f.Fatal(err)
	}
	defer srv.Close()
	f.Fuzz(func(t *testing.T, authorization, host string) {
		r := httptest.NewRequest("GET", "/api/user/campaigns", nil)
		r.Header = http.Header{"Authorization": {authorization}}
		w := serveGone(t, srv, r)
		token, bearer := strings.CutPrefix(authorization, "Bearer ")
		if good := bearer && strings.Trim(token, " ") == "alice"; w.Code == 401 && good || w.Code == 200 && !strings.Contains(strings.ToLower(authorization), "bearer ") {
			t.Errorf("%q is answered %d", authorization, w.Code)
		}
		if strings.HasPrefix(w.Header().Get("Content-Type"), "application/") && !json.Valid(w.Body.Bytes()) {
			t.Errorf("the answer is %s", w.Body)
		}
		r = httptest.NewRequest("GET", "/_fake/users", nil)
		r.Host = host
		w = serveGone(t, srv, r)
		name := host
		if h, _, err := net.SplitHostPort(host); err == nil {
			name = h
		}
		name = strings.TrimSuffix(strings.ToLower(strings.Trim(name, "[]")), ".")
		ip := net.ParseIP(name)
		if w.Code == 200 && name != "localhost" && !strings.HasSuffix(name, ".localhost") && (ip == nil || !ip.IsLoopback()) && !strings.Contains(name, "%") {
			t.Errorf("the host %q is answered %s", host, w.Body)
		}
		if !slices.Contains([]int{200, 403}, w.Code) {
			t.Errorf("the host %q is answered %d", host, w.Code)
		}
	})
}

// FuzzControl sends whatever clients put into bodies and tokens. What is refused
// says why, and changes nothing.
func FuzzControl(f *testing.F) {
	for _, seed := range []string{`{}`, `[]`, `{"campaigns": [{"id": "1"}]}`, `[{"status": 503, "times": 2}]`, `{"generate": {"count": 3}, "delay": "1s"}`, "{", "nul", "\"\\ud800\""} {
		f.Add("PUT", "users", "alice", seed)
		f.Add("POST", "replies", "alice", seed)
	}
	f.Add("PUT", "users", " ", "{}")
	f.Add("DELETE", "users", "alice", "")
	f.Add("GET", "requests", "a/b?c#d%zz", "")
	srv, err := fake.New(fake.WithUser("alice", fake.User{Campaigns: []fake.Campaign{spring}}))
	if err != nil {
		f.Fatal(err)
	}
	defer srv.Close()
	state := func(t *testing.T) string {
		r := httptest.NewRequest("GET", "/_fake/users?token=alice", nil)
		r.Host = "localhost"
		return serveGone(t, srv, r).Body.String()
	}
	f.Fuzz(func(t *testing.T, method, path, token, body string) {
		if strings.ContainsFunc(method+path, func(r rune) bool { return r <= ' ' || r > '~' || strings.ContainsRune("?#%:\\", r) }) || method == "" || strings.HasPrefix(path, "event") {
			t.Skip("no request that a client can send")
		}
		srv.ResetAll()
		before := state(t)
		r, err := http.NewRequest(method, "http://localhost/_fake/"+path+"?token="+url.QueryEscape(token), strings.NewReader(body))
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
		if err := json.Unmarshal(w.Body.Bytes(), &problem); method != "HEAD" && (err != nil || problem.Detail == "") {
			t.Errorf("%s %s is answered %d %s", method, path, w.Code, w.Body)
		}
		for _, m := range problem.Mistakes {
			if m.Line < 1 && !strings.Contains(m.Problem, "token") || m.Problem == "" { // the token is not in the body
				t.Errorf("a mistake is %+v", m)
			}
		}
		if after := state(t); after != before {
			t.Errorf("what was refused has changed the user from %s to %s", before, after)
		}
	})
}
