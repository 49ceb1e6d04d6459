package fake_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"example.com/campaignfake/fake"
)

// A reset while the journal is read page by page makes the earlier pages invalid: numbers
// stand for other requests then. Requests returns those after the reset alone.
func TestClientReadsAJournalThatIsReset(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		page int // at which there is a reset
		sent int // how many requests come after it
	}{
		"few after the first page": {2, 3}, "many after the first page": {2, 1200}, "none after the first page": {2, 0},
		"few after the second page": {3, 3}, "many after the second page": {3, 2050},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			all, err := resetAtPage(t, tt.page, tt.sent).Requests()
			if err != nil {
				t.Errorf("Requests returns %v", err)
			}
			checkNumbers(t, all, tt.sent)
		})
	}
}

// resetAtPage returns a client of a server with 2500 requests in the journal. When a page
// of it is asked for, the server is reset, and gets new requests.
func resetAtPage(t *testing.T, page, sent int) *fake.Client {
	t.Helper()
	handler, err := fake.New(fake.WithJournal(3000), fake.WithUser("alice", fake.User{}))
	if err != nil {
		t.Fatal(err)
	}
	arrive := func(n int) {
		for range n {
			handler.ServeHTTP(httptest.NewRecorder(), aliceRequest())
		}
	}
	pages := 0
	outer := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/_fake/requests" {
			if pages++; pages == page {
				handler.ResetAll()
				arrive(sent)
			}
		}
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(func() {
		handler.Close()
		outer.Close()
		if pages < page {
			t.Errorf("%d pages were read, and none was read after the reset", pages)
		}
	})
	arrive(2500)
	client, err := fake.Open(outer.URL)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// checkNumbers fails the test unless there are n requests, numbered from 1.
func checkNumbers(t *testing.T, requests []fake.Request, n int) {
	t.Helper()
	if len(requests) != n {
		t.Errorf("there are %d requests, want %d", len(requests), n)
	}
	for i, r := range requests {
		if r.Number != i+1 {
			t.Fatalf("request %d has the number %d", i+1, r.Number)
		}
	}
}
