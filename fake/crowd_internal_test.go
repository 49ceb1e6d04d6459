package fake

import (
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
)

// Twenty thousand connections are more than a test should hold, so the listener is
// given a lower bound here.
func TestTooManyConnections(t *testing.T) {
	t.Parallel()
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "served") })}
	go server.Serve(&crowdedListener{Listener: inner, most: 2})
	defer server.Close()
	newClient := func() *http.Client { return &http.Client{Transport: &http.Transport{}} }
	get := func(c *http.Client) (status int, body string) {
		t.Helper()
		response, err := c.Get("http://" + inner.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		text, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		return response.StatusCode, string(text)
	}
	first, second, third := newClient(), newClient(), newClient()
	for range 3 {
		for i, c := range []*http.Client{first, second} {
			if status, body := get(c); status != 200 || body != "served" {
				t.Errorf("client %d is answered %d %s", i, status, body)
			}
		}
		if status, body := get(third); status != 503 || !strings.Contains(body, "There are 2 connections, and no room for more.") {
			t.Errorf("the third is answered %d %s", status, body)
		}
	}
	second.CloseIdleConnections()
	for status := 503; status != 200; status, _ = get(third) {
	}
	first.CloseIdleConnections()
	third.CloseIdleConnections()
}
