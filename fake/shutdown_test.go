package fake_test

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// Answers that are delayed are sent at once, and what would wait for ever ends.
func TestShutdown(t *testing.T) {
	t.Parallel()
	stalling := generated(3)
	stalling.Replies = []fixtures.Reply{{Fault: fixtures.FaultStall}}
	for name, tt := range map[string]struct {
		user fixtures.User
		want string // the status, or none, and how long the server takes to stop
	}{
		"a delay":  {fixtures.User{Delay: &fixtures.Delay{Fixed: 10 * time.Second}}, "200 after 0s"},
		"held":     {fixtures.User{Delay: untilReleased}, "none after 0s"},
		"a hang":   {scripted(fixtures.Reply{Fault: fixtures.FaultHang}), "none after 0s"},
		"a stall":  {stalling, "none after 0s"},
		"no delay": {fixtures.User{}, "200 after 0s"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				srv := fake.NewTestServer(t, fake.WithInMemory(), fake.WithLenient(), fake.WithUser("alice", tt.user))
				got := make(chan string, 1)
				go func() {
					response, err := srv.Client().Do(listRequest(t, srv, "alice"))
					if err != nil {
						got <- "none"
						return
					}
					if _, err := io.ReadAll(response.Body); err != nil {
						got <- "none"
						return
					}
					got <- fmt.Sprint(response.StatusCode)
				}()
				synctest.Wait()
				begin := time.Now()
				ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
				defer cancel()
				srv.Shutdown(ctx)
				took := time.Since(begin).Round(time.Second)
				if answer := fmt.Sprintf("%s after %s", <-got, took); answer != tt.want {
					t.Errorf("the answer is %s, want %s", answer, tt.want)
				}
			})
		})
	}
}

// The base path / is none.
func TestBasePathAtTheRoot(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithLenient(),
		fake.WithService(fixtures.Service{BasePath: "/"}), fake.WithUser("alice", fixtures.User{}))
	if strings.Count(srv.BaseURL(), "/") != 2 {
		t.Errorf("the base URL is %s", srv.BaseURL())
	}
	for path, want := range map[string]int{
		"/user/campaigns":     200,
		"//user/campaigns":    404,
		"/api/user/campaigns": 404,
		"/_fake/health":       200,
	} {
		if response, _ := ask(t, srv, "GET", path, bearer("alice")); response.StatusCode != want {
			t.Errorf("%s is answered %s", path, response.Status)
		}
	}
	if _, answer := steer(t, srv, "GET", "api.json", ""); !strings.Contains(answer, `"/user/campaigns":`) {
		t.Errorf("the document is %s", answer)
	}
}

// Who listens to events does not keep a server from stopping.
func TestShutdownEndsEvents(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		srv := fake.NewTestServer(t, fake.WithInMemory())
		s := follow(t, srv)
		ended := make(chan string, 1)
		go func() { ended <- s.next() }()
		srv.Shutdown(t.Context())
		if got := <-ended; got != "" {
			t.Errorf("after the end, what comes is %q", got)
		}
	})
}
