package fake_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// startPut begins to send a body to the control plane, of which so many bytes come.
func startPut(t *testing.T, srv *fake.Server, token string, length, come int) net.Conn {
	t.Helper()
	conn := dial(t, srv)
	_, err := fmt.Fprintf(conn, "PUT /_fake/users?token=%s HTTP/1.1\r\nHost: localhost\r\n"+
		"Content-Length: %d\r\n\r\n%s", token, length, strings.Repeat(" ", come))
	if err != nil {
		t.Fatal(err)
	}
	return conn
}

// Bodies are read side by side: those that come slowly hold up nobody, and each has its own time.
func TestSlowBodiesHoldUpNobody(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		srv := fake.NewTestServer(t, fake.WithInMemory(), fake.WithLenient())
		start := time.Now()
		var slow []net.Conn
		for i := range 40 {
			conn := startPut(t, srv, fmt.Sprint("slow-", i), 1000, 500)
			defer conn.Close()
			slow = append(slow, conn)
			time.Sleep(time.Millisecond)
		}
		status, said := steer(t, srv, "PUT", "users?token=alice", "{}")
		if took := time.Since(start); status != 201 || took != 40*time.Millisecond {
			t.Errorf("a whole body is answered %d %s after %s", status, said, took)
		}
		for i, conn := range slow {
			response, err := http.ReadResponse(bufio.NewReader(conn), nil)
			if err != nil {
				t.Fatal(err)
			}
			took := time.Since(start)
			isInTime := took >= 10*time.Second && took < 11*time.Second
			if response.StatusCode != 400 || !isInTime {
				t.Errorf("half of body %d is answered %s after %s", i, response.Status, took)
			}
		}
	})
}

// A request whose body nobody wants is answered soon, though the body does not come, and however
// long the answer is.
func TestUnfinishedBodies(t *testing.T) {
	t.Parallel()
	long := fixtures.Response{Body: strings.Repeat("x", 10_000)}
	for name, tt := range map[string]struct {
		request string
		want    int
		within  time.Duration
	}{
		"the list": {"GET " + listPath, 200, time.Second},
		"a list that is long": {
			request: "GET " + listPath + " HTTP/1.1\r\nAuthorization: Bearer many",
			want:    200,
			within:  time.Second,
		},
		"no path":            {"GET /elsewhere", 404, 5 * time.Second},
		"no method":          {"POST " + listPath, 405, 5 * time.Second},
		"the page":           {"GET /_fake/", 200, time.Second},
		"health":             {"GET /_fake/health", 200, time.Second},
		"the schema":         {"GET /_fake/schema.json", 200, time.Second},
		"a removal":          {"DELETE /_fake/users?token=many", 204, time.Second},
		"a reset":            {"POST /_fake/reset", 204, time.Second},
		"a release":          {"POST /_fake/release?token=many", 200, time.Second},
		"a call for no path": {"PUT /_fake/elsewhere", 404, time.Second},
		"another method":     {"POST /_fake/schema.json", 405, time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				service := fixtures.Service{
					UnknownTokens: fixtures.UnknownTokensGenerate,
					Responses:     fixtures.Responses{NotFound: long, MethodNotAllowed: long},
				}
				srv := newHandler(t,
					fake.WithService(service),
					fake.WithUser("many", generated(1000)),
				)
				// which stay open, other than those of a test server
				conn := serveOnPipes(t, srv).dial()
				defer conn.Close()
				start := time.Now()
				first, header, hasHeader := strings.Cut(tt.request, " HTTP/1.1\r\n")
				if !hasHeader {
					header = "Authorization: Bearer alice"
				}
				_, err := fmt.Fprintf(conn, "%s HTTP/1.1\r\nHost: localhost\r\n%s\r\n"+
					"Content-Length: 1000\r\n\r\n{", first, header)
				if err != nil {
					t.Fatal(err)
				}
				response, err := http.ReadResponse(bufio.NewReader(conn), nil)
				if err != nil {
					t.Fatal(err)
				}
				io.Copy(io.Discard, response.Body)
				if took := time.Since(start); response.StatusCode != tt.want || took > tt.within {
					t.Errorf("it is answered %s after %s", response.Status, took)
				}
			})
		})
	}
}
