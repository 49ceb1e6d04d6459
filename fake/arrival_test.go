package fake_test

import (
	"testing"
	"testing/synctest"
	"time"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// A request gets the answer that was in force when it arrived, even if a change comes before the
// answer. After a reset or a clearing it is neither counted nor listed.
func TestRequestsThatHaveArrived(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		change  func(srv *fake.Server, from folder)
		counted int
	}{
		"replaced": {func(srv *fake.Server, _ folder) { srv.SetUser("alice", fixtures.User{}) }, 1},
		"removed":  {func(srv *fake.Server, _ folder) { srv.RemoveUser("alice") }, 1},
		"cleared":  {func(srv *fake.Server, _ folder) { srv.ClearRequests("alice") }, 0},
		"reset":    {func(srv *fake.Server, _ folder) { srv.Reset("alice") }, 0},
		"at another path": {func(srv *fake.Server, from folder) {
			from.write("users.yaml", "service: {base_path: /v2, success: {status: 203}}\nusers: {}")
			srv.Reload()
		}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				from := files("users: {alice: {delay: 1h, campaigns: [{id: 1}]}}")
				srv := fake.NewTestServer(t, fake.WithInMemory(), fake.WithFixtures(from))
				go func() {
					time.Sleep(time.Minute)
					tt.change(srv, from)
				}()
				begin := time.Now()
				status, body := list(t, srv, "alice")
				expectTook(t, "the answer", begin, time.Hour)
				if status != 200 {
					t.Errorf("the answer is %d %s", status, body)
				}
				expect(t, body, `"id":"1"`)
				srv.CheckRequests(t, "alice", tt.counted)
				if got := len(srv.Requests()); got != tt.counted {
					t.Errorf("the journal has %d requests", got)
				}
			})
		})
	}
}
