package fake_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"syscall"
	"testing"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// faulty is a user whose answers all have the fault.
func faulty(fault string) fixtures.User {
	return fixtures.User{
		Campaigns: []fixtures.Campaign{spring, spring},
		Replies:   []fixtures.Reply{{Fault: fixtures.Fault(fault), Times: fixtures.Always}},
	}
}

// With the fault close, the connection ends without a reset, even if the request has an unread
// body. With the fault reset, it is reset, even if the request has no body.
func TestEndsOfConnections(t *testing.T) {
	t.Parallel()
	for fault, tt := range map[string]struct {
		body  int   // bytes of the body
		want  error // the error of the client
		start string
	}{
		"close":    {200 << 10, nil, ""},
		"truncate": {200 << 10, nil, "HTTP/1.1 200 OK"},
		"reset":    {0, syscall.ECONNRESET, ""},
	} {
		srv := fake.NewTestServer(t, fake.WithUser("alice", faulty(fault)))
		conn := dial(t, srv)
		go fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: a.test\r\nAuthorization: Bearer alice\r\n"+
			"Content-Length: %d\r\n\r\n%s", listPath, tt.body, strings.Repeat("x", tt.body))
		got, err := io.ReadAll(conn)
		conn.Close()
		start, _, _ := strings.Cut(string(got), "\r\n")
		if start != tt.start || !errors.Is(err, tt.want) {
			t.Errorf("%s: the client receives %q, %v", fault, got, err)
		}
	}
}
