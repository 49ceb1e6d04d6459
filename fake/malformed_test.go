package fake_test

import (
	"strings"
	"testing"

	"example.com/campaignfake/fake"
)

// The request line and the headers have at most 32 KiB together. A request with more reaches no
// handler: it fails no test, and the journal does not have it.
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
	if got := srv.Tally().Requests; got != 1 {
		t.Errorf("%d requests are counted", got)
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
