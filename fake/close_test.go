package fake_test

import (
	"testing"
	"testing/synctest"
	"time"

	"example.com/campaignfake/fake"
)

// A client that keeps its connection does not hold up the end of a test.
func TestCloseWaitsForNoIdleClient(t *testing.T) {
	t.Parallel()
	for name, options := range map[string][]fake.Option{
		"without TLS": {fake.WithKeepAlive()},
		"with TLS":    {fake.WithKeepAlive(), fake.WithTLS()},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				srv := fake.NewTestServer(t, append(options, fake.WithInMemory(), fake.WithUser("alice", fake.User{}))...)
				if got := statuses(t, srv, "alice", 1); got != "200" {
					t.Fatal("the answer has status ", got)
				}
				before := time.Now()
				srv.Close()
				if took := time.Since(before); took > 0 {
					t.Errorf("Close takes %v", took)
				}
			})
		})
	}
}
