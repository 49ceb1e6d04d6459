package fake_test

import (
	"fmt"
	"net/http"
	"testing"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// An answer without a body has nothing but its status and its headers, and the journal says so.
func TestStatusesWithoutABody(t *testing.T) {
	t.Parallel()
	tagged := func(status int) fixtures.Reply {
		return fixtures.Reply{Status: status, Times: 2, Headers: http.Header{"etag": {`"1"`}}}
	}
	srv := fake.NewTestServer(t, fake.WithUser("alice", fixtures.User{
		Campaigns: []fixtures.Campaign{spring}, Replies: []fixtures.Reply{tagged(204), tagged(205), tagged(304)},
	}))
	// With the length that they declare.
	for i, want := range []string{"204 []", "204 []", "205 [0]", "205 [0]", "304 []", "304 []"} {
		response, body := ask(t, srv, []string{"GET", "HEAD"}[i%2], listPath, bearer("alice"))
		got := fmt.Sprint(response.StatusCode, " ", response.Header.Values("Content-Length"))
		if got != want || body != "" || response.Header["Content-Type"] != nil || response.Header.Get("ETag") != `"1"` {
			t.Errorf("answer %d is %s %q with %v, want %s", i, got, body, response.Header, want)
		}
		r := srv.Requests()[i]
		reason := fmt.Sprintf("scripted: %s, headers of its own (%d of 2)", want[:3], i%2+1)
		isEmpty := r.Answer.Bytes == 0 && r.Answer.Header.Get("Content-Type") == ""
		if r.Reason != reason || r.Broken || !r.Complete || !isEmpty {
			t.Errorf("the journal has %+v", r)
		}
	}
}
