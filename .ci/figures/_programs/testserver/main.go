// Testserver starts and closes a test server that listens on a port.
package main

import (
	"net/http"
	"net/http/httptest"

	"example.com/campaignfake/fake"
)

func main() {
	measure(map[string]func(){
		"own": func() {
			t := &tb{}
			fake.NewTestServer(t)
			t.end()
		},
		"reference": func() { httptest.NewServer(http.NotFoundHandler()).Close() },
	})
}
