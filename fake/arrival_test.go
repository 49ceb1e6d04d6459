package fake_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// arriving sends a request of alice, and calls change once it has arrived and
// before it is answered: the server waits for its body. It returns the answer with its
// body, and how long that took from then on. It needs a bubble, in which the server's
// patience does not end before change does.
func arriving(
	t *testing.T, srv *fake.Server, change func(),
) (*http.Response, string, time.Duration) {
	t.Helper()
	body, rest := io.Pipe()
	r, err := http.NewRequest("GET", srv.BaseURL()+"/user/campaigns", body)
	if err != nil {
		t.Fatal(err)
	}
	r.Header = bearer("alice")
	r.Close = true // so that the body is read before the answer
	before := len(srv.Requests("alice"))
	var changed time.Time
	go func() {
		defer rest.Close()
		if err := srv.AwaitRequests(t.Context(), "alice", before+1); err != nil {
			t.Error(err)
		}
		synctest.Wait()
		change()
		changed = time.Now()
		fmt.Fprint(rest, "the rest")
	}()
	response, answer := send(t, srv.Client(), r)
	return response, answer, time.Since(changed)
}

// A request that has arrived is answered as it would have been then, whatever changes before it
// is answered. It is neither counted nor listed any more once it is reset or cleared.
func TestRequestsThatHaveArrived(t *testing.T) {
	t.Parallel()
	read := func(text string) func(*fake.Server, folder) {
		return func(srv *fake.Server, from folder) {
			from.write("users.yaml", text)
			srv.Reload()
		}
	}
	for name, tt := range map[string]struct {
		change  func(srv *fake.Server, from folder)
		counted int
	}{
		"replaced": {func(srv *fake.Server, _ folder) {
			srv.SetUser("alice",
				fixtures.User{Replies: []fixtures.Reply{{Status: 500, Times: fixtures.Always}}})
		}, 1},
		"removed":             {func(srv *fake.Server, _ folder) { srv.RemoveUser("alice") }, 1},
		"reset":               {func(srv *fake.Server, _ folder) { srv.Reset("alice") }, 0},
		"all reset":           {func(srv *fake.Server, _ folder) { srv.ResetAll() }, 0},
		"cleared":             {func(srv *fake.Server, _ folder) { srv.ClearRequests("alice") }, 0},
		"changed in the file": {read("users: {alice: {campaigns: []}}"), 1},
		"not in the file":     {read("users: {}"), 1},
		"at another path": {
			read("service: {base_path: /v2, success: {status: 203}}\n" +
				"users: {alice: {campaigns: []}}"), 1,
		},
	} {
		for _, status := range []int{200, 502} {
			t.Run(fmt.Sprint(name, " ", status), func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					from := files(fmt.Sprintf(`
users:
  alice:
    delay: 1h
    campaigns: [{id: before, name: n, omit: [status, created_at, updated_at]}]
    replies: [{status: %d}]
`, status))
					srv := fake.NewTestServer(t,
						fake.WithInMemory(),
						fake.WithLenient(),
						fake.WithFixtures(from),
					)
					response, body, took := arriving(t, srv, func() { tt.change(srv, from) })
					const normal = `{"campaigns":[{"id":"before","name":"n"}]}`
					if response.StatusCode != status || took != time.Hour ||
						status == 200 && body != normal {
						t.Errorf("after %s, the answer is %s %s", took, response.Status, body)
					}
					srv.CheckRequests(t, "alice", tt.counted)
					ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
					defer cancel()
					err := srv.AwaitAnswers(ctx, "alice", 1)
					if (err == nil) != (tt.counted == 1) || len(srv.Requests()) != tt.counted {
						t.Errorf("the journal has %+v, and to await the answer returns %v",
							srv.Requests(), err)
					}
				})
			})
		}
	}
}
