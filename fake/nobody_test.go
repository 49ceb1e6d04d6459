package fake_test

import (
	"fmt"
	"net/http"
	"slices"
	"testing"

	"example.com/campaignfake/fake"
)

// bodyless are the statuses whose answers have no body, with the length that they declare.
var bodyless = map[int]string{204: "", 205: "0", 304: ""}

// checkBodyless checks that an answer has nothing but its status and its headers.
func checkBodyless(t *testing.T, response *http.Response, body string, status int) {
	t.Helper()
	if response.StatusCode != status || body != "" {
		t.Errorf("the answer is %d %q, want %d without a body", response.StatusCode, body, status)
	}
	if kind := response.Header["Content-Type"]; kind != nil {
		t.Errorf("%d has the content type %q", status, kind)
	}
	if got, want := response.Header.Get("Content-Length"), bodyless[status]; got != want {
		t.Errorf("%d has the length %q, want %q", status, got, want)
	}
	if got := response.Header.Values("ETag"); !slices.Equal(got, []string{`"1"`}) {
		t.Errorf("%d has the ETag %q", status, got)
	}
}

// withoutBodies replies with all statuses that have no body, each to GET and to HEAD.
func withoutBodies() fake.Option {
	tagged := func(status int) fake.Reply {
		return fake.Reply{Status: status, Times: 2, Headers: http.Header{"etag": {`"1"`}}}
	}
	return fake.WithUser("alice", fake.User{Campaigns: []fake.Campaign{spring}, Replies: []fake.Reply{tagged(204), tagged(205), tagged(304)}})
}

// An answer without a body has none, and the journal says so.
func TestStatusesWithoutABody(t *testing.T) {
	t.Parallel()
	srv := fake.NewTestServer(t, withoutBodies())
	for _, status := range []int{204, 205, 304} {
		for _, method := range []string{"GET", "HEAD"} {
			response, body := ask(t, srv, method, listPath, bearer("alice"))
			checkBodyless(t, response, body, status)
		}
	}
	for i, r := range srv.Requests() {
		status := []int{204, 205, 304}[i/2]
		reason := fmt.Sprintf("scripted: %d, headers of its own (%d of 2)", status, i%2+1)
		if r.Status != status || r.Reason != reason || r.Broken || !r.Complete || r.Answer.Bytes != 0 || r.Answer.Header.Get("Content-Type") != "" {
			t.Errorf("the journal has %+v", r)
		}
	}
}
