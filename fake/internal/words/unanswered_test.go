package words_test

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/url"
	"syscall"
	"testing"

	"example.com/campaignfake/fake/internal/words"
)

// A failure is told by its cause, with what to change, and none of its own words.
func TestUnanswered(t *testing.T) {
	t.Parallel()
	refused := &net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}
	for _, tt := range []struct {
		failure error
		want    string
	}{
		{
			refused,
			"is not there: nothing listens at port 443; start it, or correct its URL",
		},
		{
			fmt.Errorf("on Windows: %w", syscall.Errno(10061)),
			"is not there: nothing listens at port 443; start it, or correct its URL",
		},
		{
			&net.OpError{Op: "proxyconnect", Err: refused},
			"is behind the proxy of HTTPS_PROXY or HTTP_PROXY, which cannot be reached; " +
				"correct that variable, or list the host in NO_PROXY",
		},
		{
			&net.OpError{Op: "dial", Err: &net.DNSError{IsNotFound: true}},
			"has a name that is unknown here; correct its URL",
		},
		{
			&tls.CertificateVerificationError{Err: errors.New("hunter2")},
			"has no certificate that is trusted here; " +
				"correct the host, or name the authority in SSL_CERT_FILE",
		},
		{
			tls.RecordHeaderError{Msg: "hunter2"},
			"does not speak HTTPS at this port; correct its URL",
		},
		{
			context.DeadlineExceeded,
			"has not answered in time; " +
				"look in its log, or whether a firewall or a VPN is in between",
		},
		{
			errors.New("hunter2"),
			"cannot be reached, breaks the connection, or sends what is no HTTP; " +
				"correct its URL, or look in its log",
		},
	} {
		server := &url.URL{Scheme: "https", Host: "example.com"}
		if got := words.Unanswered(server, tt.failure); got != tt.want {
			t.Errorf("after %v the server %s, want that it %s", tt.failure, got, tt.want)
		}
	}
}

// A URL without a port stands for the port of its scheme.
func TestUnansweredAtAPort(t *testing.T) {
	t.Parallel()
	for server, want := range map[string]string{
		"http://localhost/api": "80",
		"http://[::1]:1":       "1",
	} {
		parsed, err := url.Parse(server)
		if err != nil {
			t.Fatal(err)
		}
		want = "is not there: nothing listens at port " + want + "; start it, or correct its URL"
		if got := words.Unanswered(parsed, syscall.ECONNREFUSED); got != want {
			t.Errorf("%s %s, want that it %s", server, got, want)
		}
	}
}
