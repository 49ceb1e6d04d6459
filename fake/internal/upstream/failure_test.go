package upstream_test

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"example.com/campaignfake/fake/internal/upstream"
)

// failWith returns a function that fails to connect.
func failWith(err error) func(context.Context, string, string) (net.Conn, error) {
	return func(context.Context, string, string) (net.Conn, error) {
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: err}
	}
}

// answerWith starts a server that answers each request with a text, and closes the connection. It
// returns the server's address.
func answerWith(t *testing.T, text string) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			request, err := http.ReadRequest(bufio.NewReader(conn))
			if err == nil {
				io.Copy(io.Discard, request.Body)
				io.WriteString(conn, text)
			}
			conn.Close()
		}
	}()
	return listener.Addr().String()
}

// newTLSUpstream starts an upstream that speaks HTTPS up to a version, and returns its certificate.
func newTLSUpstream(t *testing.T, version uint16) (address string, certificate *x509.Certificate) {
	t.Helper()
	server := httptest.NewUnstartedServer(nil)
	server.TLS = &tls.Config{MaxVersion: version}
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	t.Cleanup(server.Close)
	return server.Listener.Addr().String(), server.Certificate()
}

// A failure names the host and the cause, says what to change, and quotes nothing that was sent or
// received.
func TestFailures(t *testing.T) {
	t.Parallel()
	const (
		lookInLog    = "Look for the cause in the log of the upstream."
		correct      = "Correct the URL of --upstream (in Go, of fake.WithUpstream)."
		correctProxy = "Correct that variable, or list the host in NO_PROXY."
		orHTTPS      = " If it speaks HTTPS, write its URL with https://."
		start        = "Start it, or correct the URL of --upstream (in Go, of fake.WithUpstream)."
	)
	secure, certificate := newTLSUpstream(t, tls.VersionTLS13)
	old, _ := newTLSUpstream(t, tls.VersionTLS11)
	for name, tt := range map[string]struct {
		url    string
		dial   func(context.Context, string, string) (net.Conn, error)
		now    func() time.Time // a time at which the certificate is valid; nil if it never is
		reason string           // follows "the upstream "; {host} stands for the host of the URL
		advice string
	}{
		"down": {
			url:    "http://api.example.com:3000",
			dial:   failWith(syscall.ECONNREFUSED),
			reason: "is not there: nothing listens at {host}",
			advice: start,
		},
		"unknown name": {
			url:    "http://api.example.com",
			dial:   failWith(&net.DNSError{Err: "no such host", IsNotFound: true}),
			reason: "{host} has a name that is unknown here",
			advice: correct,
		},
		"no name server": {
			url:    "http://api.example.com",
			dial:   failWith(&net.DNSError{Err: "server misbehaving"}),
			reason: "{host} has a name that could not be looked up",
			advice: "Check that the name server can be reached.",
		},
		"no route": {
			url:    "http://api.example.com",
			dial:   failWith(errors.New("network is unreachable")),
			reason: "{host} cannot be connected to: network is unreachable",
			advice: start,
		},
		"a firewall": {
			url:    "http://api.example.com",
			dial:   failWith(os.ErrDeadlineExceeded),
			reason: "{host} did not accept a connection within 10s",
			advice: "Check that it can be reached from here: " +
				"a firewall or a VPN may be in between.",
		},
		"an authority of its own": {
			url:    "https://" + secure,
			reason: "{host} has a certificate of an authority that is not trusted here",
			advice: "Name a file with the authority's certificate in the variable SSL_CERT_FILE, " +
				"or on macOS and Windows, have the system trust it.",
		},
		"another name": {
			url:    "https://" + strings.Replace(secure, "127.0.0.1", "localhost", 1),
			now:    time.Now,
			reason: "{host} has a certificate for other names",
			advice: "Write a host that the certificate names.",
		},
		"a certificate of before": {
			url:    "https://" + secure,
			now:    func() time.Time { return certificate.NotAfter.Add(time.Second) },
			reason: "{host} has a certificate that is not valid now",
			advice: "Have a valid one made, or set the clock of this machine.",
		},
		"an old version of TLS": {
			url:    "https://" + old,
			reason: "{host} refused TLS: protocol version not supported",
			advice: lookInLog,
		},
		"no TLS": {
			url:    strings.Replace(newUpstream(t, nil), "http", "https", 1),
			reason: "{host} does not speak TLS",
			advice: "Write its URL with http://, or with the port that speaks TLS.",
		},
		"silent": {
			url:    "http://" + answerWith(t, ""),
			reason: "{host} closed the connection before it answered",
			advice: lookInLog + orHTTPS,
		},
		"silent with TLS": {
			url:    "https://" + answerWith(t, ""),
			reason: "{host} closed the connection before it answered",
			advice: lookInLog,
		},
		"no HTTP": {
			url:    "http://" + answerWith(t, "220 s3cret ESMTP\r\n"),
			reason: "{host} sent something that is not HTTP",
			advice: correct,
		},
		"an impossible status": {
			url:    "http://" + answerWith(t, "HTTP/1.1 099 s3cret\r\n\r\n"),
			reason: "{host} gave no answer that can be passed on",
			advice: lookInLog,
		},
		"refused by the proxy": {
			url:    "https://unlisted.example.com",
			reason: "{host} cannot be reached: the proxy of HTTPS_PROXY answers 403",
			advice: correctProxy,
		},
		"no proxy": {
			url:    "https://unlisted.example.com",
			dial:   failWith(errors.New("network is unreachable")),
			reason: "{host} cannot be reached, since the proxy of HTTPS_PROXY or HTTP_PROXY cannot",
			advice: correctProxy,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			proxy := newProxy(t, tt.url+"/s3cret")
			if tt.dial != nil {
				proxy.Transport.DialContext = tt.dial
			}
			if tt.now != nil {
				trusted := x509.NewCertPool()
				trusted.AddCert(certificate)
				proxy.Transport.TLSClientConfig = &tls.Config{RootCAs: trusted, Time: tt.now}
			}
			r := httptest.NewRequest("POST", "/s3cret?key=s3cret", strings.NewReader("s3cret"))
			r.Header.Set("Authorization", "Bearer s3cret")
			w := httptest.NewRecorder()
			failure := proxy.Pass(w, r, upstream.Options{})
			_, host, _ := strings.Cut(tt.url, "//")
			want := upstream.Failure{
				Status: http.StatusBadGateway,
				Reason: "the upstream " + strings.ReplaceAll(tt.reason, "{host}", host),
				Advice: tt.advice,
			}
			if failure == nil || *failure != want {
				t.Errorf("the failure is\n%+v, want\n%+v", failure, want)
			}
			if w.Body.Len() > 0 || len(w.Header()) > 0 {
				t.Errorf("the client was sent %q, with %v", w.Body, w.Header())
			}
		})
	}
}

// An upstream that accepts a connection and does not speak TLS is not waited for longer than ten
// seconds.
func TestSlowHandshake(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		proxy := newProxy(t, "https://127.0.0.1") // no proxy is used for this host
		proxy.Transport.DialContext = func(context.Context, string, string) (net.Conn, error) {
			client, server := net.Pipe()
			go io.Copy(io.Discard, server)
			return client, nil
		}
		start := time.Now()
		r := httptest.NewRequest("GET", "/", nil)
		failure := proxy.Pass(httptest.NewRecorder(), r, upstream.Options{})
		const want = "the upstream 127.0.0.1 did not agree on TLS within 10s"
		if failure == nil || failure.Reason != want || time.Since(start) != 10*time.Second {
			t.Errorf("after %s, the failure is %+v", time.Since(start), failure)
		}
	})
}

// If a wrapper of the http.ResponseWriter cannot be hijacked, no WebSocket can be delivered. That
// is no failure of the upstream.
func TestUpgradeThatCannotBeDelivered(t *testing.T) {
	t.Parallel()
	proxy := newProxy(t, "http://"+answerWith(t, "HTTP/1.1 101 Switching Protocols\r\n"+
		"Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n"))
	r := httptest.NewRequest("GET", "/", nil)
	r.Header.Set("Connection", "Upgrade")
	r.Header.Set("Upgrade", "websocket")
	failure := proxy.Pass(httptest.NewRecorder(), r, upstream.Options{})
	if failure == nil || failure.Advice != "Give the wrapper a method Unwrap." {
		t.Errorf("the failure is %+v", failure)
	}
}
