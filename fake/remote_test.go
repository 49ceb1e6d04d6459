package fake_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// steered is what a test needs of a server, be it in the same process or not.
type steered interface {
	BaseURL() string
	Client() *http.Client
	SetUser(token string, u fake.User) error
	RemoveUser(token string) error
	SetService(service fake.Service) error
	Enqueue(token string, replies ...fake.Reply) error
	Requests(tokens ...string) []fake.Request
	AwaitRequests(ctx context.Context, token string, n int) error
	AwaitAnswers(ctx context.Context, token string, n int) error
	CheckRequests(tb fake.TB, token string, n int)
	ClearRequests()
	ClearTokens(tokens ...string)
	Reset()
	ResetTokens(tokens ...string)
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
		if want := "campaignfake: 2 requests of token \"alice\", want 3\nThese were:\n\t1. GET /api/user/campaigns with token \"alice\": 200, 0 campaigns\n\t4. "; !strings.HasPrefix(failing.text(), want) {
			t.Errorf("the failure is %s, want %s", failing.text(), want)
		}
		srv.ClearTokens()
		srv.ResetTokens()
		srv.CheckRequests(tb, "alice", 2)
		srv.ClearTokens("alice", "")
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
		"http://127.0.0.1:1/api":    "there is no server to control at the base URL http://127.0.0.1:1/api: ",
		other.URL + "/api":          "GET /_fake/health answers 404 Not Found",
		closed.BaseURL():            "the control plane is off at ",
		"http://campaigns.invalid/": "there is no server to control",
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
// client that was handed out does not concern the control plane.
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
		if err == nil || !strings.Contains(err.Error(), "redirects to /elsewhere/_fake/") {
			t.Errorf("%s behind a redirect returns %v", name, err)
		}
	}
}

// The journal keeps what was answered, whatever became of it, and tells it to
// another process as well.
func TestAnswersInTheJournal(t *testing.T) {
	t.Parallel()
	// An even number of bytes, so that the 256th is in the middle of a character.
	text := strings.Repeat("é€", 100)
	long := fake.User{Campaigns: []fake.Campaign{{ID: "1", Name: "x" + text, CreatedAt: "c", UpdatedAt: "u", Status: "active"}}}
	body := `{"campaigns":[{"id":"1","name":"x` + text + `","created_at":"c","updated_at":"u","status":"active"}]}`
	with := func(r fake.Reply) fake.User {
		u := long
		r.Times = fake.Always
		u.Replies = []fake.Reply{r}
		return u
	}
	const problem = `{"type":"about:blank","title":"`
	onBoth(t, func(t *testing.T, tb *recorder, srv steered) {
		root := strings.TrimSuffix(srv.BaseURL(), "/api")
		list(t, srv, "limit")
		for name, tt := range map[string]struct {
			method, path, token string
			header              http.Header
			status              int
			body                string // how it begins
			bytes               int    // -1 if it is that of what is received
			headers             http.Header
			broken              bool // the client gets no whole answer
		}{
			"normal":    {token: "long", status: 200, body: body, bytes: len(body), headers: http.Header{"Content-Type": {"application/json"}, "Content-Length": {strconv.Itoa(len(body))}}},
			"short":     {token: "short", status: 200, body: `{"campaigns":[]}`, bytes: 16, headers: http.Header{"Content-Length": {"16"}}},
			"HEAD":      {method: "HEAD", token: "long", status: 200, body: body, bytes: len(body), headers: http.Header{"Content-Length": {strconv.Itoa(len(body))}}},
			"no token":  {status: 401, body: problem + `Unauthorized","status":401`, bytes: -1, headers: http.Header{"Www-Authenticate": {"Bearer"}, "Content-Type": {"application/problem+json"}}},
			"unknown":   {token: "nobody", status: 401, body: problem + `Unauthorized"`, bytes: -1, headers: http.Header{"Www-Authenticate": {`Bearer error="invalid_token"`}}},
			"not found": {path: "/elsewhere", token: "long", status: 404, body: problem + `Not Found"`, bytes: -1},
			"method":    {method: "PUT", token: "long", status: 405, body: problem + `Method Not Allowed"`, bytes: -1, headers: http.Header{"Allow": {"GET, HEAD"}}},
			"limit":     {token: "limit", status: 429, body: problem + `Too Many Requests"`, bytes: -1, headers: http.Header{"Retry-After": {"86400"}}},
			"delay":     {token: "delay", status: 200, body: body, bytes: len(body)},
			"rate":      {token: "rate", status: 200, body: body, bytes: len(body)},
			"empty":     {token: "empty", status: 200, headers: http.Header{"X-Many": {"a, b"}}},
			"bad_json":  {token: "bad_json", status: 200, body: body[:30], bytes: -1},
			"wrong":     {token: "wrong_type", status: 200, body: "<!DOCTYPE html>", bytes: -1, headers: http.Header{"Content-Type": {"text/html; charset=utf-8"}}},
			"truncate":  {token: "truncate", status: 200, body: body[:250], bytes: len(body), headers: http.Header{"Content-Length": {strconv.Itoa(len(body))}}, broken: true},
			"bad_chunk": {token: "bad_chunk", status: 200, body: body[:250], bytes: len(body), headers: http.Header{"Transfer-Encoding": {"chunked"}}, broken: true},
			"reset":     {token: "reset", broken: true},
			"close":     {token: "close", broken: true},
			"garbage":   {token: "garbage", broken: true},
			"no UTF-8":  {token: "binary", status: 200, bytes: -1},
			"origin": {token: "short", header: http.Header{"Origin": {"http://a.test"}}, status: 200, body: `{"campaigns":[]}`, bytes: 16,
				headers: http.Header{"Access-Control-Allow-Origin": {"*"}, "Vary": {"Origin"}}},
			"preflight": {method: "OPTIONS", header: http.Header{"Origin": {"http://a.test"}, "Access-Control-Request-Method": {"GET"}}, status: 204, headers: http.Header{"Access-Control-Allow-Methods": {"GET"}}},
			"prefer":    {token: "long", header: http.Header{"Prefer": {"code=503"}}, status: 503, body: problem + `Service Unavailable"`, bytes: -1, headers: http.Header{"Preference-Applied": {"code=503"}}},
		} {
			r, err := http.NewRequest(cmp.Or(tt.method, "GET"), root+cmp.Or(tt.path, listPath), nil)
			if err != nil {
				t.Fatal(err)
			}
			if tt.header != nil {
				r.Header = tt.header.Clone()
			}
			if tt.token != "" {
				r.Header.Set("Authorization", "Bearer "+tt.token)
			}
			srv.ClearRequests()
			var received []byte
			response, err := srv.Client().Do(r)
			if err == nil {
				received, err = io.ReadAll(response.Body)
				response.Body.Close()
			}
			if (err != nil) != tt.broken {
				t.Errorf("%s: the client gets %q, %v", name, received, err)
				continue
			}
			requests := srv.Requests()
			if len(requests) != 1 {
				t.Fatalf("%s: the journal has %d requests", name, len(requests))
			}
			entry := requests[0]
			got := entry.Answer
			if entry.Status != tt.status || (got.Header == nil) != (tt.status == 0) {
				t.Errorf("%s: the entry has the status %d, and the answer %+v; want %d", name, entry.Status, got, tt.status)
			}
			for header, want := range tt.headers {
				if !reflect.DeepEqual(got.Header[header], want) {
					t.Errorf("%s: the answer has %s: %q, want %q", name, header, got.Header[header], want)
				}
			}
			if got.Header["Date"] != nil {
				t.Errorf("%s: the answer has the date %s", name, got.Header["Date"])
			}
			want := tt.bytes
			if want < 0 {
				want = len(received)
			}
			if got.Bytes != want {
				t.Errorf("%s: the answer has %d bytes, want %d", name, got.Bytes, want)
			}
			if !utf8.Valid(received) {
				continue // which JSON cannot carry as it is
			}
			if !strings.HasPrefix(got.Body, tt.body) || len(got.Body) != want {
				t.Errorf("%s: the body is %q, want %q at its start, and %d bytes", name, got.Body, tt.body, want)
			}
			if got.Sent != len(received) || !strings.HasPrefix(got.Body, string(received)) || tt.broken && tt.status != 0 && got.Sent >= got.Bytes {
				t.Errorf("%s: %d bytes of %q were sent, and %q was received", name, got.Sent, got.Body, received)
			}
			if response == nil || tt.broken {
				continue
			}
			// What the client gets beside that is the server's own.
			for _, header := range []string{"Date", "Connection"} {
				response.Header.Del(header)
				got.Header.Del(header)
			}
			if !reflect.DeepEqual(got.Header, response.Header) {
				t.Errorf("%s: the answer is kept with %q, and was received with %q", name, got.Header, response.Header)
			}
		}
	},
		fake.WithUser("long", long), fake.WithUser("short", fake.User{}),
		fake.WithUser("limit", fake.User{RateLimit: &fake.RateLimit{Requests: 1, Per: 24 * time.Hour}, Campaigns: []fake.Campaign{}}),
		fake.WithUser("delay", with(fake.Reply{Delay: &fake.Delay{Fixed: time.Millisecond}})), fake.WithUser("rate", with(fake.Reply{Rate: 1 << 20})),
		fake.WithUser("empty", with(fake.Reply{Status: 200, Body: "", Headers: map[string]string{"X-Many": "a, b"}})),
		fake.WithUser("bad_json", with(fake.Reply{Fault: "bad_json"})), fake.WithUser("wrong_type", with(fake.Reply{Fault: "wrong_type"})),
		fake.WithUser("truncate", with(fake.Reply{Fault: "truncate"})), fake.WithUser("bad_chunk", with(fake.Reply{Fault: "bad_chunk"})),
		fake.WithUser("reset", with(fake.Reply{Fault: "reset"})), fake.WithUser("close", with(fake.Reply{Fault: "close"})), fake.WithUser("garbage", with(fake.Reply{Fault: "garbage"})),
		fake.WithUser("binary", with(fake.Reply{Body: strings.Repeat("\x80", 300)})))
}

// While there is no answer, none is kept.
func TestAnswersThatAreDelayed(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, tb *recorder, srv steered) {
		ctx, cancel := context.WithCancel(t.Context())
		gone := make(chan error)
		go func() {
			r, err := http.NewRequestWithContext(ctx, "GET", srv.BaseURL()+"/user/campaigns", nil)
			if err == nil {
				r.Header = bearer("alice")
				_, err = srv.Client().Do(r)
			}
			gone <- err
		}()
		if err := srv.AwaitRequests(t.Context(), "alice", 1); err != nil {
			t.Fatal(err)
		}
		if r := srv.Requests("alice")[0]; r.Status != 0 || r.Answer.Header != nil || r.Answer.Body != "" || r.Answer.Bytes != 0 {
			t.Errorf("while it is delayed, the answer is %d %+v", r.Status, r.Answer)
		}
		cancel()
		if err := <-gone; err == nil {
			t.Error("a client that has gone away has an answer")
		}
		r := srv.Requests("alice")[0]
		for ; !strings.Contains(r.Reason, "went away"); r = srv.Requests("alice")[0] {
		}
		if r.Status != 0 || r.Answer.Header != nil || r.Answer.Body != "" {
			t.Errorf("when the client has gone away, the answer is %d %+v", r.Status, r.Answer)
		}
	}, fake.WithUser("alice", fake.User{Campaigns: []fake.Campaign{spring}, Delay: &fake.Delay{Fixed: 24 * time.Hour}}))
}

// A control plane on a listener of its own is found by its own URL.
func TestConnectToAControlPlaneOfItsOwn(t *testing.T) {
	t.Parallel()
	handler, err := fake.New(fake.WithoutControl(), fake.WithUser("alice", fake.User{}))
	if err != nil {
		t.Fatal(err)
	}
	outer, control := httptest.NewServer(handler), httptest.NewServer(handler.Control())
	t.Cleanup(func() {
		handler.Close()
		outer.Close()
		control.Close()
	})
	for _, controlURL := range []string{"/_fake", "/_fake/", "", "/"} {
		var tb recorder
		srv := fake.Connect(&tb, outer.URL+"/api", fake.WithControlURL(control.URL+controlURL))
		if got, want := srv.BaseURL(), outer.URL+"/api"; got != want {
			t.Errorf("the base URL is %s, want %s", got, want)
		}
		srv.Reset()
		if err := srv.Enqueue("alice", fake.Reply{Status: 503}); err != nil {
			t.Error(err)
		}
		if got := answered(t, srv, "alice", 2); got != "503 200" {
			t.Errorf("the answers are %s", got)
		}
		srv.CheckRequests(&tb, "alice", 2)
		if tb.Failed() {
			t.Errorf("the test is told %s", tb.text())
		}
	}
	for name, tt := range map[string]struct {
		options []fake.ConnectOption
		want    string
	}{
		"none":           {nil, "the control plane is off at " + outer.URL},
		"no URL":         {[]fake.ConnectOption{fake.WithControlURL("127.0.0.1:9000")}, "is not the URL of a control plane; write one as http://127.0.0.1:9000/_fake"},
		"an empty one":   {[]fake.ConnectOption{fake.WithControlURL("")}, "is not the URL of a control plane"},
		"the API's":      {[]fake.ConnectOption{fake.WithControlURL(outer.URL)}, "there is no server to control at the base URL " + outer.URL + "/api"},
		"a wrong base":   {[]fake.ConnectOption{fake.WithControlURL(control.URL + "?a=b")}, "is not the URL of a control plane"},
		"nobody's":       {[]fake.ConnectOption{fake.WithControlURL("http://127.0.0.1:1/_fake")}, "there is no server to control"},
		"another scheme": {[]fake.ConnectOption{fake.WithControlURL("ftp://127.0.0.1/_fake")}, "is not the URL of a control plane"},
	} {
		func() {
			var tb recorder
			defer func() {
				if p := recover(); p != (fatal{}) || !strings.Contains(tb.text(), tt.want) {
					t.Errorf("Connect to %s ends with %v: %s; want %s", name, p, tb.text(), tt.want)
				}
			}()
			fake.Connect(&tb, outer.URL+"/api", tt.options...)
		}()
	}
}

// What a server alone can know is wrong is told as mistakes, too.
func TestSteeringIsRefusedWithMistakes(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, tb *recorder, srv steered) {
		err := srv.SetUser("alice", fake.User{Generate: &fake.Generate{Count: 11}}) // with ids of one digit
		var mistakes *fixtures.Mistakes
		if !errors.As(err, &mistakes) || len(mistakes.List) != 1 || !strings.Contains(err.Error(), "count") {
			t.Errorf("SetUser returns %v", err)
		}
		if !strings.Contains(tb.text(), "campaignfake: SetUser: ") {
			t.Errorf("the test is told %s", tb.text())
		}
	}, fake.WithService(fake.Service{IDs: "c#"}))
}

// A journal that is begun anew, while it is read page by page, is read anew: its
// numbers mean others then.
func TestSteeringAJournalThatIsReset(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		after int // so many pages
		sent  int // so many requests come after the reset
	}{
		"few after the first page": {1, 3}, "many after the first page": {1, 1200}, "none after the first page": {1, 0}, "few after the second page": {2, 3}, "many after the second page": {2, 2050},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			handler, err := fake.New(fake.WithJournal(3000), fake.WithUser("alice", fake.User{}))
			if err != nil {
				t.Fatal(err)
			}
			pages := 0
			outer := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/_fake/requests" {
					if pages++; pages == tt.after+1 {
						handler.Reset()
						for range tt.sent {
							handler.ServeHTTP(httptest.NewRecorder(), aliceRequest())
						}
					}
				}
				handler.ServeHTTP(w, r)
			}))
			defer outer.Close()
			defer handler.Close()
			var tb recorder
			srv := fake.Connect(&tb, outer.URL+"/api")
			for range 2500 {
				handler.ServeHTTP(httptest.NewRecorder(), aliceRequest())
			}
			all := srv.Requests()
			if len(all) != tt.sent {
				t.Errorf("%d requests are returned, want %d", len(all), tt.sent)
			}
			for i, r := range all {
				if r.Number != i+1 {
					t.Fatalf("request %d has the number %d", i+1, r.Number)
				}
			}
			if pages <= tt.after || tb.Failed() {
				t.Errorf("%d pages were read, and the test is told %s", pages, tb.text())
			}
		})
	}
}

// The number of the journal is that of the requests that are listed, though they
// have been waited for.
func TestSteeringAJournalThatIsResetMeanwhile(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		srv := fake.NewTestServer(t, fake.InMemory(), fake.WithUser("alice", fake.User{}))
		ask(t, srv, "GET", listPath, bearer("bob"))
		type page struct {
			Requests         []fake.Request
			Journal, Version int
			Count            *int
		}
		get := func(query string) (p page) {
			_, answer := steer(t, srv, "GET", "requests"+query, "")
			if err := json.Unmarshal([]byte(answer), &p); err != nil {
				t.Errorf("the list is %s", answer)
			}
			return p
		}
		before := get("")
		awaited := make(chan page)
		go func() { awaited <- get("?token=alice&await=1") }()
		synctest.Wait()
		srv.Reset()
		ask(t, srv, "GET", listPath, bearer("alice"))
		got, now := <-awaited, get("")
		if now.Journal == before.Journal || now.Version <= before.Version {
			t.Errorf("after the reset, the journal is %d in version %d, and was %d in %d", now.Journal, now.Version, before.Journal, before.Version)
		}
		if got.Journal != now.Journal || len(got.Requests) != 1 || got.Requests[0].Number != 1 || got.Count == nil || *got.Count != 1 {
			t.Errorf("what was waited for is %+v, want journal %d", got, now.Journal)
		}
		srv.ResetTokens("alice")
		srv.ClearRequests()
		if p := get(""); p.Journal != now.Journal || p.Version <= now.Version || len(p.Requests) != 0 {
			t.Errorf("after a reset of one token, the list is %+v, want journal %d", p, now.Journal)
		}
	})
}

// An answer counts when it is complete, and requests that were cleared before it do not.
func TestAwaitAnswers(t *testing.T) {
	t.Parallel()
	for _, options := range [][]fake.Option{nil, {fake.WithJournal(0)}} {
		onBoth(t, func(t *testing.T, _ *recorder, srv steered) {
			ctx, leave := context.WithCancel(t.Context())
			left := make(chan error)
			go func() {
				r, err := http.NewRequestWithContext(ctx, "GET", srv.BaseURL()+"/user/campaigns", nil)
				if err == nil {
					r.Header.Set("Authorization", "Bearer alice")
					_, err = srv.Client().Do(r)
				}
				left <- err
			}()
			if err := srv.AwaitRequests(t.Context(), "alice", 1); err != nil {
				t.Fatal(err)
			}
			over, cancel := context.WithTimeout(t.Context(), time.Millisecond)
			defer cancel()
			if err := srv.AwaitAnswers(over, "alice", 1); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("before its answer, AwaitAnswers returns %v", err)
			}
			srv.ClearRequests()
			if err := srv.SetUser("alice", fake.User{}); err != nil {
				t.Fatal(err)
			}
			leave()
			if err := <-left; !errors.Is(err, context.Canceled) {
				t.Errorf("the request that was delayed ended with %v", err)
			}
			answered := make(chan bool)
			go func() {
				list(t, srv, "alice")
				close(answered)
			}()
			if err := srv.AwaitAnswers(t.Context(), "alice", 1); err != nil {
				t.Fatal(err)
			}
			if journal := srv.Requests("alice"); len(journal) > 0 && !journal[len(journal)-1].Complete {
				t.Errorf("the request that was awaited is %+v", journal)
			}
			<-answered
		}, append(options, fake.WithUser("alice", fake.User{Delay: &fake.Delay{Fixed: time.Hour}}))...)
	}
}

// When its test ends, a Remote puts back what it has changed, and nothing else.
func TestRemoteGivesBack(t *testing.T) {
	t.Parallel()
	handler, err := fake.New(fake.WithUser("alice", fake.User{Campaigns: []fake.Campaign{spring}}), fake.WithUser("bob", fake.User{}))
	if err != nil {
		t.Fatal(err)
	}
	outer := httptest.NewServer(handler)
	t.Cleanup(outer.Close)
	if err := handler.Enqueue("bob", fake.Reply{Status: 503}); err != nil {
		t.Fatal(err)
	}
	var tb recorder
	srv := fake.Connect(&tb, outer.URL+handler.BaseURL())
	srv.SetUser("alice", fake.User{})
	srv.SetUser("carol", fake.User{})
	srv.Enqueue("alice", fake.Reply{Status: 500})
	srv.SetService(fake.Service{Envelope: "data"})
	if status, body := list(t, srv, "carol"); status != 200 || body != `{"data":[]}` {
		t.Errorf("while the test runs, the server answers %d %s", status, body)
	}
	tb.finish()
	if text := tb.text(); text != "" {
		t.Error(text)
	}
	for token, want := range map[string]string{"alice": `"Spring`, "carol": "invalid_token", "bob": "503"} {
		response := record(handler, token)
		if got := fmt.Sprint(response.Code, response.Header(), response.Body); !strings.Contains(got, want) {
			t.Errorf("after the test, %s gets %s, want %s", token, got, want)
		}
	}
}
