package fake_test

import (
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// Each reply answers as many requests as it is for, and then the next does. The normal answer is
// last.
func TestRepliesArePlayedInOrder(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithUser("alice", fixtures.User{
		Campaigns: []fixtures.Campaign{spring},
		Replies: []fixtures.Reply{
			{Status: 503, Times: 2, Headers: http.Header{"Retry-After": {"1"}}},
			{Times: 2},
			{Response: "invalid_token"},
			{Campaigns: []fixtures.Campaign{}},
			{Campaigns: []fixtures.Campaign{onlyID("2")}, Status: 206},
			{Body: map[string]any{"error": "<gone>"}, Status: 410},
			{Body: "just text"},
			{Status: 203, Headers: http.Header{"X-Total": {"1"}}},
			{
				Status:  302,
				Headers: http.Header{"Location": {"/elsewhere"}, "Content-Type": {"text/x-odd"}},
			},
			{Response: "rate_limited", Headers: http.Header{"retry-after": {"7"}}},
			{Response: "rate_limited"},
			{Response: "method_not_allowed"},
		},
	}))
	const (
		normal      = `{"campaigns":[` + springJSON + `]}`
		problemType = "application/problem+json"
		textType    = "text/plain; charset=utf-8"
	)
	details := map[int]string{
		401: "The bearer token is not valid.",
		405: "The service answers this request with status 405.",
		429: "Too many requests were sent. Try again later.",
		503: "The service is not available at the moment.",
	}
	problem := func(status int) string {
		return fmt.Sprintf(`{"type":"about:blank","title":%q,"status":%d,"detail":%q}`,
			http.StatusText(status), status, details[status])
	}
	client := srv.Client()
	client.CheckRedirect = func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}
	for i, want := range []struct {
		status                int
		contentType, body     string
		header, value, reason string
	}{
		{
			status:      503,
			contentType: problemType,
			body:        problem(503),
			header:      "Retry-After",
			value:       "1",
			reason:      "scripted: 503, headers of its own (1 of 2)",
		},
		{
			status:      503,
			contentType: problemType,
			body:        problem(503),
			header:      "Retry-After",
			value:       "1",
			reason:      "scripted: 503, headers of its own (2 of 2)",
		},
		{200, "application/json", normal, "", "", "scripted: normal answer (1 of 2)"},
		{200, "application/json", normal, "", "", "scripted: normal answer (2 of 2)"},
		{
			status:      401,
			contentType: problemType,
			body:        problem(401),
			header:      "WWW-Authenticate",
			value:       `Bearer error="invalid_token"`,
			reason:      "scripted: invalid_token",
		},
		{200, "application/json", `{"campaigns":[]}`, "", "", "scripted: campaigns: 0 of its own"},
		{
			status:      206,
			contentType: "application/json",
			body:        `{"campaigns":[{"id":"2"}]}`,
			header:      "",
			value:       "",
			reason:      "scripted: 206, campaigns: 1 of its own",
		},
		{410, "application/json", `{"error":"<gone>"}`, "", "", "scripted: 410, a body of its own"},
		{200, textType, "just text", "", "", "scripted: a body of its own"},
		{203, "application/json", normal, "X-Total", "1", "scripted: 203, headers of its own"},
		{302, "text/x-odd", "", "Location", "/elsewhere", "scripted: 302, headers of its own"},
		{
			status:      429,
			contentType: problemType,
			body:        problem(429),
			header:      "Retry-After",
			value:       "7",
			reason:      "scripted: rate_limited, headers of its own",
		},
		{429, problemType, problem(429), "Retry-After", "1", "scripted: rate_limited"},
		{405, problemType, problem(405), "Allow", "GET, HEAD", "scripted: method_not_allowed"},
		{200, "application/json", normal, "", "", "1 campaign"},
		{200, "application/json", normal, "", "", "1 campaign"},
	} {
		response, body := send(t, client, listRequest(t, srv, "alice"))
		contentType := response.Header.Get("Content-Type")
		if response.StatusCode != want.status || body != want.body ||
			contentType != want.contentType {
			t.Errorf("answer %d is %d %s %s, want %d %s %s",
				i, response.StatusCode, contentType, body, want.status, want.contentType, want.body)
		}
		got := response.Header.Values(want.header)
		if want.header != "" && (len(got) != 1 || got[0] != want.value) {
			t.Errorf("answer %d has %s %q, want %q", i, want.header, got, want.value)
		}
		requests := srv.Requests()
		if reason := requests[len(requests)-1].Reason; reason != want.reason {
			t.Errorf("the reason of answer %d is %q, want %q", i, reason, want.reason)
		}
	}
}

// Replies that are repeated start over after the last.
func TestRepliesStartOver(t *testing.T) {
	t.Parallel()
	alice := scripted(fixtures.Reply{Status: 503, Times: 2}, fixtures.Reply{})
	alice.Repeat = true
	srv := fake.NewTestServer(t, fake.WithUser("alice", alice))
	expectStatuses(t, srv, "alice", "503 503 200 503 503 200 503 503")
	if got := srv.Requests()[7].Reason; got != "scripted: 503 (2 of 2)" {
		t.Errorf("the last reason is %s", got)
	}
}

// However many requests arrive at once, each reply answers exactly as many as it
// is for.
func TestRepliesAreCountedExactly(t *testing.T) {
	t.Parallel()
	const clients, each = 16, 30
	srv := fake.NewTestServer(t, fake.WithInMemory(),
		fake.WithUser("alice", fixtures.User{Replies: []fixtures.Reply{
			{Status: 500, Times: 150},
			{Status: 501},
			{Times: 80},
			{Status: 502, Delay: &fixtures.Delay{Fixed: time.Microsecond}, Times: 100},
		}}))
	srv.Enqueue("alice", fixtures.Reply{Status: 599, Times: 50}, fixtures.Reply{Status: 598})
	var mu sync.Mutex
	counts := make(map[int]int)
	var all sync.WaitGroup
	for range clients {
		all.Go(func() {
			for range each {
				response, _ := ask(t, srv, "GET", listPath, bearer("alice"))
				mu.Lock()
				counts[response.StatusCode]++
				mu.Unlock()
			}
		})
	}
	all.Wait()
	want := map[int]int{599: 50, 598: 1, 500: 150, 501: 1, 502: 100, 200: clients*each - 302}
	if fmt.Sprint(counts) != fmt.Sprint(want) {
		t.Errorf("the statuses are %v, want %v", counts, want)
	}
}

// What is not the normal request uses up no reply, and HEAD does.
func TestWhatUsesUpAReply(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t,
		fake.WithLenient(), fake.WithUser("alice", scripted(fixtures.Reply{Status: 503, Times: 2})))
	asked := preflight(page)
	asked.Set("Authorization", "Bearer alice")
	for i, step := range []struct {
		method, path string
		header       http.Header
		want         int
	}{
		{"OPTIONS", listPath, asked, 204},
		{"GET", "/api/elsewhere", bearer("alice"), 404},
		{"POST", listPath, bearer("alice"), 405},
		{"GET", listPath, nil, 401},
		{"HEAD", listPath, bearer("alice"), 503},
		{"GET", listPath, bearer("alice"), 503},
		{"GET", listPath, bearer("alice"), 200},
	} {
		response, _ := ask(t, srv, step.method, step.path, step.header)
		if response.StatusCode != step.want {
			t.Errorf("request %d is answered %d, want %d", i, response.StatusCode, step.want)
		}
	}
}

// Where unknown tokens have campaigns, they can have replies as well.
func TestEnqueueForUnknownTokens(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithService(fixtures.Service{UnknownTokens: "generate"}))
	_, before := ask(t, srv, "GET", listPath, bearer("whoever"))
	srv.Enqueue("whoever", fixtures.Reply{Status: 503})
	expectStatuses(t, srv, "whoever", "503 200")
	if _, after := ask(t, srv, "GET", listPath, bearer("whoever")); after != before {
		t.Errorf("the campaigns were %s, and are %s", before, after)
	}
	srv.CheckRequests(t, "whoever", 4)
	srv.Enqueue("nobody") // which gives the token nothing
	if list := ofList[struct{ Token string }](t, srv, "users", "users"); len(list) != 1 {
		t.Errorf("the users are %v", list)
	}
}

// A strict test fails for replies that were given in Go, and not played.
func TestUnplayedRepliesFailTheTest(t *testing.T) {
	t.Parallel()
	var tb recorder
	srv := fake.NewTestServer(&tb,
		fake.WithUser("alice", fixtures.User{Replies: []fixtures.Reply{
			{Status: 503, Times: 3},
			{Fault: "reset"},
			{Times: fixtures.Always},
		}}),
		fake.WithUser("bob", scripted(fixtures.Reply{Status: 503})),
		fake.WithUser("carol", fixtures.User{}),
		fake.WithUser("again",
			fixtures.User{Replies: []fixtures.Reply{{Status: 503}}, Repeat: true}))
	statuses(t, srv, "alice", 1)
	statuses(t, srv, "bob", 1)
	srv.Enqueue("carol", fixtures.Reply{Fault: "hang", Times: 2})
	tb.finish()
	const want = `replies were not played:
	of token "alice": reply 1 of 3 (503): played 1 of 3 times
	of token "alice": reply 2 of 3 (reset): never played
	of token "carol": enqueued reply 1 of 1 (hang): never played
These requests arrived:
	1. GET /api/user/campaigns with token "alice"`
	expect(t, tb.text(), want)
}

// Replies that were in files, that a lenient test gave, or that a test dropped or has played once
// are not required.
func TestRepliesThatAreNotRequired(t *testing.T) {
	t.Parallel()
	twice := fake.WithUser("alice", scripted(fixtures.Reply{Status: 503, Times: 2}))
	always := fake.WithUser("alice", scripted(
		fixtures.Reply{Status: 503}, fixtures.Reply{Status: 500, Times: fixtures.Always}))
	for name, tt := range map[string]struct {
		options []fake.Option
		act     func(t *testing.T, srv *fake.Server, tb *recorder)
	}{
		"of files": {
			options: []fake.Option{
				twice,
				fake.WithFixtures(files("users: {alice: {replies: [{status: 503}]}}")),
			},
		},
		"of a lenient server": {
			options: []fake.Option{twice, fake.WithLenient()},
		},
		"of a test that is skipped": {
			options: []fake.Option{twice},
			act: func(t *testing.T, srv *fake.Server, tb *recorder) {
				tb.Skipf("")
			},
		},
		"played before Reset": {
			options: []fake.Option{twice},
			act: func(t *testing.T, srv *fake.Server, tb *recorder) {
				statuses(t, srv, "alice", 2)
				srv.ResetAll()
			},
		},
		"played before Reset, up to one that is always": {
			options: []fake.Option{always},
			act: func(t *testing.T, srv *fake.Server, tb *recorder) {
				statuses(t, srv, "alice", 1)
				srv.ResetAll()
			},
		},
		"of a token that was removed": {
			options: []fake.Option{twice},
			act: func(t *testing.T, srv *fake.Server, tb *recorder) {
				srv.Enqueue("alice", fixtures.Reply{})
				srv.RemoveUser("alice")
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var tb recorder
			srv := fake.NewTestServer(&tb, tt.options...)
			if tt.act != nil {
				tt.act(t, srv, &tb)
			}
			tb.finish()
			if tb.Failed() {
				t.Errorf("the test fails: %s", tb.text())
			}
		})
	}
}

// A body of its own leaves the headers of a reply as they are in a normal answer.
func TestBodiesKeepTheServicesHeaders(t *testing.T) {
	t.Parallel()
	success := fixtures.Response{
		Status:  203,
		Headers: http.Header{"X-Total": {"1"}, "Content-Type": {"application/vnd.api+json"}},
	}
	srv := fake.NewTestServer(t,
		fake.WithService(fixtures.Service{Success: success}),
		fake.WithUser("alice", fixtures.User{Replies: []fixtures.Reply{
			{Body: map[string]any{}},
			{Body: "text", Headers: http.Header{"Content-Type": {"text/csv"}}},
			{Status: 500, Body: map[string]any{}},
		}}))
	for i, want := range []string{
		"203 1 application/vnd.api+json", "203 1 text/csv", "500  application/json",
	} {
		response, _ := ask(t, srv, "GET", listPath, bearer("alice"))
		header := response.Header
		got := fmt.Sprint(response.StatusCode, " ", header.Get("X-Total"), " ",
			header.Get("Content-Type"))
		if got != want {
			t.Errorf("answer %d is %s, want %s", i, got, want)
		}
	}
}

// Statuses that HTTP wants a header with have it, unless the reply brings it.
func TestHeadersThatBelongToAStatus(t *testing.T) {
	t.Parallel()
	own := http.Header{"WWW-Authenticate": {"Own"}, "Allow": {"Own"}, "Retry-After": {"Own"}}
	srv := fake.NewTestServer(t, fake.WithUser("alice", fixtures.User{Replies: []fixtures.Reply{
		{Status: 401},
		{Status: 405},
		{Status: 429},
		{Status: 401, Headers: own},
		{Status: 405, Headers: own},
		{Status: 429, Headers: own},
		{Status: 503},
	}}))
	for i, want := range []string{"Bearer", "GET, HEAD", "1", "Own", "Own", "Own", ""} {
		response, _ := ask(t, srv, "GET", listPath, bearer("alice"))
		name := []string{"WWW-Authenticate", "Allow", "Retry-After"}[i%3]
		got := response.Header.Get(name)
		if response.Header.Get("Content-Type") == "" || want != "" && got != want {
			t.Errorf("answer %d, %d, has %s: %s, want %s", i, response.StatusCode, name, got, want)
		}
		if want == "" && response.Header.Get("Retry-After") != "" {
			t.Errorf("a 503 has Retry-After without having been told to")
		}
	}
}

// An enqueued reply that is played always lets those pass which are enqueued
// later, and then goes on. Another one that is played always takes its place.
func TestEnqueuedAlwaysGoesOn(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, srv door) {
		for _, step := range []struct {
			enqueued []fixtures.Reply
			want     string
		}{
			{[]fixtures.Reply{
				{Status: 503, Times: 2},
				{Status: 500, Times: fixtures.Always},
			}, "503"},
			{[]fixtures.Reply{{Status: 502}}, "503 502 500 500"},
			{[]fixtures.Reply{{Status: 504}, {Status: 505, Times: 2}}, "504 505 505 500"},
			{[]fixtures.Reply{{Status: 506}, {Status: 507, Times: fixtures.Always}}, "506 507 507"},
			{[]fixtures.Reply{{Status: 508, Times: fixtures.Always}}, "508 508"},
		} {
			srv.Enqueue("alice", step.enqueued...)
			expectStatuses(t, srv, "alice", step.want)
		}
	}, fake.WithUser("alice",
		fixtures.User{Replies: []fixtures.Reply{{Status: 418, Times: fixtures.Always}}}))
}

// An answer without a body has nothing but its status and its headers, and the journal says so.
func TestStatusesWithoutABody(t *testing.T) {
	t.Parallel()
	tagged := func(status int) fixtures.Reply {
		return fixtures.Reply{Status: status, Times: 2, Headers: http.Header{"etag": {`"1"`}}}
	}
	srv := fake.NewTestServer(t, fake.WithUser("alice", fixtures.User{
		Campaigns: []fixtures.Campaign{spring},
		Replies:   []fixtures.Reply{tagged(204), tagged(205), tagged(304)},
	}))
	// With the length that they declare.
	for i, want := range []string{"204 []", "204 []", "205 [0]", "205 [0]", "304 []", "304 []"} {
		response, body := ask(t, srv, []string{"GET", "HEAD"}[i%2], listPath, bearer("alice"))
		got := fmt.Sprint(response.StatusCode, " ", response.Header.Values("Content-Length"))
		if got != want || body != "" || response.Header["Content-Type"] != nil ||
			response.Header.Get("ETag") != `"1"` {
			t.Errorf("answer %d is %s %q with %v, want %s", i, got, body, response.Header, want)
		}
		r := srv.Requests()[i]
		reason := fmt.Sprintf("scripted: %s, headers of its own (%d of 2)", want[:3], i%2+1)
		isEmpty := r.Answer.Bytes == 0 && r.Answer.Header.Get("Content-Type") == ""
		if r.Reason != reason || r.Broken || !r.Complete || !isEmpty {
			t.Errorf("the journal has %+v", r)
		}
	}
}

// A client of the gallery's user whose token expires sees that state for as long as it likes, also
// one that retries, until the token is reset.
func TestExpiringStaysExpired(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithFixtures(fixtures.Gallery()))
	for range 2 {
		expectStatuses(t, srv, "expiring~1", "200 200 200 200 200 401 401 401 401 401 401 401")
		srv.Reset("expiring~1")
	}
}
