package fake_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"reflect"
	"strings"
	"testing"

	"example.com/campaignfake/fake"
)

// malformed are requests that net/http refuses by itself, with the answer.
var malformed = map[string]struct {
	request string
	status  int
	reason  string
}{
	"a path that is not escaped": {"GET /api/%zz HTTP/1.1\r\nHost: a\r\n\r\n", 400, "400 Bad Request"},
	"a space in the path":        {"GET /api/user campaigns HTTP/1.1\r\nHost: a\r\n\r\n", 400, "400 Bad Request"},
	"no Host":                    {"GET /api HTTP/1.1\r\n\r\n", 400, "400 Bad Request: missing required Host header"},
	"a Host that is none":        {"GET /api HTTP/1.1\r\nHost: a b\r\n\r\n", 400, "400 Bad Request: malformed Host header"},
	"a name that is none":        {"GET /api HTTP/1.1\r\nHost: a\r\nX secret: y\r\n\r\n", 400, "400 Bad Request: invalid header name"},
	"a value that is none":       {"GET /api HTTP/1.1\r\nHost: a\r\nX: \x01secret\r\n\r\n", 400, "400 Bad Request"},
	"another version":            {"GET /api HTTP/3.7\r\nHost: a\r\n\r\n", 505, "505 HTTP Version Not Supported: unsupported protocol version"},
	"another encoding":           {"POST /api HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n", 501, "501 Not Implemented"},
	"headers that are too large": {"GET /api HTTP/1.1\r\nHost: a\r\nX: " + strings.Repeat("x", 64<<10) + "\r\n\r\n", 431, "431 Request Header Fields Too Large"},
}

// A request that net/http refuses by itself is logged, counted, and reported to a strict
// test, without what it says.
func TestMalformedRequests(t *testing.T) {
	t.Parallel()
	for name, tt := range malformed {
		for place, options := range map[string][]fake.Option{"a port": nil, "memory": {fake.WithInMemory()}} {
			t.Run(name+" by "+place, func(t *testing.T) {
				t.Parallel()
				var tb recorder
				var log bytes.Buffer
				srv := fake.NewTestServer(&tb, append(options, fake.WithLogger(slog.New(slog.NewTextHandler(&log, nil))))...)
				response, body := exchanged(t, srv, tt.request)
				tb.finish()
				if response == nil {
					t.Fatal("there is no answer")
				}
				if response.StatusCode != tt.status || !response.Close {
					t.Errorf("the answer is %s %v\n%s", response.Status, response.Header, body)
				}
				for place, text := range map[string]string{"failure": tb.text(), "log": log.String()} {
					if strings.Contains(text, "secret") {
						t.Errorf("the %s is %s", place, text)
					}
				}
				if !strings.Contains(tb.text(), tt.reason+"\n") || !strings.Contains(tb.text(), "Lenient") || len(tb.failures) != 1 {
					t.Errorf("the test has failed with %q, want %s", tb.failures, tt.reason)
				}
				if want := fmt.Sprintf("level=WARN msg=%q", "a request could not be read"); !strings.Contains(log.String(), want) || !strings.Contains(log.String(), fmt.Sprintf("reason=%q", tt.reason)) {
					t.Errorf("the log has\n%s\nwant %s", &log, want)
				}
				if got := srv.Tally(); got.Unmatched != 1 || got.Requests != got.WithoutToken || !reflect.DeepEqual(got.First, []string{"could not be read: " + tt.reason}) {
					t.Errorf("the tally is %+v", got)
				}
			})
		}
	}
}

// OPTIONS for the whole server is a request like any other, and matches nothing.
func TestOptionsOfTheServer(t *testing.T) {
	t.Parallel()
	var tb recorder
	srv := fake.NewTestServer(&tb)
	response, _ := exchanged(t, srv, "OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
	if tb.finish(); response.StatusCode != 404 || !strings.Contains(tb.text(), "OPTIONS * ") {
		t.Errorf("the answer is %s, and the test was told %q", response.Status, tb.text())
	}
}

// The request line and the headers have at most 32 KiB together.
func TestHeadersAtTheLimit(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithLenient())
	for more, want := range []int{404, 431} {
		request := "GET /api HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX: \r\n\r\n"
		request = strings.Replace(request, "X: ", "X: "+strings.Repeat("x", 32<<10+more-len(request)), 1)
		if response, _ := exchanged(t, srv, request); response == nil || response.StatusCode != want {
			t.Errorf("to %d bytes the answer is %v, want %d", len(request), response, want)
		}
	}
}
