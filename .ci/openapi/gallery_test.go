package openapi

import (
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// against are the tokens of the gallery that are there to break what is documented.
var against = map[string]string{
	"edge-cases":  "campaigns without fields, and with wrong types",
	"edge-dates":  "dates that are none",
	"edge-types":  "campaigns without fields, and with wrong types",
	"bad-json":    "a list that was cut off",
	"not-json":    "a page in place of the list",
	"maintenance": "a page in place of a problem document",
}

// broken are those whose answers do not come, or not as a whole.
var broken = map[string]bool{"truncated": true, "reset": true, "hang": true, "stall": true}

// Every token of the gallery is answered as the document of the service has it, as long
// as its story goes, unless it is there to break it.
func TestGallery(t *testing.T) {
	t.Parallel()
	set, err := fixtures.LoadFS(fake.Gallery())
	if err != nil {
		t.Fatal(err)
	}
	for token := range broken {
		if _, found := set.Users[token]; !found {
			t.Errorf("the gallery has no token %s", token)
		}
	}
	synctest.Test(t, func(t *testing.T) {
		srv := fake.NewTestServer(t, fake.WithInMemory(), fake.WithLogger(nil), fake.WithFixtures(fake.Gallery()), fake.WithService(fake.Service{BasePath: basePath}))
		d := describe(t, srv, serviceDocument)
		impatient := srv.Client()
		impatient.Timeout = time.Minute
		for _, token := range set.Tokens() {
			for range requests(set.Users[token]) {
				x := step{method: "GET", path: campaignsPath, header: "Authorization: Bearer " + token}.exchange(srv)
				if err := x.send(t, impatient); (err != nil) != broken[token] {
					t.Errorf("%s is answered with the error %v", x, err)
				}
				if broken[token] {
					continue
				}
				if against[token] == "" {
					d.checkAnswer(t, x)
				} else if len(d.refusedAnswer(t, x, x.status, x.answered.Get("Content-Type"), x.answer)) == 0 {
					t.Errorf("%s has %s, and is documented all the same", x, against[token])
				}
				if refused := d.refusedRequest(t, x); len(refused) > 0 {
					t.Errorf("%s is refused by the document: %s", x, explainAll(refused))
				}
			}
		}
	})
}

// requests is how many it takes to meet all that a user has.
func requests(u fake.User) int {
	count := 1
	for _, reply := range u.Replies {
		count += max(reply.Times, 1)
	}
	if u.RateLimit != nil {
		count += u.RateLimit.Requests
	}
	return count
}

// A step is a request.
type step struct {
	method string
	path   string // with the query; that of the service without the base path
	header string // as Authorization: Bearer demo
}

// exchange returns the step as it is sent to a server.
func (s step) exchange(srv *fake.Server) *exchange {
	path, _, _ := strings.Cut(s.path, "?")
	x := &exchange{operation: s.method + " " + path, method: s.method, url: root(srv) + s.path, header: make(http.Header)}
	if path == campaignsPath {
		x.url = srv.BaseURL() + s.path
	}
	if name, value, found := strings.Cut(s.header, ": "); found {
		x.header.Set(name, value)
	}
	return x
}
