package ask_test

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"syscall"
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

// A service that cannot be connected to is missing for one reason, which says what to change.
func TestUnreachedServices(t *testing.T) {
	t.Parallel()
	unknown := &net.DNSError{Err: "no such host", Name: "example.com", IsNotFound: true}
	for name, tt := range map[string]struct {
		failure error
		want    string
	}{
		"refused": {
			failure: &net.OpError{Op: "dial", Err: syscall.ECONNREFUSED},
			want: "the service is not there: nothing listens at example.com:443; " +
				"start it, or correct the base URL",
		},
		"unknown": {
			failure: &net.OpError{Op: "dial", Err: unknown},
			want:    "the service has a name that is unknown here; correct the base URL",
		},
		"untrusted": {
			failure: &tls.CertificateVerificationError{Err: errors.New("hunter2")},
			want: "the service has no certificate that is trusted here; correct the host of the " +
				"base URL, or name the authority in SSL_CERT_FILE",
		},
		"no TLS": {
			failure: tls.RecordHeaderError{Msg: "hunter2"},
			want:    "the service does not speak HTTPS at this port; correct the base URL",
		},
		"another": {
			failure: errors.New("hunter2"),
			want: "the service cannot be reached, breaks the connection, or sends what is no " +
				"HTTP; is the base URL right?",
		},
	} {
		base, err := url.Parse("https://example.com/api")
		if err != nil {
			t.Fatal(err)
		}
		endpoint := ask.Endpoint{BaseURL: base, Transport: failing{tt.failure}}
		answer := endpoint.Send(t.Context(), endpoint.Request("GET", "/", ""))
		if got := answer.CheckList(); got == nil || got.Error() != tt.want {
			t.Errorf("%s: the error is %v, want %s", name, got, tt.want)
		}
	}
}

// failing is a transport that fails.
type failing struct{ failure error }

func (f failing) RoundTrip(*http.Request) (*http.Response, error) {
	return nil, f.failure
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
