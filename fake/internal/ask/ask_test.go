package ask_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"example.com/campaignfake/fake/internal/ask"
)

func TestParseURL(t *testing.T) {
	t.Parallel()
	for base, want := range map[string]string{
		"https://example.com":                     "",
		"http://localhost:1/api/":                 "",
		"http://[::1]:80/api":                     "",
		"http://example.com/api":                  "neither HTTPS nor on this machine",
		"http://10.0.0.1/api":                     "neither HTTPS nor on this machine",
		"https://me:hunter2hunter2@localhost/api": "without a user",
		"https://example.com/api?key=hunter2":     "without a user",
		"https://example.com/api#hunter2":         "without a user",
		"://":                                     "cannot be used",
	} {
		_, err := ask.ParseURL(base)
		isAsWanted := err == nil && want == "" ||
			err != nil && want != "" && strings.Contains(err.Error(), want)
		if !isAsWanted || strings.Contains(fmt.Sprint(err), "hunter2") {
			t.Errorf("%s: the error is %v, want %q", base, err, want)
		}
	}
}

// A request goes to a path below the path of the base URL, which stays as it is written.
func TestRequest(t *testing.T) {
	t.Parallel()
	for base, want := range map[string]string{
		"https://example.com":        "https://example.com/user/campaigns",
		"https://example.com/api/":   "https://example.com/api/user/campaigns",
		"https://example.com/a%2Fb/": "https://example.com/a%2Fb/user/campaigns",
	} {
		parsed, err := url.Parse(base)
		if err != nil {
			t.Fatal(err)
		}
		request := ask.Endpoint{BaseURL: parsed}.Request("GET", "/user/campaigns", "")
		if request.URL.String() != want {
			t.Errorf("%s: it asks for %s, want %s", base, request.URL, want)
		}
	}
}

// A service that gives no answer is missing for a reason, which does not quote the failure.
func TestUnansweredService(t *testing.T) {
	t.Parallel()
	base := &url.URL{Scheme: "https", Host: "example.com"}
	endpoint := ask.Endpoint{BaseURL: base, Transport: failing{}}
	answer := endpoint.Send(t.Context(), endpoint.Request("GET", "/", ""))
	const want = "the service cannot be reached, breaks the connection, " +
		"or sends what is no HTTP; correct its URL, or look in its log"
	if got := answer.CheckList(); got == nil || got.Error() != want {
		t.Errorf("the error is %v, want %s", got, want)
	}
}

// failing is a transport that fails.
type failing struct{}

func (failing) RoundTrip(*http.Request) (*http.Response, error) {
	return nil, errors.New("hunter2")
}

// Each request has a connection of its own, on which nothing is repeated. A redirect is an answer.
func TestSend(t *testing.T) {
	t.Parallel()
	remotes := make(map[string]bool)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		remotes[r.RemoteAddr] = true
		http.Redirect(w, r, "/elsewhere", http.StatusFound)
	}))
	defer server.Close()
	base, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	endpoint := ask.Endpoint{BaseURL: base, Transport: ask.NewTransport()}
	for range 2 {
		answer := endpoint.Send(t.Context(), endpoint.Request("GET", "/", "secret"))
		if answer.Status != http.StatusFound || answer.Missing != "" {
			t.Errorf("the answer is %+v", answer)
		}
	}
	if len(remotes) != 2 {
		t.Errorf("2 requests came by %d connections", len(remotes))
	}
}
