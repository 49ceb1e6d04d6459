package fake_test

import (
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/campaignfake/fake"
)

// The server closes the connection of a client that does not finish its headers or its body in
// time, whether or not a handler reads the body.
func TestSlowClients(t *testing.T) {
	t.Parallel()
	for start, want := range map[string]struct {
		after time.Duration // how long until the connection is closed
		says  string
	}{
		"GET / HTTP/1.1\r\nX-Sl": {after: 10 * time.Second},
		"POST /api/user/campaigns HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n{": {
			time.Second, "405 Method Not Allowed",
		},
		"PUT /_fake/users?token=bob HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{": {
			11 * time.Second, "The body cannot be read",
		},
	} {
		t.Run(start, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				srv := fake.NewTestServer(t, fake.WithInMemory(), fake.WithLenient())
				conn := dial(t, srv)
				defer conn.Close()
				begin := time.Now()
				io.WriteString(conn, start)
				answer, _ := io.ReadAll(conn)
				took := time.Since(begin).Round(time.Second)
				if took != want.after || !strings.Contains(string(answer), want.says) {
					t.Errorf("after %s, the answer is %q, want %+v", took, answer, want)
				}
			})
		})
	}
}
