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
