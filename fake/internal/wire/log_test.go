package wire_test

import (
	"log/slog"
	"strings"
	"testing"

	"example.com/campaignfake/fake/internal/wire"
)

func TestErrorLog(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"http: Accept error: no luck": `level=WARN msg="http: Accept error: no luck"`,
		"http: TLS handshake error from 10.0.0.1:99: client sent an HTTP request to an HTTPS server":       `a base URL that begins with https://" client=10.0.0.1:99`,
		"http: TLS handshake error from [::1]:99: remote error: tls: bad certificate":                      `does not trust the certificate, which has to be given to it" client=[::1]:99 error="remote error: tls: bad certificate"`,
		"http: TLS handshake error from 10.0.0.1:99: tls: first record does not look like a TLS handshake": `may speak HTTP/2 without TLS (PRI *), or no HTTP at all`,
		"http: TLS handshake error from 10.0.0.1:99: tls: client offered only unsupported versions: [302]": `msg="a TLS handshake failed" client=10.0.0.1:99 error="tls: client`,
		"http: TLS handshake error from 10.0.0.1:99: tls: no certificates configured":                      `msg="a TLS handshake failed" client`,
		"http: TLS handshake error from 10.0.0.1:99: EOF":                                                  `level=INFO msg="a client went away before it spoke TLS" client=10.0.0.1:99`,
	} {
		var b strings.Builder
		wire.ErrorLog(slog.New(slog.NewTextHandler(&b, nil))).Println(line)
		if !strings.Contains(b.String(), want) {
			t.Errorf("of %q the log has %s, want %s", line, b.String(), want)
		}
	}
	var b strings.Builder
	wire.ErrorLog(slog.New(slog.NewTextHandler(&b, nil))).Print("http: TLS handshake error from 10.0.0.1:99: read tcp 10.0.0.2:80->10.0.0.1:99: use of closed network connection")
	if b.Len() > 0 {
		t.Errorf("of a connection that the server has closed the log has %s", b.String())
	}
}
