package fake_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// Large answers of the control plane take turns, so that few are in memory at once. Clients that do
// not read theirs hold up others for ten seconds at most, and small answers not at all.
func TestLargeAnswersTakeTurns(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		large := fixtures.User{Campaigns: make([]fixtures.Campaign, 2000)}
		for i := range large.Campaigns {
			large.Campaigns[i].Name = strings.Repeat("x", 50)
		}
		srv := fake.NewTestServer(t, fake.WithInMemory(), fake.WithUser("large", large))
		for range 4 {
			conn := dial(t, srv)
			defer conn.Close()
			_, err := fmt.Fprint(conn, "GET /_fake/users?token=large HTTP/1.1\r\nHost: localhost\r\n\r\n")
			if err != nil {
				t.Fatal(err)
			}
		}
		synctest.Wait()
		start := time.Now()
		for _, path := range []string{"health", "users", "requests", "replies?token=large"} {
			if status, said := steer(t, srv, "GET", path, ""); status != 200 || time.Since(start) != 0 {
				t.Errorf("%s is answered %d %.100s after %s", path, status, said, time.Since(start))
			}
		}
		for _, path := range []string{"users?token=large", "users?token=large&format=yaml"} {
			request := newRequest(t, "GET", rootOf(srv)+"/_fake/"+path, nil)
			response, said := send(t, srv.Client(), request)
			took := time.Since(start)
			if response.StatusCode != 200 || len(said) < 100_000 || took != 10*time.Second {
				t.Errorf("%s is answered %s with %d bytes after %s", path, response.Status, len(said), took)
			}
		}
	})
}
