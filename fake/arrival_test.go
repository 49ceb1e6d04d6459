package fake_test

import (
	"fmt"
	"io"
	"net/http"
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
	response, _ := send(t, srv.Client(), r)
	return response, time.Since(changed)
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
