package upstream_test

import (
	"bufio"
	"context"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/campaignfake/fake/internal/upstream"
)

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

// A failure names the host and the cause, and quotes nothing that was sent or received.
func TestFailures(t *testing.T) {
	t.Parallel()
	secure := httptest.NewUnstartedServer(nil)
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	secure.StartTLS()
	defer secure.Close()
	noTLS := strings.Replace(newUpstream(t, nil), "http", "https", 1)
	const other = "cannot be reached, breaks the connection, or sends what is no HTTP"
	for server, want := range map[string]string{
		secure.URL:                    "has no certificate that is trusted here",
		noTLS:                         "does not speak HTTPS at this port",
		"http://" + answerWith(t, ""): other,
		"http://" + answerWith(t, "220 s3cret ESMTP\r\n"):        other,
		"http://" + answerWith(t, "HTTP/1.1 099 s3cret\r\n\r\n"): other,
		"https://unlisted.example.com":                           other, // the proxy refuses it
	} {
		r := httptest.NewRequest("POST", "/s3cret?key=s3cret", strings.NewReader("s3cret"))
		r.Header.Set("Authorization", "Bearer s3cret")
		w := httptest.NewRecorder()
		failure := newProxy(t, server+"/s3cret").Pass(w, r, upstream.Options{})
		_, host, _ := strings.Cut(server, "//")
		want = "the upstream " + host + " " + want + "; correct "
		isRight := failure != nil && failure.Status == http.StatusBadGateway &&
			strings.HasPrefix(failure.Reason, want) && !strings.Contains(failure.Reason, "s3cret")
		if !isRight {
			t.Errorf("the failure is %+v, want %s", failure, want)
		}
		if w.Body.Len() > 0 || len(w.Header()) > 0 {
			t.Errorf("the client was sent %q, with %v", w.Body, w.Header())
		}
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
		const want = "the upstream 127.0.0.1 has not answered in time; "
		isRight := failure != nil && strings.HasPrefix(failure.Reason, want)
		if !isRight || time.Since(start) != 10*time.Second {
			t.Errorf("after %s, the failure is %+v", time.Since(start), failure)
		}
	})
}
