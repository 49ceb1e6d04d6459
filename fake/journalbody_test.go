package fake_test

import (
	"strings"
	"testing"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// sized is a user whose answer has so many bytes.
func sized(bytes int) fixtures.User {
	c := spring
	others := len(`{"campaigns":[`+springJSON+`]}`) - len(spring.Name)
	c.Name = strings.Repeat("x", bytes-others)
	return fixtures.User{Campaigns: []fixtures.Campaign{c}}
}

// The journal has the first 4 KiB of each body, also over HTTP.
func TestJournalOfBodies(t *testing.T) {
	t.Parallel()
	const mega = 1 << 20
	srv := fake.NewTestServer(t, fake.WithUser("small", sized(1000)), fake.WithUser("large", sized(mega)))
	for i, body := range []string{"one", "two"} { // as long as each other
		srv.Enqueue("small", fixtures.Reply{Body: body})
		list(t, srv, "small")
		if got := srv.Requests()[i].Answer.Body; got != body {
			t.Errorf("the journal has the body %q, want %q", got, body)
		}
	}
	srv.ClearRequests()
	for token, size := range map[string]struct{ all, kept int }{"small": {1000, 1000}, "large": {mega, 4096}} {
		_, body := ask(t, srv, "GET", listPath, bearer(token))
		a := listed(t, srv, "token="+token)[0].Answer
		if a.Body != body[:size.kept] || a.Bytes != size.all || a.Sent != size.all {
			t.Errorf("%s has a body of %d of %d bytes, want %d of %d", token, len(a.Body), a.Bytes, size.kept, size.all)
		}
		if got := srv.Requests(token)[0].Answer.Body; got != body[:size.kept] {
			t.Errorf("in Go, %s has a body of %d bytes, want %d", token, len(got), size.kept)
		}
	}
}
