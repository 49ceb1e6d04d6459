package fake_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"example.com/campaignfake/fake"
)

// A client does not fill the memory with an answer that does not end, or is very large.
func TestClientReadsNoEndlessAnswer(t *testing.T) {
	t.Parallel()
	outer := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/_fake/health":
			w.Write([]byte(`{"ready": true, "fixtures": {}, "base_url": "http://x/api"}`))
		default:
			w.Header().Set("Content-Length", "1000000000000")
			w.Write([]byte("{"))
		}
	}))
	defer outer.Close()
	client, err := fake.Open(outer.URL)
	if err != nil {
		t.Fatal(err)
	}
	requests, err := client.Requests()
	if requests != nil || err == nil || !strings.Contains(err.Error(), outer.URL+" cannot be read") {
		t.Errorf("Requests returns %v, %v, want that %s cannot be read", requests, err, outer.URL)
	}
}

// What a client of a test returns after the test has ended does not fail it.
func TestClientAfterItsTest(t *testing.T) {
	t.Parallel()
	_, root := elsewhere(t)
	var tb recorder
	client := fake.Connect(&tb, root+"/api")
	if err := client.RemoveUser("nobody"); err == nil || !strings.Contains(tb.text(), "RemoveUser") {
		t.Errorf("RemoveUser returns %v, and the test is told %s", err, tb.text())
	}
	tb.finish()
	before := tb.text()
	if err := client.RemoveUser("nobody"); err == nil || tb.text() != before {
		t.Errorf("after the test RemoveUser returns %v, and the test is told %s", err, tb.text())
	}
}
