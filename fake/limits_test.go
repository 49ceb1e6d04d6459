package fake_test

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/campaignfake/fake"
)

// Who does not finish a sentence is left alone after a while: the headers of a
// request, and the body of one to the control plane.
func TestSlowClients(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		start string
		want  time.Duration // until the connection is closed
		says  string
	}{
		"headers":                      {"GET /api/user/campaigns HTTP/1.1\r\nHost: campaignfake.test\r\nX-Slow: ", 10 * time.Second, ""},
		"half of a header":             {"GET /api/user/campaigns HTTP/1.1\r\nHost: campaignfake.test\r\nX-Sl", 10 * time.Second, ""},
		"a body that nobody asked for": {"POST /api/user/campaigns HTTP/1.1\r\nHost: campaignfake.test\r\nContent-Length: 1000\r\n\r\n{", 5 * time.Second, "405 Method Not Allowed"},
		"a body":                       {"PUT /_fake/users?token=bob HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{", 35 * time.Second, "The body cannot be read"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				srv := fake.NewTestServer(t, fake.WithInMemory(), fake.WithLenient())
				dial := srv.Client().Transport.(*http.Transport).DialContext
				conn, err := dial(t.Context(), "tcp", "campaignfake.test:80")
				if err != nil {
					t.Fatal(err)
				}
				defer conn.Close()
				begin := time.Now()
				if _, err := io.WriteString(conn, tt.start); err != nil {
					t.Fatal(err)
				}
				answer, err := io.ReadAll(bufio.NewReader(conn))
				if got := srv.Tally().First; strings.Contains(fmt.Sprint(got), "refused") {
					t.Errorf("it is counted as %s", got)
				}
				if took := time.Since(begin).Round(time.Second); took != tt.want || !strings.Contains(string(answer), tt.says) {
					t.Errorf("after %s, the answer is %q (%v), want %q after %s", took, answer, err, fmt.Sprint(tt.says), tt.want)
				}
			})
		})
	}
}
