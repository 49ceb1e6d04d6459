package fake_test

import (
	"testing"
	"testing/synctest"
	"time"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// A burst of requests is answered, and then as many as the limit refills evenly. The refusal says
// when to come back.
func TestRateLimit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		limited := fixtures.User{RateLimit: &fixtures.RateLimit{Requests: 5, Per: 10 * time.Second}}
		srv := fake.NewTestServer(t, fake.WithInMemory(), fake.WithUser("alice", limited))
		expectStatuses(t, srv, "alice", "200 200 200 200 200 429")
		expectStatuses(t, srv, "alice~1", "200")
		response, body := ask(t, srv, "GET", listPath, bearer("alice"))
		const refusal = `{"type":"about:blank","title":"Too Many Requests","status":429,` +
			`"detail":"The limit is 5 requests in 10s. Try again in 2 s."}`
		if after := response.Header.Get("Retry-After"); body != refusal || after != "2" {
			t.Errorf("the refusal is Retry-After: %s, %s; want %s", after, body, refusal)
		}
		const reason = "rate limit: 5 requests in 10s; the next is answered in 2 s"
		if got := srv.Requests("alice")[6].Reason; got != reason {
			t.Errorf("the reason is %q, want %q", got, reason)
		}
		time.Sleep(2 * time.Second)
		expectStatuses(t, srv, "alice", "200 429")
		srv.Reset("alice")
		expectStatuses(t, srv, "alice", "200 200 200 200 200 429")
	})
}
