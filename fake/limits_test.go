package fake_test

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// Who does not finish a sentence is left alone after a while: the headers of a request, and a
// body, whether or not somebody reads it.
func TestSlowClients(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		start string
		want  time.Duration // until the connection is closed
		says  string
	}{
		"headers": {
			start: "GET /api/user/campaigns HTTP/1.1\r\nHost: campaignfake.test\r\nX-Slow: ",
			want:  10 * time.Second,
		},
		"half of a header": {
			start: "GET /api/user/campaigns HTTP/1.1\r\nHost: campaignfake.test\r\nX-Sl",
			want:  10 * time.Second,
		},
		"a body that nobody asked for": {
			start: "POST /api/user/campaigns HTTP/1.1\r\nHost: campaignfake.test\r\n" +
				"Content-Length: 1000\r\n\r\n{",
			want: 5 * time.Second,
			says: "405 Method Not Allowed",
		},
		"a body": {
			start: "PUT /_fake/users?token=bob HTTP/1.1\r\nHost: localhost\r\n" +
				"Content-Length: 1000\r\n\r\n{",
			want: 16 * time.Second,
			says: "The body cannot be read",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				srv := fake.NewTestServer(t, fake.WithInMemory(), fake.WithLenient())
				conn := dial(t, srv)
				defer conn.Close()
				begin := time.Now()
				if _, err := io.WriteString(conn, tt.start); err != nil {
					t.Fatal(err)
				}
				answer, err := io.ReadAll(bufio.NewReader(conn))
				took := time.Since(begin).Round(time.Second)
				if took != tt.want || !strings.Contains(string(answer), tt.says) {
					t.Errorf("after %s, the answer is %q (%v), want %q after %s",
						took, answer, err, tt.says, tt.want)
				}
			})
		})
	}
}

// Connections that send nothing, or wait for an answer, hold up nobody: there is no limit to them.
func TestManyConnections(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		held := fixtures.User{Delay: &fixtures.Delay{UntilReleased: true}}
		srv := fake.NewTestServer(t,
			fake.WithInMemory(),
			fake.WithLogger(nil),
			fake.WithUser("alice", held),
		)
		for range 1000 {
			conn := dial(t, srv)
			defer conn.Close()
		}
		var all sync.WaitGroup
		for range 1001 {
			all.Go(func() { list(t, srv, "alice") })
		}
		synctest.Wait()
		srv.CheckRequests(t, "alice", 1001)
		if n := srv.Release("alice"); n != 1001 {
			t.Errorf("%d requests are released", n)
		}
		all.Wait()
	})
}

// A body that is sent to the control plane has at most 1 MiB. A larger one changes nothing,
// whether or not it says its length.
func TestBodiesBeyondTheLimit(t *testing.T) {
	t.Parallel()
	const start, end = `{"replies":[{"body":"`, `"}],"repeat":true}`
	tests := []struct {
		bytes  int
		status int
	}{
		{bytes: 1 << 20, status: 201},
		{bytes: 1<<20 + 1, status: 413},
		{bytes: 9 << 20, status: 413},
	}
	for _, tt := range tests {
		for _, chunked := range []bool{false, true} {
			t.Run(fmt.Sprintf("%d bytes, in chunks %t", tt.bytes, chunked), func(t *testing.T) {
				t.Parallel()
				srv := fake.NewTestServer(t, fake.WithLenient())
				text := strings.Repeat("x", tt.bytes-len(start)-len(end))
				request := newRequest(t, "PUT", rootOf(srv)+"/_fake/users?token=alice", nil)
				request.Body = io.NopCloser(strings.NewReader(start + text + end))
				request.ContentLength = int64(tt.bytes)
				if chunked {
					request.ContentLength = -1
				}
				response, said := send(t, srv.Client(), request)
				isTold := strings.Contains(said, "The body is larger than 1 MiB.")
				if response.StatusCode != tt.status || isTold != (tt.status == 413) {
					t.Errorf("the body is answered %d %.200s", response.StatusCode, said)
				}
				got := statuses(t, srv, "alice", 1)
				if (got == "200") != (tt.status == 201) {
					t.Errorf("alice is answered %s then", got)
				}
			})
		}
	}
}

// At most a thousand replies of a token wait, and one more is answered 507.
func TestRepliesBeyondTheLimit(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithLenient(), fake.WithUser("alice", fixtures.User{}))
	six := `[{}` + strings.Repeat(",{}", 599) + `]`
	for _, want := range []int{200, 507} {
		status, said := steer(t, srv, "POST", "replies?token=alice", six)
		isFull := strings.Contains(said, "1200 would wait, and at most 1000 can.")
		if status != want || isFull != (want == 507) {
			t.Errorf("600 replies are answered %d %s, want %d", status, said, want)
		}
	}
}
