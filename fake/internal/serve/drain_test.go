package serve_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/campaignfake/fixtures"
)

// A connection is the writer of a request that was read from a connection. It notes the last
// deadline for reading.
type connection struct {
	*httptest.ResponseRecorder
	deadline time.Time
}

func (c *connection) SetReadDeadline(deadline time.Time) error {
	c.deadline = deadline
	return nil
}

// sendBody sends a request with a body to the handler. It looks as if it came from a connection.
func sendBody(h http.Handler, path string, isLast bool, body io.Reader) *connection {
	r := httptest.NewRequest("GET", path, body)
	r.Header = bearer("alice")
	r.Close = isLast
	c := &connection{ResponseRecorder: httptest.NewRecorder()}
	h.ServeHTTP(c, r)
	return c
}

// The body of a request is read before an answer that may wait, and before the end of the
// connection. What is left may take five seconds.
func TestBodiesAreRead(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		path   string
		isLast bool // the client sends no further request on the connection
		isRead bool
	}{
		{listPath, false, true},
		{listPath, true, true},
		{"/wrong", false, false},
		{"/wrong", true, true},
	} {
		synctest.Test(t, func(t *testing.T) {
			h := newHandler(t, withUser("alice", fixtures.User{}))
			body := strings.NewReader("a body")
			c := sendBody(h, tt.path, tt.isLast, body)
			if isRead := body.Len() == 0; isRead != tt.isRead {
				t.Errorf("that the body of %s is read is %t, want %t", tt.path, isRead, tt.isRead)
			}
			if got := time.Until(c.deadline); got != 5*time.Second {
				t.Errorf("the rest of %s may take %s", tt.path, got)
			}
		})
	}
}

// A client that goes away before the end of its body is not waited for.
func TestClientGoesWithinItsBody(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		user := fixtures.User{Delay: &fixtures.Delay{Fixed: time.Hour}}
		h := newHandler(t, withUser("alice", user))
		defer func() {
			isAborted := recover() == http.ErrAbortHandler
			const want = "0 campaigns; delayed 1h; the client went away before that"
			if got := reasonOf(h); !isAborted || got != want {
				t.Errorf("aborted %t, the reason is %s, want %s", isAborted, got, want)
			}
		}()
		sendBody(h, listPath, false, halfBody{})
	})
}

// A halfBody ends before its end.
type halfBody struct{}

func (halfBody) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }
