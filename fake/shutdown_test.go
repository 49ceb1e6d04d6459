package fake_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/campaignfake/fake"
)

// Answers that are delayed are sent at once, and what would wait for ever ends.
func TestShutdown(t *testing.T) {
	t.Parallel()
	delayed := func(d fake.Delay) fake.User { return fake.User{Delay: &d} }
	for name, tt := range map[string]struct {
		user fake.User
		want string // the status, or none, and how long the server takes to stop
	}{
		"short":     {delayed(fake.Delay{Fixed: 3 * time.Second}), "200 after 0s"},
		"long":      {delayed(fake.Delay{Fixed: 10 * time.Second}), "200 after 0s"},
		"held":      {delayed(fake.Delay{UntilReleased: true}), "none after 0s"},
		"a hang":    {fake.User{Replies: []fake.Reply{{Fault: fake.FaultHang}}}, "none after 0s"},
		"a stall":   {fake.User{Generate: &fake.Generate{Count: 3}, Replies: []fake.Reply{{Fault: fake.FaultStall}}}, "none after 0s"},
		"no answer": {fake.User{}, "200 after 0s"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				srv := fake.NewTestServer(t, fake.WithInMemory(), fake.WithLenient(), fake.WithUser("alice", tt.user))
				got := make(chan string, 1)
				go func() {
					r, _ := http.NewRequest("GET", srv.BaseURL()+"/user/campaigns", nil)
					r.Header = bearer("alice")
					response, err := srv.Client().Do(r)
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

// A page that a setting asks for cannot run scripts in the origin of the control plane.
func TestPagesHaveNoRights(t *testing.T) {
	t.Parallel()
	const header = "Content-Security-Policy"
	html := http.Header{"Content-Type": {"text/html"}}
	for name, tt := range map[string]struct {
		reply fake.Reply
		want  string
	}{
		"a page":      {fake.Reply{Body: "<script>", Headers: html}, "sandbox"},
		"an error":    {fake.Reply{Status: 503, Body: "<script>", Headers: html}, "sandbox"},
		"svg":         {fake.Reply{Body: "<svg>", Headers: http.Header{"Content-Type": {"image/svg+xml; charset=utf-8"}}}, "sandbox"},
		"a fault":     {fake.Reply{Fault: fake.FaultWrongType}, "sandbox"},
		"its own":     {fake.Reply{Body: "<script>", Headers: http.Header{"Content-Type": {"text/html"}, header: {"default-src 'none'"}}}, "default-src 'none'"},
		"JSON":        {fake.Reply{}, ""},
		"a problem":   {fake.Reply{Status: 500}, ""},
		"other JSON":  {fake.Reply{Body: 7, Headers: http.Header{"Content-Type": {"application/vnd.api+json; charset=utf-8"}}}, ""},
		"plain text":  {fake.Reply{Body: "<script>"}, ""},
		"nothing":     {fake.Reply{Status: 204}, ""},
		"not changed": {fake.Reply{Status: 304}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			srv := fake.NewTestServer(t, fake.WithUser("alice", fake.User{Replies: []fake.Reply{tt.reply}}))
			r, _ := http.NewRequest("GET", srv.BaseURL()+"/user/campaigns", nil)
			r.Header = bearer("alice")
			response, err := srv.Client().Do(r)
			if err != nil {
				t.Fatal(err)
			}
			response.Body.Close()
			if got := response.Header.Get(header); got != tt.want {
				t.Errorf("%s is %q, want %q", header, got, tt.want)
			}
		})
	}
}

// The base path / is none.
func TestBasePathAtTheRoot(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithLenient(), fake.WithService(fake.Service{BasePath: "/"}), fake.WithUser("alice", fake.User{}))
	if strings.Count(srv.BaseURL(), "/") != 2 {
		t.Errorf("the base URL is %s", srv.BaseURL())
	}
	for path, want := range map[string]int{"/user/campaigns": 200, "//user/campaigns": 404, "/api/user/campaigns": 404, "/_fake/health": 200} {
		if response, _ := ask(t, srv, "GET", path, bearer("alice")); response.StatusCode != want {
			t.Errorf("%s is answered %s", path, response.Status)
		}
	}
	if client := fake.Connect(t, srv.BaseURL()); client.BaseURL() != srv.BaseURL() {
		t.Errorf("the base URL of a client is %s", client.BaseURL())
	}
	if _, answer := steer(t, srv, "GET", "api.json", ""); !strings.Contains(answer, `"/user/campaigns":`) {
		t.Errorf("the document is %s", answer)
	}
}
