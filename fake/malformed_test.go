package fake_test

import (
	"strings"
	"testing"

	"example.com/campaignfake/fake"
)

// A request that net/http answers by itself reaches no handler: it fails no test, and is in no
// journal.
func TestMalformedRequests(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		request string
		status  int
	}{
		"a path that is not escaped": {"GET /api/%zz HTTP/1.1\r\nHost: a\r\n\r\n", 400},
		"a space in the path":        {"GET /api/user campaigns HTTP/1.1\r\nHost: a\r\n\r\n", 400},
		"no Host":                    {"GET /api HTTP/1.1\r\n\r\n", 400},
		"a name that is none":        {"GET /api HTTP/1.1\r\nHost: a\r\nX secret: y\r\n\r\n", 400},
		"TLS":                        {"\x16\x03\x01\x00\x05\x01\n", 400},
		"an expectation":             {"GET /api HTTP/1.1\r\nHost: a\r\nExpect: much\r\n\r\n", 417},
		"another version":            {"GET /api HTTP/3.7\r\nHost: a\r\n\r\n", 505},
		"another encoding": {
			request: "POST /api HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n",
			status:  501,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			srv := fake.NewTestServer(t)
			response, body := exchanged(t, srv, tt.request)
			if response == nil || response.StatusCode != tt.status || !response.Close {
				t.Fatalf("the answer is %+v\n%s", response, body)
			}
			if got := srv.Tally(); got.Requests != 0 || len(srv.Requests()) != 0 {
				t.Errorf("the tally is %+v, and the journal has %+v", got, srv.Requests())
			}
		})
	}
}

// OPTIONS for the whole server is a request like any other, and matches nothing.
func TestOptionsOfTheServer(t *testing.T) {
	t.Parallel()
	var tb recorder
	srv := fake.NewTestServer(&tb)
	response, _ := exchanged(t, srv, "OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
	tb.finish()
	if response.StatusCode != 404 || !strings.Contains(tb.text(), "OPTIONS * ") {
		t.Errorf("the answer is %s, and the test was told %q", response.Status, tb.text())
	}
}

// The request line and the headers have at most 32 KiB together.
func TestHeadersAtTheLimit(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, fake.WithLenient())
	for more, want := range []int{404, 431} {
		request := "GET /api HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX: \r\n\r\n"
		padding := strings.Repeat("x", 32<<10+more-len(request))
		request = strings.Replace(request, "X: ", "X: "+padding, 1)
		response, _ := exchanged(t, srv, request)
		if response == nil || response.StatusCode != want {
			t.Errorf("to %d bytes the answer is %v, want %d", len(request), response, want)
		}
	}
}
