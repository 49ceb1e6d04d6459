package fake_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/campaignfake/fake"
)

// arriving sends a request of alice, and calls change once it has arrived and
// before it is answered: the server waits for its body. It returns the answer, and
// how long that took from then on. It needs a bubble, in which the server's
// patience does not end before change does.
func arriving(t *testing.T, srv *fake.Server, change func()) (*http.Response, time.Duration) {
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
	response, _ := send(t, srv, r)
	return response, time.Since(changed)
}

// A request that has arrived is answered by the settings of the service that were
// in force then.
func TestReloadLeavesRequestsThatHaveArrived(t *testing.T) {
	t.Parallel()
	const success = "{success: {headers: {X-Settings: %s}}}"
	for name, tt := range map[string]struct {
		service, user string
		before, after string // of the settings
		asked         int    // requests that came before
		want          string
	}{
		"a normal answer": {success, "{delay: 1s}", "old", "new", 0, "200 old 1s"},
		"the rate limit":  {"{responses: {rate_limited: {headers: {X-Settings: %s}}}}", "{rate_limit: {requests: 1, per: 24h}}", "old", "new", 1, "429 old 0s"},
		"the delay":       {"{delay: %s}", "{}", "1m", "2m", 0, "200  1m0s"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				text := func(setting string) string {
					return fmt.Sprintf("service: "+tt.service+"\nusers: {alice: %s}\n", setting, tt.user)
				}
				read := files(text(tt.before))
				srv := fake.NewTestServer(t, fake.WithInMemory(), fake.WithFixtures(read))
				answered(t, srv, "alice", tt.asked)
				response, took := arriving(t, srv, func() {
					read.write("users.yaml", text(tt.after))
					if err := srv.Reload(); err != nil {
						t.Error(err)
					}
				})
				if got := fmt.Sprint(response.StatusCode, " ", response.Header.Get("X-Settings"), " ", took); got != tt.want {
					t.Errorf("the answer is %q, want %q", got, tt.want)
				}
			})
		})
	}
}

// A request that has arrived is answered as the user has it that its token had then,
// whatever becomes of the user before it is answered.
func TestUsersOfRequestsThatHaveArrived(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*fake.Server) error{
		"replaced": func(srv *fake.Server) error {
			return srv.SetUser("alice", fake.User{Replies: []fake.Reply{{Status: 500}}})
		},
		"removed": func(srv *fake.Server) error { return srv.RemoveUser("alice") },
		"reset":   func(srv *fake.Server) error { srv.Reset("alice"); return nil },
		"all reset": func(srv *fake.Server) error {
			srv.ResetAll()
			return nil
		},
	} {
		for reply, want := range map[int]string{0: "200 1h0m0s", 502: "502 1h0m0s"} {
			t.Run(fmt.Sprint(name, " ", reply), func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					srv := fake.NewTestServer(t, fake.WithInMemory(), fake.WithLenient(), fake.WithUser("alice", fake.User{
						Delay: &fake.Delay{Fixed: time.Hour}, Replies: []fake.Reply{{Status: reply}},
					}))
					response, took := arriving(t, srv, func() {
						if err := change(srv); err != nil {
							t.Error(err)
						}
					})
					if got := fmt.Sprint(response.StatusCode, " ", took); got != want {
						t.Errorf("the answer is %q, want %q", got, want)
					}
				})
			})
		}
	}
}

// The state of a user belongs to the token. A request has its reply when it arrives: one
// that is enqueued then is for the next.
func TestScriptsGoOnAcrossAReload(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const text = "service: {seed: %d}\nusers: {alice: {replies: [{status: 502}, {status: 503}, {status: 504}]}}\n"
		read := files(fmt.Sprintf(text, 1))
		srv := fake.NewTestServer(t, fake.WithInMemory(), fake.WithFixtures(read))
		response, _ := arriving(t, srv, func() {
			read.write("users.yaml", fmt.Sprintf(text, 2))
			if err := srv.Reload(); err != nil {
				t.Error(err)
			}
			if err := srv.Enqueue("alice", fake.Reply{Status: 500}); err != nil {
				t.Error(err)
			}
		})
		if response.StatusCode != 502 {
			t.Errorf("the answer is %d, want 502", response.StatusCode)
		}
		if got, want := answered(t, srv, "alice", 4), "500 503 504 200"; got != want {
			t.Errorf("the answers after that are %s, want %s", got, want)
		}
	})
}

// A request counts for what is drawn for those after it, though its user was replaced
// before it was answered.
func TestRequestsCountForTheNextUser(t *testing.T) {
	t.Parallel()
	delayed := fake.User{Delay: &fake.Delay{From: time.Second, To: time.Minute}}
	for name, before := range map[string]fake.User{"a plain request": {}, "one that is delayed": delayed} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				srv := fake.NewTestServer(t, fake.WithInMemory(), fake.WithUser("alice", before))
				arriving(t, srv, func() {
					if err := srv.SetUser("alice", delayed); err != nil {
						t.Error(err)
					}
				})
				ask(t, srv, "GET", listPath, bearer("alice"))
				if reason := srv.Requests("alice")[1].Reason; !strings.Contains(reason, " for request 2 of the token") {
					t.Errorf("the next request has the reason %q", reason)
				}
			})
		})
	}
}

// A reply that was played across a reload has been played: a reset does not require
// it again.
func TestRepliesAreNotRequiredAgainAfterAReload(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var strict recorder
		srv := fake.NewTestServer(&strict, fake.WithInMemory(), fake.WithUser("alice", fake.User{Replies: []fake.Reply{{Status: 503}}}))
		response, _ := arriving(t, srv, func() {
			if err := srv.Reload(); err != nil {
				t.Error(err)
			}
		})
		if response.StatusCode != 503 {
			t.Errorf("the answer is %d", response.StatusCode)
		}
		srv.Reset("alice")
		strict.finish()
		if strict.Failed() {
			t.Errorf("the test fails with %s", strict.text())
		}
	})
}
