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
	"example.com/campaignfake/fixtures"
)

// The journal has what was received, the answer and the reason. It is read, and cleared, as a
// whole or for some tokens.
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
			`5 OPTIONS /api/user/campaigns  204 false ` +
				`preflight: the browser may send the request for origin http://x.test`,
		}
		requests := srv.Requests()
		if len(requests) != len(want) {
			t.Fatalf("%d requests, want %d", len(requests), len(want))
		}
		for i, r := range requests {
			got := fmt.Sprintf("%d %s %s %s %d %t %s",
				r.Number, r.Method, r.URL, r.Token, r.Status, r.Unmatched, r.Reason)
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
		requests[0].Header["X-Many"][0] = "changed"
		requests[0].Answer.Header["Content-Type"][0] = "changed"
		again := srv.Requests()[0]
		if again.Header["X-Many"][0] != "1" ||
			again.Answer.Header["Content-Type"][0] != "application/json" {
			t.Errorf("the journal shares memory with the caller: %+v", again)
		}
		for want, tokens := range map[int][]string{
			3: {"bob", "alice"},
			2: {""},
			4: {"", "bob"},
			0: {"nobody"},
		} {
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

// A journaled is a request, and what the journal has of its answer.
type journaled struct {
	method, path, token string // GET and the list, unless they are given
	header              http.Header

	status  int
	body    string // how it begins
	bytes   int    // -1 if it is that of what is received
	headers http.Header
	broken  bool // the client gets no whole answer
}

// The journal keeps what was answered, whatever became of it.
func TestAnswersInTheJournal(t *testing.T) {
	t.Parallel()
	// An even number of bytes, so that the 256th is in the middle of a character.
	text := strings.Repeat("é€", 100)
	long := fixtures.User{Campaigns: []fixtures.Campaign{
		{ID: "1", Name: "x" + text, CreatedAt: "c", UpdatedAt: "u", Status: "active"},
	}}
	body := `{"campaigns":[{"id":"1","name":"x` + text +
		`","created_at":"c","updated_at":"u","status":"active"}]}`
	length := http.Header{"Content-Length": {strconv.Itoa(len(body))}}
	const problem = `{"type":"about:blank","title":"`
	tests := map[string]journaled{
		"normal": {
			token: "long", status: 200, body: body, bytes: len(body),
			headers: http.Header{
				"Content-Type":   {"application/json"},
				"Content-Length": length["Content-Length"],
			},
		},
		"short": {
			token: "short", status: 200, body: `{"campaigns":[]}`, bytes: 16,
			headers: http.Header{"Content-Length": {"16"}},
		},
		"HEAD": {
			method:  "HEAD",
			token:   "long",
			status:  200,
			body:    body,
			bytes:   len(body),
			headers: length,
		},
		"no token": {
			status: 401, body: problem + `Unauthorized","status":401`, bytes: -1,
			headers: http.Header{
				"Www-Authenticate": {"Bearer"},
				"Content-Type":     {"application/problem+json"},
			},
		},
		"unknown": {
			token: "nobody", status: 401, body: problem + `Unauthorized"`, bytes: -1,
			headers: http.Header{"Www-Authenticate": {`Bearer error="invalid_token"`}},
		},
		"not found": {
			path: "/elsewhere", token: "long", status: 404, body: problem + `Not Found"`, bytes: -1,
		},
		"method": {
			method:  "PUT",
			token:   "long",
			status:  405,
			body:    problem + `Method Not Allowed"`,
			bytes:   -1,
			headers: http.Header{"Allow": {"GET, HEAD"}},
		},
		"limit": {
			token: "limit", status: 429, body: problem + `Too Many Requests"`, bytes: -1,
			headers: http.Header{"Retry-After": {"86400"}},
		},
		"delay": {
			token: "delay", status: 200, body: body, bytes: len(body),
		},
		"empty": {
			token: "empty", status: 200, headers: http.Header{"X-Many": {"a, b"}},
		},
		"bad_json": {
			token: "bad_json", status: 200, body: body[:30], bytes: -1,
		},
		"wrong": {
			token: "wrong_type", status: 200, body: "<!DOCTYPE html>", bytes: -1,
			headers: http.Header{"Content-Type": {"text/html; charset=utf-8"}},
		},
		"truncate": {
			token:   "truncate",
			status:  200,
			body:    body[:250],
			bytes:   len(body),
			headers: length,
			broken:  true,
		},
		"reset": {
			token: "reset", broken: true,
		},
		"close": {
			token: "close", broken: true,
		},
		"no UTF-8": {
			token: "binary", status: 200, bytes: -1,
		},
		"origin": {
			token: "short", header: http.Header{"Origin": {"http://a.test"}},
			status: 200, body: `{"campaigns":[]}`, bytes: 16,
			headers: http.Header{"Access-Control-Allow-Origin": {"*"}, "Vary": {"Origin"}},
		},
		"preflight": {
			method: "OPTIONS", header: preflight("http://a.test"), status: 204,
			headers: http.Header{"Access-Control-Allow-Methods": {"GET"}},
		},
	}
	with := func(r fixtures.Reply) fixtures.User {
		u := long
		r.Times = fixtures.Always
		u.Replies = []fixtures.Reply{r}
		return u
	}
	options := []fake.Option{
		fake.WithUser("long", long),
		fake.WithUser("short", fixtures.User{}),
		fake.WithUser("limit",
			fixtures.User{RateLimit: &fixtures.RateLimit{Requests: 1, Per: 24 * time.Hour}}),
		fake.WithUser("delay",
			with(fixtures.Reply{Delay: &fixtures.Delay{Fixed: time.Millisecond}})),
		fake.WithUser("empty",
			with(fixtures.Reply{Status: 200, Body: "", Headers: http.Header{"X-Many": {"a, b"}}})),
		fake.WithUser("binary", with(fixtures.Reply{Body: strings.Repeat("\x80", 300)})),
	}
	for _, fault := range []string{"bad_json", "wrong_type", "truncate", "reset", "close"} {
		options = append(options,
			fake.WithUser(fault, with(fixtures.Reply{Fault: fixtures.Fault(fault)})))
	}
	onBoth(t, func(t *testing.T, srv door) {
		list(t, srv, "limit")
		for name, tt := range tests {
			checkJournaled(t, srv, name, tt)
		}
	}, options...)
}

// checkJournaled sends a request, and compares the journal with what the client gets.
func checkJournaled(t *testing.T, srv door, name string, tt journaled) {
	t.Helper()
	r := newRequest(t, cmp.Or(tt.method, "GET"), rootOf(srv)+cmp.Or(tt.path, listPath),
		bearer(tt.token))
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
		return
	}
	requests := srv.Requests()
	if len(requests) != 1 {
		t.Errorf("%s: the journal has %d requests", name, len(requests))
		return
	}
	entry := requests[0]
	got := entry.Answer
	if entry.Status != tt.status || (got.Header == nil) != (tt.status == 0) {
		t.Errorf("%s: the entry has the status %d, and the answer %+v; want %d",
			name, entry.Status, got, tt.status)
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
		return // JSON cannot carry it as it is
	}
	if !strings.HasPrefix(got.Body, tt.body) || len(got.Body) != want {
		t.Errorf("%s: the body is %q, want %q at its start, and %d bytes",
			name, got.Body, tt.body, want)
	}
	if got.Sent != len(received) || !strings.HasPrefix(got.Body, string(received)) {
		t.Errorf("%s: %d bytes of %q were sent, and %q was received",
			name, got.Sent, got.Body, received)
	}
	if tt.broken && tt.status != 0 && got.Sent >= got.Bytes {
		t.Errorf("%s: all %d bytes of a broken answer were sent", name, got.Bytes)
	}
	if response == nil || tt.broken {
		return
	}
	// What the client gets beside that is the server's own.
	for _, header := range []string{"Date", "Connection"} {
		response.Header.Del(header)
		got.Header.Del(header)
	}
	if !reflect.DeepEqual(got.Header, response.Header) {
		t.Errorf("%s: the answer is kept with %q, and was received with %q",
			name, got.Header, response.Header)
	}
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

// Requests that have lost the token are listed, too, beside those that have it.
func TestCheckRequestsListsLostTokens(t *testing.T) {
	t.Parallel()
	srv := listening(t,
		fake.WithUser("alice", fixtures.User{}),
		fake.WithUser("bob", fixtures.User{}),
		fake.WithService(fixtures.Service{UnknownTokens: "reject"}),
	)
	through(t, srv, "/api/other", "carl")
	for _, token := range []string{"alice", "bob", "carl"} {
		through(t, srv, listPath, token)
	}
	ask(t, srv, "GET", listPath, nil)
	var tb recorder
	srv.CheckRequests(&tb, "alice", 3)
	const want = `campaignfake: 1 request of token "alice", want 3
The journal has these:
	2. GET /api/user/campaigns with token "alice": 200, 0 campaigns
Others have no token, or one that no user has:
	4. GET /api/user/campaigns with token "carl": 401, no user has this token
	5. GET /api/user/campaigns without a token: 401, there is no Authorization header`
	if got := tb.text(); got != want {
		t.Errorf("the test is told\n%s\nwant\n%s", got, want)
	}
}

// When the journal has had to drop entries of a token, what a test is told says so. It does not say
// that the requests were never sent.
func TestListsWithoutEntries(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t)
	var told, others recorder
	c, many := srv.For(&told), srv.For(&others)
	c.SetUser(fixtures.User{Replies: []fixtures.Reply{{Status: 503, Times: 2}}})
	many.SetUser(fixtures.User{})
	expectStatuses(t, srv, c.Token(), "503")
	for range 1100 {
		r := newRequest(t, "GET", listPath, bearer(many.Token()))
		srv.ServeHTTP(httptest.NewRecorder(), r)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	var checked recorder
	srv.CheckRequests(&checked, c.Token(), 2)
	awaited := c.AwaitRequests(ctx, 2).Error()
	told.failures = nil
	told.finish()
	const gone = "\nOf the requests that were counted, the journal no longer has 1: " +
		"it holds the latest 1,000 of all tokens."
	for name, got := range map[string]string{
		"CheckRequests":       checked.text(),
		"AwaitRequests":       awaited,
		"the end of the test": told.text(),
	} {
		if !strings.Contains(got, gone) || strings.Contains(got, "no request of this test") {
			t.Errorf("of a request whose entry is gone, %s says %s", name, got)
		}
	}
	const count = "campaignfake: 1 request of token "
	if got := checked.text(); !strings.HasPrefix(got, count) || !strings.HasSuffix(got, gone) {
		t.Errorf("CheckRequests says %s", got)
	}
}

// Requests that match nothing are not those that a test expects: they are not
// counted, and the failure names them.
func TestCheckRequestsCountsWhatMatched(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithLenient(), fake.WithUser("alice", fixtures.User{}))
	ask(t, srv, "GET", "/v1/user/campaigns", bearer("alice"))
	var elsewhere recorder
	srv.CheckRequests(&elsewhere, "alice", 1)
	if !strings.Contains(elsewhere.text(), "GET /v1/user/campaigns") {
		t.Errorf("after one request elsewhere, the test is told %q", elsewhere.text())
	}
	srv.CheckRequests(t, "alice", 0)

	ask(t, srv, "GET", listPath, bearer("alice"))
	ask(t, srv, "POST", listPath, bearer("alice"))
	srv.CheckRequests(t, "alice", 1)
	var more recorder
	srv.CheckRequests(&more, "alice", 3)
	expect(t, more.text(), `1 request of token "alice", want 3`, "GET /v1/user/campaigns",
		"POST "+listPath)
}
