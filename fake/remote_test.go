package fake_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"example.com/campaignfake/fake"
)

// steered is what a test needs of a server, be it in the same process or not.
type steered interface {
	BaseURL() string
	Client() *http.Client
	SetUser(token string, u fake.User) error
	RemoveUser(token string) error
	Enqueue(token string, replies ...fake.Reply) error
	Requests(tokens ...string) []fake.Request
	AwaitRequests(ctx context.Context, token string, n int) error
	CheckRequests(tb fake.TB, token string, n int)
	ClearRequests(tokens ...string)
	Reset(tokens ...string)
	Reload() error
}

var (
	_ steered = (*fake.Server)(nil)
	_ steered = (*fake.Remote)(nil)
)

// onBoth runs a test on a server, and on another by way of its control plane.
func onBoth(t *testing.T, test func(t *testing.T, tb *recorder, srv steered), options ...fake.Option) {
	t.Run("in the process", func(t *testing.T) {
		t.Parallel()
		var tb recorder
		defer tb.finish()
		test(t, &tb, fake.NewTestServer(&tb, append(options, fake.Lenient())...))
	})
	t.Run("in another", func(t *testing.T) {
		t.Parallel()
		var tb recorder
		defer tb.finish()
		test(t, &tb, remote(t, &tb, options...))
	})
}

// remote makes a server, and returns it as it is steered from another process.
func remote(t *testing.T, tb *recorder, options ...fake.Option) *fake.Remote {
	t.Helper()
	handler, err := fake.New(options...)
	if err != nil {
		t.Fatal(err)
	}
	outer := httptest.NewServer(handler)
	t.Cleanup(func() {
		handler.Close()
		outer.Close()
	})
	return fake.Connect(tb, outer.URL+handler.BaseURL()+"/")
}

// list asks for a token's campaigns, and returns the status and the body.
func list(t *testing.T, srv steered, token string) (int, string) {
	t.Helper()
	r, err := http.NewRequest("GET", srv.BaseURL()+"/user/campaigns", nil)
	if err != nil {
		t.Fatal(err)
	}
	if token != "" {
		r.Header = bearer(token)
	}
	response, body := send(t, srv, r)
	return response.StatusCode, body
}

func TestSteeringUsers(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, tb *recorder, srv steered) {
		user := fake.User{
			Description: "of <all> kinds",
			Campaigns:   []fake.Campaign{spring, {ID: "2", Omit: []string{"created_at", "updated_at"}, Extra: map[string]any{"name": nil, "n": 1.5}}},
			Replies:     []fake.Reply{{Status: 503, Headers: map[string]string{"Retry-After": "1"}, Times: 2}, {Body: map[string]any{"a": "b"}, Delay: &fake.Delay{To: time.Millisecond}}},
			RateLimit:   &fake.RateLimit{Requests: 1000, Per: time.Hour}, Chaos: &fake.Chaos{Status: map[int]float64{500: 0}},
		}
		if err := srv.SetUser("a/b?c=d", user); err != nil {
			t.Fatal(err)
		}
		for i, want := range []string{"Unavailable", "Unavailable", `{"a":"b"}`, `"id":"2","name":null,"status":"","n":1.5}]}`} {
			if _, body := list(t, srv, "a/b?c=d"); !strings.Contains(body, want) {
				t.Errorf("answer %d is %s, want %s in it", i, body, want)
			}
		}
		if err := srv.Enqueue("alice", fake.Reply{Fault: "wrong_type"}, fake.Reply{Response: "invalid_token", Times: fake.Always}); err != nil {
			t.Fatal(err)
		}
		for i, want := range []string{"<!DOCTYPE html>", "is not valid", "is not valid"} {
			if _, body := list(t, srv, "alice"); !strings.Contains(body, want) {
				t.Errorf("answer %d after Enqueue is %s, want %s in it", i, body, want)
			}
		}
		if err := srv.RemoveUser("alice"); err != nil {
			t.Fatal(err)
		}
		if status, _ := list(t, srv, "alice"); status != 401 {
			t.Errorf("after RemoveUser, the status is %d", status)
		}
		srv.Reset()
		if status, body := list(t, srv, "alice"); status != 200 || body != `{"campaigns":[]}` {
			t.Errorf("after Reset, the answer is %d %s", status, body)
		}
		if tb.Failed() {
			t.Errorf("the test is told %s", tb.text())
		}
	}, fake.WithUser("alice", fake.User{}))
}

func TestSteeringIsRefused(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, tb *recorder, srv steered) {
		for name, tt := range map[string]struct {
			err  error
			want string
		}{
			"SetUser":    {srv.SetUser("alice", fake.User{Delay: &fake.Delay{Fixed: -1}}), "delay: -1ns is negative"},
			"RemoveUser": {srv.RemoveUser("bob"), `o user has the token "bob"`},
			"Enqueue":    {srv.Enqueue("bob", fake.Reply{}), `o user has the token "bob"`},
		} {
			if tt.err == nil || !strings.Contains(tt.err.Error(), tt.want) || !strings.Contains(tb.text(), name+": ") {
				t.Errorf("%s returns %v, and the test is told %s; want %s", name, tt.err, tb.text(), tt.want)
			}
		}
	}, fake.WithUser("alice", fake.User{}))
}

func TestSteeringTheJournal(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, tb *recorder, srv steered) {
		for _, token := range []string{"alice", "", "bob", "alice"} {
			list(t, srv, token)
		}
		var seen []string
		for _, r := range srv.Requests() {
			seen = append(seen, r.Token)
			if r.Number != len(seen) || r.Method != "GET" || r.URL != "/api/user/campaigns" || r.Host == "" || r.Reason == "" || r.At.IsZero() || r.Duration <= 0 ||
				r.Token != "" && r.Header.Get("Authorization") != "Bearer "+r.Token {
				t.Errorf("request %d is %+v", len(seen), r)
			}
		}
		if want := []string{"alice", "", "bob", "alice"}; !reflect.DeepEqual(seen, want) {
			t.Errorf("the requests are of %q, want %q", seen, want)
		}
		if got := len(srv.Requests("", "bob")); got != 2 {
			t.Errorf("%d requests are of nobody and of bob, want 2", got)
		}
		srv.CheckRequests(tb, "alice", 2)
		srv.CheckRequests(tb, "", 1)
		if tb.Failed() {
			t.Errorf("the test fails: %s", tb.text())
		}
		var failing recorder
		srv.CheckRequests(&failing, "alice", 3)
		if want := "campaignfake: 2 requests of token \"alice\", want 3\nThese were:\n\t1. GET /api/user/campaigns with token \"alice\": 200, user \"alice\": 0 campaigns as written\n\t4. "; !strings.HasPrefix(failing.text(), want) {
			t.Errorf("the failure is %s, want %s", failing.text(), want)
		}
		srv.ClearRequests("alice", "")
		srv.CheckRequests(tb, "alice", 0)
		srv.CheckRequests(tb, "bob", 1)
		srv.ClearRequests()
		if got := len(srv.Requests()); got != 0 {
			t.Errorf("%d requests are left", got)
		}
	}, fake.WithUser("alice", fake.User{}))
}

// More requests than one answer lists come all the same, in their order.
func TestSteeringALongJournal(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, tb *recorder, srv steered) {
		const n = 2100
		for range n {
			list(t, srv, "alice")
		}
		all := srv.Requests("alice")
		for i, r := range all {
			if r.Number != i+1 {
				t.Fatalf("request %d has the number %d", i+1, r.Number)
			}
		}
		if len(all) != n {
			t.Errorf("there are %d requests, want %d", len(all), n)
		}
	}, fake.WithUser("alice", fake.User{}), fake.WithJournal(3000), fake.WithLogger(nil))
}

func TestSteeringAwaits(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, tb *recorder, srv steered) {
		done := make(chan error)
		go func() { done <- srv.AwaitRequests(t.Context(), "alice", 3) }()
		for range 3 {
			select {
			case err := <-done:
				t.Fatalf("AwaitRequests returns too early: %v", err)
			default:
			}
			list(t, srv, "alice")
		}
		if err := <-done; err != nil {
			t.Error(err)
		}
		if err := srv.AwaitRequests(t.Context(), "bob", 0); err != nil {
			t.Error(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		if err := srv.AwaitRequests(ctx, "alice", 4); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("AwaitRequests returns %v", err)
		}
		if tb.Failed() {
			t.Errorf("the test is told %s", tb.text())
		}
	}, fake.WithUser("alice", fake.User{}))
}

// A server that is not there, cannot be steered, or is something else ends the
// test, and one that is gone fails it.
func TestConnectToNobody(t *testing.T) {
	t.Parallel()
	other := httptest.NewServer(http.NotFoundHandler())
	defer other.Close()
	closed := fake.NewTestServer(t, fake.WithoutControl())
	for baseURL, want := range map[string]string{
		"127.0.0.1:8642":            `"127.0.0.1:8642" is not a base URL; give one as http://127.0.0.1:8642/api`,
		"http://127.0.0.1:1/api":    "no server that can be steered has the base URL http://127.0.0.1:1/api: ",
		other.URL + "/api":          "GET /_fake/users is answered 404 Not Found",
		closed.BaseURL():            "Here there is /_fake/health",
		"http://campaigns.invalid/": "no server that can be steered",
	} {
		func() {
			var tb recorder
			defer func() {
				if p := recover(); p != (fatal{}) || !strings.Contains(tb.text(), want) {
					t.Errorf("Connect to %s ends with %v: %s; want %s", baseURL, p, tb.text(), want)
				}
			}()
			fake.Connect(&tb, baseURL)
		}()
	}
	handler, err := fake.New()
	if err != nil {
		t.Fatal(err)
	}
	outer := httptest.NewServer(handler)
	var tb recorder
	remote := fake.Connect(&tb, outer.URL+"/api")
	outer.Close()
	remote.Reset()
	remote.Requests()
	remote.ClearRequests()
	remote.CheckRequests(&tb, "alice", 0)
	for _, call := range []string{"Reset: ", "Requests: ", "ClearRequests: ", "CheckRequests: "} {
		if !strings.Contains(tb.text(), call) {
			t.Errorf("the test is not told of %s by %s", call, tb.text())
		}
	}
}

// A proxy that sends requests on would make a GET of everything; a timeout of the
// client that was given away is no business of the control plane's.
func TestConnectBehindARedirect(t *testing.T) {
	t.Parallel()
	handler, err := fake.New(fake.WithUser("alice", fake.User{}))
	if err != nil {
		t.Fatal(err)
	}
	var moved atomic.Bool
	outer := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if moved.Load() {
			http.Redirect(w, r, "/elsewhere"+r.URL.Path, http.StatusMovedPermanently)
			return
		}
		handler.ServeHTTP(w, r)
	}))
	defer outer.Close()
	defer handler.Close()
	var tb recorder
	remote := fake.Connect(&tb, outer.URL+"/api//")
	if got, want := remote.BaseURL(), outer.URL+"/api"; got != want {
		t.Errorf("the base URL is %s, want %s", got, want)
	}
	remote.Client().Timeout = time.Nanosecond
	if err := remote.SetUser("alice", fake.User{}); err != nil {
		t.Errorf("the control plane suffers from the client's timeout: %v", err)
	}
	moved.Store(true)
	for name, err := range map[string]error{"SetUser": remote.SetUser("alice", fake.User{}), "Enqueue": remote.Enqueue("alice", fake.Reply{})} {
		if err == nil || !strings.Contains(err.Error(), "is sent on to /elsewhere/_fake/") {
			t.Errorf("%s behind a redirect returns %v", name, err)
		}
	}
}
