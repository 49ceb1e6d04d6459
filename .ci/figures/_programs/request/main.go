// Request starts a test server with one user, sends one request, and closes it.
package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"

	"example.com/campaignfake/fake"
)

func main() {
	body := own()
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer token" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		w.Write(body)
	})
	measure(map[string]func(){
		"own": func() { own() },
		"reference": func() {
			server := httptest.NewServer(handler)
			defer server.Close()
			get(server.Client(), server.URL)
		},
	})
}

func own() []byte {
	t := &tb{}
	defer t.end()
	server := fake.NewTestServer(t, fake.WithUser("token", fake.User{Generate: &fake.Generate{Count: 10}}))
	return get(server.Client(), server.BaseURL())
}

func get(client *http.Client, base string) []byte {
	request, err := http.NewRequest(http.MethodGet, base+"/user/campaigns", nil)
	fail(err)
	request.Header.Set("Authorization", "Bearer token")
	response, err := client.Do(request)
	fail(err)
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		fail(fmt.Errorf("the status is %d", response.StatusCode))
	}
	body, err := io.ReadAll(response.Body)
	fail(err)
	return body
}
