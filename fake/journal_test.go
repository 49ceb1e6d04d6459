package fake_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

func TestJournalIsARing(t *testing.T) {
	t.Parallel()
	srv := newHandler(t, fake.WithUser("alice", fixtures.User{}))
	const sent, kept = 2500, 1000
	for range sent {
		record(srv, "alice")
	}
	requests := srv.Requests()
	if len(requests) != kept {
		t.Fatalf("%d requests are kept, want %d", len(requests), kept)
	}
	for i, r := range requests {
		if want := sent - kept + 1 + i; r.Number != want || r.Status != 200 {
			t.Fatalf("entry %d is number %d with status %d, want number %d",
				i, r.Number, r.Status, want)
		}
	}
	srv.CheckRequests(t, "alice", sent)
	srv.ClearRequests("bob")
	if got := len(srv.Requests()); got != kept {
		t.Errorf("clearing another token's requests leaves %d of %d", got, kept)
	}
}

func TestAwaitRequests(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var tb recorder
		srv := fake.NewTestServer(&tb, fake.WithInMemory(), fake.WithUser("alice", fixtures.User{}))
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
		err := <-done
		if !errors.Is(err, context.Canceled) {
			t.Errorf("after its context is done, AwaitRequests returns %v", err)
		}
		expect(t, fmt.Sprint(err),
			`3 of 5 requests of token "alice" have arrived: context canceled`+
				"\nThe journal has these:\n\t1. GET /api/user/campaigns")
		if want := fmt.Sprint("campaignfake: AwaitRequests: ", err); tb.text() != want {
			t.Errorf("the test is told %s, want %s", tb.text(), want)
		}

		go func() { done <- srv.AwaitRequests(t.Context(), "", 1) }()
		synctest.Wait()
		srv.Close()
		expect(t, fmt.Sprint(<-done), "closed after 0 of 1 requests without a token")
		tb.finish()
	})
}

// Nobody waits for ever, and a caller who says how long has that time.
func TestAwaitRequestsIsBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var tb recorder
		srv := fake.NewTestServer(&tb, fake.WithInMemory())
		begin := time.Now()
		err := srv.AwaitRequests(t.Context(), "alice", 1)
		expectTook(t, "AwaitRequests", begin, 10*time.Second)
		expect(t, fmt.Sprint(err),
			"context deadline exceeded after 10s; give a context with a deadline to wait longer")
		tb.finish()
	})
	lenient := fake.NewTestServer(t, fake.WithLenient())
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if err := lenient.AwaitRequests(ctx, "alice", 1); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a lenient server reports %v", err)
	}
}

// The entry is complete when the client has its answer, every time, also if that is written at
// once because it is large.
func TestEntryIsCompleteWithTheAnswer(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithLogger(nil), fake.WithFixtures(fixtures.Gallery()))
	for i := range 20 {
		list(t, srv, "huge")
		if got := srv.Requests()[i]; !got.Complete || got.Status != 200 || got.Reason == "" {
			t.Fatalf("request %d is answered, and its entry is %+v", i, got)
		}
	}
}

// Whoever goes away in the middle of an answer has not got it as a whole, whether the
// answer was scripted or not.
func TestJournalOfAnswersThatAreNotReadToTheirEnd(t *testing.T) {
	t.Parallel()
	for name, replies := range map[string][]fixtures.Reply{
		"the normal answer": nil,
		"a reply":           {{Status: 201}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				srv := fake.NewTestServer(t, fake.WithInMemory(),
					fake.WithUser("alice", fixtures.User{
						Generate: &fixtures.Generate{Count: 1000}, Replies: replies,
					}))
				response, err := srv.Client().Do(listRequest(t, srv, "alice"))
				if err != nil {
					t.Fatal(err)
				}
				response.Body.Close()
				synctest.Wait()
				got := srv.Requests("alice")[0]
				if !got.Broken ||
					!strings.HasSuffix(got.Reason, " bytes were sent before the client went away") {
					t.Errorf("the journal has broken %v, %q", got.Broken, got.Reason)
				}
			})
		})
	}
}

// sized is a user whose answer has so many bytes.
func sized(bytes int) fixtures.User {
	c := spring
	others := len(`{"campaigns":[`+springJSON+`]}`) - len(spring.Name)
	c.Name = strings.Repeat("x", bytes-others)
	return fixtures.User{Campaigns: []fixtures.Campaign{c}}
}

// The journal has the first 4 KiB of each body, also over HTTP.
func TestJournalOfBodies(t *testing.T) {
	t.Parallel()
	const mega = 1 << 20
	srv := fake.NewTestServer(t,
		fake.WithUser("small", sized(1000)),
		fake.WithUser("large", sized(mega)),
	)
	for i, body := range []string{"one", "two"} { // as long as each other
		srv.Enqueue("small", fixtures.Reply{Body: body})
		list(t, srv, "small")
		if got := srv.Requests()[i].Answer.Body; got != body {
			t.Errorf("the journal has the body %q, want %q", got, body)
		}
	}
	srv.ClearRequests()
	for token, size := range map[string]struct{ all, kept int }{
		"small": {1000, 1000},
		"large": {mega, 4096},
	} {
		_, body := ask(t, srv, "GET", listPath, bearer(token))
		a := listed(t, srv, "token="+token)[0].Answer
		if a.Body != body[:size.kept] || a.Bytes != size.all || a.Sent != size.all {
			t.Errorf("%s has a body of %d of %d bytes, want %d of %d",
				token, len(a.Body), a.Bytes, size.kept, size.all)
		}
		if got := srv.Requests(token)[0].Answer.Body; got != body[:size.kept] {
			t.Errorf("in Go, %s has a body of %d bytes, want %d", token, len(got), size.kept)
		}
	}
}
