package fake_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
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

// However a client reaches the server, an answer without a body has none.
func TestStatusesWithoutABody(t *testing.T) {
	t.Parallel()
	secure := func(http2 bool) func(*testing.T, *fake.Server) *http.Client {
		return func(t *testing.T, srv *fake.Server) *http.Client {
			server := httptest.NewUnstartedServer(srv)
			server.EnableHTTP2 = http2
			server.StartTLS()
			t.Cleanup(server.Close)
			return clientOf(server.Client().Transport, server.URL)
		}
	}
	for name, reach := range map[string]func(*testing.T, *fake.Server) *http.Client{
		"HTTP/1.1": secure(false),
		"HTTP/2":   secure(true),
		"a recorder": func(_ *testing.T, srv *fake.Server) *http.Client {
			return &http.Client{Transport: recording{srv}}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			srv, err := fake.New(withoutBodies())
			if err != nil {
				t.Fatal(err)
			}
			defer srv.Close()
			client := reach(t, srv)
			for _, status := range []int{204, 205, 304} {
				for _, method := range []string{"GET", "HEAD"} {
					r, _ := http.NewRequest(method, "http://campaigns.test"+listPath, nil)
					r.Header = bearer("alice")
					response, err := client.Do(r)
					if err != nil {
						t.Fatal(err)
					}
					body, err := io.ReadAll(response.Body)
					if response.Body.Close(); err != nil {
						t.Fatal(err)
					}
					checkBodyless(t, response, string(body), status)
				}
			}
			for i, r := range srv.Requests() {
				status := []int{204, 205, 304}[i/2]
				reason := fmt.Sprintf("scripted: %d, headers of its own (%d of 2)", status, i%2+1)
				if r.Status != status || r.Reason != reason || r.Broken || !r.Complete || r.Answer.Bytes != 0 || r.Answer.Header.Get("Content-Type") != "" {
					t.Errorf("the journal has %+v", r)
				}
			}
		})
	}
}

// A recording sends requests to a handler without a connection.
type recording struct{ handler http.Handler }

func (h recording) RoundTrip(r *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	h.handler.ServeHTTP(w, r)
	return w.Result(), nil
}

// clientOf returns a client that sends all requests to a server.
func clientOf(transport http.RoundTripper, to string) *http.Client {
	return &http.Client{Transport: sendingTo{transport, strings.TrimPrefix(to, "https://")}}
}

type sendingTo struct {
	http.RoundTripper
	host string
}

func (s sendingTo) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.URL.Scheme, r.URL.Host = "https", s.host
	return s.RoundTripper.RoundTrip(r)
}
