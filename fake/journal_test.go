package fake_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/campaignfake/fake"
)

func TestJournalTellsWhatAndWhy(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.Lenient(), fake.WithUser("alice", fake.User{Campaigns: []fake.Campaign{spring}}))
	header := bearer("alice")
	header["X-Many"] = []string{"1", "2"}
	ask(t, srv, "GET", listPath+"?a=b", header)
	ask(t, srv, "GET", listPath, nil)
	ask(t, srv, "GET", "/user/campaigns", bearer("bob"))
	ask(t, srv, "HEAD", listPath, bearer("bob"))
	ask(t, srv, "OPTIONS", listPath, http.Header{"Origin": {"http://x.test"}, "Access-Control-Request-Method": {"GET"}})

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
		if r.At.IsZero() || r.Duration < 0 || r.Host == "" {
			t.Errorf("request %d came to %q at %v and took %v", i, r.Host, r.At, r.Duration)
		}
	}
	if got := requests[0].Header.Values("X-Many"); len(got) != 2 || got[1] != "2" {
		t.Errorf("X-Many is %q", got)
	}
	if got := len(srv.Requests("bob", "alice")); got != 3 {
		t.Errorf("alice and bob made %d requests", got)
	}
	if got := len(srv.Requests("")); got != 2 {
		t.Errorf("%d requests without a token", got)
	}

	// What is returned belongs to the caller.
	requests[0].Header.Set("X-Many", "changed")
	if got := srv.Requests()[0].Header.Get("X-Many"); got != "1" {
		t.Errorf("the journal shares memory with the caller: %s", got)
	}
	srv.ClearTokens("bob")
	if got := len(srv.Requests()); got != 3 {
		t.Errorf("%d requests are left after those of bob are cleared", got)
	}
	srv.CheckRequests(t, "bob", 0)
	srv.CheckRequests(t, "alice", 1)
	srv.ClearRequests()
	if got := len(srv.Requests()); got != 0 {
		t.Errorf("%d requests are left after all are cleared", got)
	}
	srv.CheckRequests(t, "alice", 0)
}

func TestJournalIsARing(t *testing.T) {
	t.Parallel()
	for limit, kept := range map[int]int{0: 0, 1: 1, 7: 7, 1000: 1000, 5000: 2500} {
		t.Run(fmt.Sprint(limit), func(t *testing.T) {
			t.Parallel()
			srv, err := fake.New(fake.WithJournal(limit), fake.WithUser("alice", fake.User{}))
			if err != nil {
				t.Fatal(err)
			}
			defer srv.Close()
			const sent = 2500
			for range sent {
				srv.ServeHTTP(httptest.NewRecorder(), aliceRequest())
			}
			requests := srv.Requests()
			if len(requests) != kept {
				t.Fatalf("%d requests are kept, want %d", len(requests), kept)
			}
			for i, r := range requests {
				if want := sent - kept + 1 + i; r.Number != want || r.Status != 200 {
					t.Fatalf("entry %d is number %d with status %d, want number %d", i, r.Number, r.Status, want)
				}
			}
			srv.CheckRequests(t, "alice", sent)
			srv.ClearTokens("bob")
			if got := len(srv.Requests()); got != kept {
				t.Errorf("clearing another token's requests leaves %d of %d", got, kept)
			}
		})
	}
}

func aliceRequest() *http.Request {
	r := httptest.NewRequest("GET", listPath, nil)
	r.Header.Set("Authorization", "Bearer alice")
	return r
}

// Large requests make the journal shorter, not larger, whatever is large about
// them.
func TestJournalIsBoundedInBytes(t *testing.T) {
	t.Parallel()
	large := strings.Repeat("x", 50_000)
	for name, request := range map[string]func() *http.Request{
		"header": func() *http.Request {
			r := aliceRequest()
			r.Header.Set("X-Large", large)
			return r
		},
		"token": func() *http.Request {
			r := aliceRequest()
			r.Header.Set("Authorization", "Bearer "+large)
			return r
		},
		"path":   func() *http.Request { return httptest.NewRequest("GET", "/"+large, nil) },
		"method": func() *http.Request { return httptest.NewRequest(large, listPath, nil) },
		"origin": func() *http.Request {
			r := httptest.NewRequest("OPTIONS", listPath, nil)
			r.Header.Set("Access-Control-Request-Method", "GET")
			r.Header.Set("Origin", "http://"+large)
			return r
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			srv, err := fake.New(fake.WithUser("alice", fake.User{}))
			if err != nil {
				t.Fatal(err)
			}
			defer srv.Close()
			for range 900 {
				srv.ServeHTTP(httptest.NewRecorder(), request())
			}
			bytes := 0
			requests := srv.Requests()
			for _, r := range requests {
				bytes += len(r.Token) + len(r.Method) + len(r.URL) + len(r.Reason)
				for _, values := range r.Header {
					bytes += len(values[0])
				}
			}
			if bytes > 8<<20 || bytes < 1<<20 {
				t.Errorf("the journal holds %d bytes in %d requests", bytes, len(requests))
			}
			if last := requests[len(requests)-1]; last.Number != 900 || len(last.Reason) > 1000 {
				t.Errorf("the last request is number %d, its reason %d bytes long", last.Number, len(last.Reason))
			}
		})
	}
}

func TestCheckRequestsExplains(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithUser("alice", fake.User{}))
	ask(t, srv, "GET", listPath, bearer("alice"))
	ask(t, srv, "GET", listPath, bearer("bob"))
	var tb recorder
	srv.CheckRequests(&tb, "alice", 2)
	want := `campaignfake: 1 request of token "alice", want 2
These were:
	1. GET /api/user/campaigns with token "alice": 200, 0 campaigns`
	if tb.text() != want {
		t.Errorf("the failure is\n%s\nwant\n%s", tb.text(), want)
	}
}

// Of many requests the latest are shown.
func TestCheckRequestsShowsTheLatest(t *testing.T) {
	t.Parallel()
	srv := served(t, 1)
	for range 15 {
		r := aliceRequest()
		r.Header.Set("Authorization", "Bearer token")
		srv.ServeHTTP(httptest.NewRecorder(), r)
	}
	var tb recorder
	srv.CheckRequests(&tb, "token", 1)
	for want, shown := range map[string]bool{"(5 earlier ones)": true, "\t5. GET": false, "\t6. GET": true, "\t15. GET": true} {
		if strings.Contains(tb.text(), want) != shown {
			t.Errorf("that %q is shown is not %v:\n%s", want, shown, tb.text())
		}
	}
}

func TestAwaitRequests(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		srv := fake.NewTestServer(t, fake.InMemory(), fake.WithUser("alice", fake.User{}))
		done := make(chan error, 3)
		for n := range 3 {
			go func() { done <- srv.AwaitRequests(t.Context(), "alice", n+1) }()
		}
		for range 3 {
			synctest.Wait()
			ask(t, srv, "GET", listPath, bearer("alice"))
		}
		for range 3 {
			if err := <-done; err != nil {
				t.Error(err)
			}
		}

		ctx, cancel := context.WithCancel(t.Context())
		go func() { done <- srv.AwaitRequests(ctx, "alice", 5) }()
		synctest.Wait()
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), `3 of 5 requests of token "alice" have arrived`) {
			t.Errorf("after its context is done, AwaitRequests returns %v", err)
		}

		go func() { done <- srv.AwaitRequests(t.Context(), "", 1) }()
		synctest.Wait()
		srv.Close()
		if err := <-done; err == nil || !strings.Contains(err.Error(), "closed after 0 of 1 requests without a token") {
			t.Errorf("after Close, AwaitRequests returns %v", err)
		}
	})
}

// The entry is complete when the client has its answer, every time.
func TestEntryIsCompleteWithTheAnswer(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithLogger(nil), fake.WithFixtures(fake.Gallery()))
	for i := range 50 {
		token := []string{"demo", "huge", "nobody"}[i%3]
		ask(t, srv, "GET", listPath, bearer(token))
		requests := srv.Requests()
		if last := requests[len(requests)-1]; last.Status == 0 || last.Reason == "" {
			t.Fatalf("request %d of token %s is answered, and its entry is %+v", i, token, last)
		}
	}
}

// Of the requests that a failure does not list it says how many there were, be
// they in the journal or not.
func TestCheckRequestsCountsTheEarlierOnes(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		journal, sent  int
		earlier, first string
	}{
		"more than the journal":       {20, 40, "(30 earlier ones)", "\t31. GET"},
		"more than a small journal":   {5, 40, "(35 earlier ones)", "\t36. GET"},
		"more than the usual journal": {1000, 4000, "(3990 earlier ones)", "\t3991. GET"},
		"one more":                    {10, 11, "(1 earlier one)", "\t2. GET"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			srv, err := fake.New(fake.WithJournal(tt.journal), fake.WithUser("alice", fake.User{}))
			if err != nil {
				t.Fatal(err)
			}
			for range tt.sent {
				srv.ServeHTTP(httptest.NewRecorder(), aliceRequest())
			}
			outer := httptest.NewServer(srv)
			t.Cleanup(func() {
				srv.Close()
				outer.Close()
			})
			for where, check := range map[string]func(fake.TB, string, int){
				"in the process": srv.CheckRequests,
				"in another":     fake.Connect(t, outer.URL+srv.BaseURL()).CheckRequests,
			} {
				var tb recorder
				check(&tb, "alice", 1)
				for _, want := range []string{fmt.Sprintf(`%d requests of token "alice", want 1`, tt.sent), "\n\t" + tt.earlier + "\n" + tt.first} {
					if !strings.Contains(tb.text(), want) {
						t.Errorf("%s, the failure does not say %q:\n%s", where, want, tb.text())
					}
				}
			}
		})
	}
}

// Requests of other tokens are a hint where there are none of the token's own.
func TestCheckRequestsShowsOthersOnlyForWantOfOwn(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, tb *recorder, srv steered) {
		list(t, srv, "alice")
		list(t, srv, "bob")
		for token, others := range map[string]bool{"alice": false, "bob": false, "carol": true} {
			var tb recorder
			srv.CheckRequests(&tb, token, 2)
			if !tb.Failed() || strings.Contains(tb.text(), "Others were") != others {
				t.Errorf("that the requests of others are shown for %s is not %v:\n%s", token, others, tb.text())
			}
		}
	}, fake.WithUser("alice", fake.User{}), fake.WithUser("bob", fake.User{}))
}

// An answer that was delayed until the journal has gone round is entered nowhere,
// and one whose entry is still there is entered in it.
func TestJournalGoesRoundBeforeAnAnswer(t *testing.T) {
	t.Parallel()
	const limit = 3
	for name, tt := range map[string]struct {
		meanwhile int
		want      string
	}{
		"all but the last":    {limit - 1, "1 slow 502, 2 quick 200, 3 quick 200"},
		"once round":          {limit, "2 quick 200, 3 quick 200, 4 quick 200"},
		"more than once":      {limit + 1, "3 quick 200, 4 quick 200, 5 quick 200"},
		"twice round, and on": {3*limit - 1, "7 quick 200, 8 quick 200, 9 quick 200"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				srv := fake.NewTestServer(t, fake.InMemory(), fake.WithJournal(limit), fake.WithUser("quick", fake.User{}),
					fake.WithUser("slow", fake.User{Replies: []fake.Reply{{Status: 502, Delay: &fake.Delay{Fixed: time.Hour}}}}))
				done := make(chan string)
				go func() { done <- statuses(t, srv, "slow", 1) }()
				synctest.Wait()
				statuses(t, srv, "quick", tt.meanwhile)
				if got := <-done; got != "502" {
					t.Errorf("the answer is %s", got)
				}
				var all []string
				for _, r := range srv.Requests() {
					all = append(all, fmt.Sprint(r.Number, " ", r.Token, " ", r.Status))
					if want := map[string]string{"slow": "scripted: 502, delay 1h; delayed 1h", "quick": "0 campaigns"}[r.Token]; r.Reason != want {
						t.Errorf("the reason of request %d is %q, want %q", r.Number, r.Reason, want)
					}
					if problem := r.Answer.Header.Get("Content-Type") == "application/problem+json"; problem != (r.Token == "slow") {
						t.Errorf("the answer to request %d is %+v", r.Number, r.Answer)
					}
				}
				if got := strings.Join(all, ", "); got != tt.want {
					t.Errorf("the journal has %s, want %s", got, tt.want)
				}
				srv.CheckRequests(t, "slow", 1)
			})
		})
	}
}

// Whoever goes away in the middle of an answer has not got it as a whole, whether the
// answer was scripted or not.
func TestJournalOfAnswersThatAreNotReadToTheirEnd(t *testing.T) {
	t.Parallel()
	for name, replies := range map[string][]fake.Reply{"the normal answer": nil, "a reply": {{Status: 201}}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				srv := fake.NewTestServer(t, fake.InMemory(), fake.WithUser("alice", fake.User{
					Generate: &fake.Generate{Count: 1000}, Replies: replies,
				}))
				r, err := http.NewRequest("GET", srv.BaseURL()+"/user/campaigns", nil)
				if err != nil {
					t.Fatal(err)
				}
				r.Header = bearer("alice")
				response, err := srv.Client().Do(r)
				if err != nil {
					t.Fatal(err)
				}
				response.Body.Close()
				synctest.Wait()
				got := srv.Requests("alice")[0]
				if !got.Broken || !strings.HasSuffix(got.Reason, " bytes were sent before the client went away") {
					t.Errorf("the journal has broken %v, %q", got.Broken, got.Reason)
				}
			})
		})
	}
}
