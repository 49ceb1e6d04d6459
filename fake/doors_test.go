package fake_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fake/journal"
	"example.com/campaignfake/fixtures"
)

// A door is a way to control a server: in its own process, or from another.
type door interface {
	reachable
	SetUser(token string, u fixtures.User) error
	RemoveUser(token string) error
	Enqueue(token string, replies ...fixtures.Reply) error
	Requests(tokens ...string) []journal.Request
	AwaitRequests(ctx context.Context, token string, n int) error
	AwaitAnswers(ctx context.Context, token string, n int) error
	CheckRequests(tb fake.TB, token string, n int)
	ClearRequests(tokens ...string)
	Reset(token string, more ...string)
	ResetAll()
}

// A remote is the door of a client that Connect returned. Errors that it drops fail the
// test of that client.
type remote struct{ *clientAlone }

type clientAlone = fake.Client // whose name is not that of the method Client

func (r remote) Client() *http.Client               { return r.HTTPClient() }
func (r remote) ClearRequests(tokens ...string)     { r.clientAlone.ClearRequests(tokens...) }
func (r remote) Reset(token string, more ...string) { r.clientAlone.Reset(token, more...) }
func (r remote) ResetAll()                          { r.clientAlone.ResetAll() }

func (r remote) Requests(tokens ...string) []journal.Request {
	requests, _ := r.clientAlone.Requests(tokens...)
	return requests
}

// onBoth runs a test through both doors, each of a new server with the same options. What goes
// wrong fails the test that it calls test with.
func onBoth(t *testing.T, test func(t *testing.T, srv door), options ...fake.Option) {
	t.Run("in the process", func(t *testing.T) {
		t.Parallel()
		test(t, fake.NewTestServer(t, slices.Concat(options, []fake.Option{fake.WithLenient()})...))
	})
	t.Run("in another", func(t *testing.T) {
		t.Parallel()
		server, root := elsewhere(t, options...)
		test(t, remote{fake.Connect(t, root+server.BaseURL()+"/", fake.WithLenient())})
	})
}

// elsewhere serves a new server as another process would, and returns the URL of that.
func elsewhere(t *testing.T, options ...fake.Option) (server *fake.Server, root string) {
	t.Helper()
	server = newHandler(t, options...)
	outer := httptest.NewServer(server)
	t.Cleanup(func() {
		server.Close()
		outer.Close()
	})
	return server, outer.URL
}

func TestUsersChange(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, srv door) {
		check := func(when, token string, want ...string) {
			t.Helper()
			for i, w := range want {
				if status, body := list(t, srv, token); !strings.Contains(fmt.Sprint(status, " ", body), w) {
					t.Errorf("%s, answer %d to %s is %d %s, want %s in it", when, i+1, token, status, body, w)
				}
			}
		}
		user := fixtures.User{
			Description: "of <all> kinds",
			Campaigns:   []fixtures.Campaign{spring, {ID: "2", Omit: []string{"created_at", "updated_at"}, Extra: map[string]any{"name": nil, "n": 1.5}}},
			Replies:     []fixtures.Reply{{Status: 503, Headers: http.Header{"Retry-After": {"1"}}, Times: 2}, {Body: map[string]any{"a": "b"}, Delay: &fixtures.Delay{To: time.Millisecond}}},
			RateLimit:   &fixtures.RateLimit{Requests: 1000, Per: time.Hour},
		}
		for _, token := range []string{"alice", "a/b?c=d"} {
			srv.SetUser(token, user)
		}
		user.Campaigns[1].ID = "changed by the caller"
		for _, token := range []string{"alice", "a/b?c=d"} {
			check("after SetUser", token, "503", "503", `200 {"a":"b"}`, `"id":"2","name":null,"status":"scheduled","n":1.5}]}`)
		}
		srv.RemoveUser("alice")
		check("after RemoveUser", "alice", "401")
		srv.CheckRequests(t, "alice", 5)
		srv.ResetAll()
		srv.CheckRequests(t, "alice", 0)
		if requests := srv.Requests(); len(requests) != 0 {
			t.Errorf("the journal after ResetAll has %d requests", len(requests))
		}
		check("after ResetAll", "alice", `200 {"campaigns":[]}`)
		check("after ResetAll", "a/b?c=d", "401")
	}, fake.WithUser("alice", fixtures.User{}))
}

// A change that is not valid changes nothing. It is an error, and fails the test.
func TestRefusedChanges(t *testing.T) {
	t.Parallel()
	setUser := func(u fixtures.User) func(door) error { return func(srv door) error { return srv.SetUser("alice", u) } }
	enqueue := func(token string, replies ...fixtures.Reply) func(door) error {
		return func(srv door) error { return srv.Enqueue(token, replies...) }
	}
	for name, tt := range map[string]struct {
		change   func(srv door) error
		call     string
		mistakes int
		want     string
	}{
		"a delay":      {setUser(fixtures.User{Delay: &fixtures.Delay{Fixed: -1}}), "SetUser", 1, "users.alice.delay: -1ns is negative"},
		"a campaign":   {setUser(fixtures.User{Campaigns: []fixtures.Campaign{{Omit: []string{"nme"}}}}), "SetUser", 1, `users.alice.campaigns[0].omit[0]: "nme" is not known here; did you mean name?`},
		"a count":      {setUser(fixtures.User{Generate: &fixtures.Generate{Count: 11}}), "SetUser", 1, "count"}, // with ids of one digit
		"nobody":       {func(srv door) error { return srv.RemoveUser("bob") }, "RemoveUser", 0, `o user has the token "bob"`},
		"no user":      {enqueue("bob", fixtures.Reply{}), "Enqueue", 0, `o user has the token "bob"`},
		"a status":     {enqueue("alice", fixtures.Reply{}, fixtures.Reply{Status: 204, Body: ""}), "Enqueue", 1, "users.alice.replies[1].body: cannot stand beside status 204, which has no body"},
		"never played": {enqueue("alice", fixtures.Reply{Times: fixtures.Always}, fixtures.Reply{}), "Enqueue", 1, "users.alice.replies[0].times: is played always, so that the replies after it never are"},
		"too many":     {enqueue("alice", make([]fixtures.Reply, 10_001)...), "Enqueue", 1, "10000"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var told, toldElsewhere recorder
			defer told.finish()
			defer toldElsewhere.finish()
			options := []fake.Option{fake.WithUser("alice", fixtures.User{}), fake.WithService(fixtures.Service{IDs: "c#"})}
			_, root := elsewhere(t, options...)
			for tb, srv := range map[*recorder]door{
				&told: fake.NewTestServer(&told, options...), &toldElsewhere: remote{fake.Connect(&toldElsewhere, root+"/api")},
			} {
				err := tt.change(srv)
				if err == nil || !strings.Contains(err.Error(), tt.want) || tb.text() != fmt.Sprintf("campaignfake: %s: %s", tt.call, err) {
					t.Errorf("the error is %v, and the test is told %s; want %s", err, tb.text(), tt.want)
				}
				var mistakes *fixtures.Mistakes
				if errors.As(err, &mistakes) != (tt.mistakes > 0) || mistakes != nil && len(mistakes.List) != tt.mistakes {
					t.Errorf("the mistakes are %+v, want %d", mistakes, tt.mistakes)
				}
				if status, body := list(t, srv, "alice"); status != 200 || body != `{"campaigns":[]}` {
					t.Errorf("after a refusal, the answer is %d %s", status, body)
				}
			}
		})
	}
}

func TestEnqueue(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, srv door) {
		srv.Enqueue("alice", fixtures.Reply{Status: 501}, fixtures.Reply{Status: 502, Times: 2})
		srv.Enqueue("alice")
		srv.Enqueue("alice", fixtures.Reply{Fault: "wrong_type"}, fixtures.Reply{Response: "invalid_token"})
		if got, want := statuses(t, srv, "alice", 7), "501 502 502 200 401 500 200"; got != want {
			t.Errorf("the answers are %s, want %s", got, want)
		}
		if got := srv.Requests("alice")[2].Reason; !strings.Contains(got, "enqueued: 502 (2 of 2)") {
			t.Errorf("the reason of the third answer is %s", got)
		}
		// Replies that wait belong to the token, not to its user.
		srv.Enqueue("alice", fixtures.Reply{Status: 507, Times: 2})
		got := statuses(t, srv, "alice", 1)
		srv.SetUser("alice", fixtures.User{})
		if got += " " + statuses(t, srv, "alice", 2); got != "507 507 200" {
			t.Errorf("the answers around SetUser are %s", got)
		}
		srv.Enqueue("alice", fixtures.Reply{Status: 507})
		srv.ResetAll()
		if got := statuses(t, srv, "alice", 2); got != "500 200" {
			t.Errorf("the answers after ResetAll are %s", got)
		}
	}, fake.WithUser("alice", fixtures.User{Replies: []fixtures.Reply{{Status: 500}}}))
}

func TestJournal(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, srv door) {
		header := bearer("alice")
		header["X-Many"] = []string{"1", "2"}
		ask(t, srv, "GET", listPath+"?a=b", header)
		ask(t, srv, "GET", listPath, http.Header{})
		ask(t, srv, "GET", "/user/campaigns", bearer("bob"))
		ask(t, srv, "HEAD", listPath, bearer("bob"))
		ask(t, srv, "OPTIONS", listPath, preflight("http://x.test"))
		want := []string{
			`1 GET /api/user/campaigns?a=b alice 200 false 1 campaign`,
			`2 GET /api/user/campaigns  401 false there is no Authorization header`,
			`3 GET /user/campaigns bob 404 true no route has this path`,
			`4 HEAD /api/user/campaigns bob 401 false no user has this token`,
			`5 OPTIONS /api/user/campaigns  204 false preflight: the browser may send the request for origin http://x.test`,
		}
		requests := srv.Requests()
		if len(requests) != len(want) {
			t.Fatalf("%d requests, want %d", len(requests), len(want))
		}
		for i, r := range requests {
			got := fmt.Sprint(r.Number, " ", r.Method, " ", r.URL, " ", r.Token, " ", r.Status, " ", r.Unmatched, " ", r.Reason)
			if !strings.HasPrefix(got, want[i]) {
				t.Errorf("request %d is\n%s\nwant\n%s", i, got, want[i])
			}
			if r.At.IsZero() || r.Duration <= 0 || r.Host == "" {
				t.Errorf("request %d came to %q at %v and took %v", i, r.Host, r.At, r.Duration)
			}
		}
		if got := requests[0].Header.Values("X-Many"); !slices.Equal(got, []string{"1", "2"}) {
			t.Errorf("X-Many is %q", got)
		}
		requests[0].Header.Set("X-Many", "changed")
		if got := srv.Requests()[0].Header.Get("X-Many"); got != "1" {
			t.Errorf("the journal shares memory with the caller: %s", got)
		}
		for want, tokens := range map[int][]string{3: {"bob", "alice"}, 2: {""}, 4: {"", "bob"}, 0: {"nobody"}} {
			if got := len(srv.Requests(tokens...)); got != want {
				t.Errorf("%d requests are of %q, want %d", got, tokens, want)
			}
		}
		srv.CheckRequests(t, "alice", 1)
		srv.CheckRequests(t, "", 2)
		srv.ClearRequests("bob", "")
		if got := len(srv.Requests()); got != 1 {
			t.Errorf("%d requests are left after those of bob and of nobody are cleared", got)
		}
		srv.CheckRequests(t, "bob", 0)
		srv.CheckRequests(t, "alice", 1)
		srv.ClearRequests()
		if got := len(srv.Requests()); got != 0 {
			t.Errorf("%d requests are left after all are cleared", got)
		}
		srv.CheckRequests(t, "alice", 0)
	}, fake.WithUser("alice", fixtures.User{Campaigns: []fixtures.Campaign{spring}}))
}

// The journal keeps what was answered, whatever became of it, and tells it to
// another process as well.
func TestAnswersInTheJournal(t *testing.T) {
	t.Parallel()
	// An even number of bytes, so that the 256th is in the middle of a character.
	text := strings.Repeat("é€", 100)
	long := fixtures.User{Campaigns: []fixtures.Campaign{{ID: "1", Name: "x" + text, CreatedAt: "c", UpdatedAt: "u", Status: "active"}}}
	body := `{"campaigns":[{"id":"1","name":"x` + text + `","created_at":"c","updated_at":"u","status":"active"}]}`
	with := func(r fixtures.Reply) fixtures.User {
		u := long
		r.Times = fixtures.Always
		u.Replies = []fixtures.Reply{r}
		return u
	}
	const problem = `{"type":"about:blank","title":"`
	onBoth(t, func(t *testing.T, srv door) {
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
			"empty":     {token: "empty", status: 200, headers: http.Header{"X-Many": {"a, b"}}},
			"bad_json":  {token: "bad_json", status: 200, body: body[:30], bytes: -1},
			"wrong":     {token: "wrong_type", status: 200, body: "<!DOCTYPE html>", bytes: -1, headers: http.Header{"Content-Type": {"text/html; charset=utf-8"}}},
			"truncate":  {token: "truncate", status: 200, body: body[:250], bytes: len(body), headers: http.Header{"Content-Length": {strconv.Itoa(len(body))}}, broken: true},
			"reset":     {token: "reset", broken: true},
			"close":     {token: "close", broken: true},
			"no UTF-8":  {token: "binary", status: 200, bytes: -1},
			"origin": {token: "short", header: http.Header{"Origin": {"http://a.test"}}, status: 200, body: `{"campaigns":[]}`, bytes: 16,
				headers: http.Header{"Access-Control-Allow-Origin": {"*"}, "Vary": {"Origin"}}},
			"preflight": {method: "OPTIONS", header: preflight("http://a.test"), status: 204, headers: http.Header{"Access-Control-Allow-Methods": {"GET"}}},
		} {
			r := newRequest(t, cmp.Or(tt.method, "GET"), rootOf(srv)+cmp.Or(tt.path, listPath), bearer(tt.token))
			maps.Copy(r.Header, tt.header)
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
		fake.WithUser("long", long), fake.WithUser("short", fixtures.User{}),
		fake.WithUser("limit", fixtures.User{RateLimit: &fixtures.RateLimit{Requests: 1, Per: 24 * time.Hour}, Campaigns: []fixtures.Campaign{}}),
		fake.WithUser("delay", with(fixtures.Reply{Delay: &fixtures.Delay{Fixed: time.Millisecond}})),
		fake.WithUser("empty", with(fixtures.Reply{Status: 200, Body: "", Headers: http.Header{"X-Many": {"a, b"}}})),
		fake.WithUser("bad_json", with(fixtures.Reply{Fault: "bad_json"})), fake.WithUser("wrong_type", with(fixtures.Reply{Fault: "wrong_type"})),
		fake.WithUser("truncate", with(fixtures.Reply{Fault: "truncate"})),
		fake.WithUser("reset", with(fixtures.Reply{Fault: "reset"})), fake.WithUser("close", with(fixtures.Reply{Fault: "close"})),
		fake.WithUser("binary", with(fixtures.Reply{Body: strings.Repeat("\x80", 300)})))
}

// An answer counts when it is complete, and requests that were cleared before it do not.
func TestAwaitAnswers(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, srv door) {
		ctx, leave := context.WithCancel(t.Context())
		left := make(chan error)
		go func() {
			_, err := srv.Client().Do(listRequest(t, srv, "alice").WithContext(ctx))
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
		srv.SetUser("alice", fixtures.User{})
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
	}, fake.WithUser("alice", fixtures.User{Delay: &fixtures.Delay{Fixed: time.Hour}}))
}

// Requests that match nothing are not those that a test expects: they are not
// counted, and the failure names them.
func TestCheckRequestsCountsWhatMatched(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, srv door) {
		ask(t, srv, "GET", "/v1/user/campaigns", bearer("alice"))
		var elsewhere recorder
		srv.CheckRequests(&elsewhere, "alice", 1)
		if !strings.Contains(elsewhere.text(), "GET /v1/user/campaigns") {
			t.Errorf("after one request elsewhere, CheckRequests(1) says %q, want a failure that names the request", elsewhere.text())
		}
		srv.CheckRequests(t, "alice", 0)

		ask(t, srv, "GET", listPath, bearer("alice"))
		ask(t, srv, "POST", listPath, bearer("alice"))
		srv.CheckRequests(t, "alice", 1)
		var more recorder
		srv.CheckRequests(&more, "alice", 3)
		for _, want := range []string{`1 request of token "alice", want 3`, "GET /v1/user/campaigns", "POST " + listPath} {
			if !strings.Contains(more.text(), want) {
				t.Errorf("the failure does not say %q:\n%s", want, more.text())
			}
		}
	}, fake.WithUser("alice", fixtures.User{}))
}
