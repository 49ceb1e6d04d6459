package fake_test

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// Bodies are read side by side: slow bodies do not delay other calls, and each body has its own
// time limit.
func TestSlowBodiesHoldUpNobody(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		srv := fake.NewTestServer(t, fake.WithInMemory(), fake.WithLenient())
		start := time.Now()
		conn := dial(t, srv)
		defer conn.Close()
		fmt.Fprint(conn, "PUT /_fake/users?token=slow HTTP/1.1\r\nHost: localhost\r\n"+
			"Content-Length: 1000\r\n\r\n{")
		synctest.Wait()
		status, said := steer(t, srv, "PUT", "users?token=alice", "{}")
		if took := time.Since(start); status != 201 || took != 0 {
			t.Errorf("a whole body is answered %d %s after %s", status, said, took)
		}
		response, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Fatal(err)
		}
		took := time.Since(start).Truncate(time.Second)
		if response.StatusCode != 400 || took != 10*time.Second {
			t.Errorf("the start of a body is answered %s after %s", response.Status, took)
		}
	})
}

// A request is answered soon even if its unneeded body does not arrive, also with a long answer.
func TestUnfinishedBodies(t *testing.T) {
	t.Parallel()
	for request, tt := range map[string]struct {
		status int
		within time.Duration
	}{
		"GET " + listPath:               {200, time.Second},
		"GET /elsewhere":                {404, 5 * time.Second},
		"GET /_fake/":                   {200, time.Second},
		"DELETE /_fake/users?token=bob": {204, time.Second},
		"POST /_fake/reset":             {204, time.Second},
		"PUT /_fake/elsewhere":          {404, time.Second},
		"POST /_fake/schema.json":       {405, time.Second},
	} {
		t.Run(request, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				srv := newHandler(t,
					fake.WithUser("alice", generated(1000)),
					fake.WithUser("bob", fixtures.User{}),
				)
				// other than the connections of a test server, these stay open
				conn := serveOnPipes(t, srv).dial()
				defer conn.Close()
				start := time.Now()
				fmt.Fprint(conn, request+" HTTP/1.1\r\nHost: localhost\r\n"+
					"Authorization: Bearer alice\r\nContent-Length: 1000\r\n\r\n{")
				response, err := http.ReadResponse(bufio.NewReader(conn), nil)
				if err != nil {
					t.Fatal(err)
				}
				io.Copy(io.Discard, response.Body)
				if took := time.Since(start); response.StatusCode != tt.status || took > tt.within {
					t.Errorf("it is answered %s after %s", response.Status, took)
				}
			})
		})
	}
}
