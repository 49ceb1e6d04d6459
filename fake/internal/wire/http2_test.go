package wire_test

import (
	"crypto/tls"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"example.com/campaignfake/fake/internal/wire"
)

// testCertificate returns a certificate that httptest has. It is called outside a
// bubble.
func testCertificate() tls.Certificate {
	server := httptest.NewTLSServer(nil)
	defer server.Close()
	return server.TLS.Certificates[0]
}

// serveHTTP2 answers over HTTP/2 in memory, until the bubble ends. It counts
// connections.
func serveHTTP2(t *testing.T, certificate tls.Certificate, handler http.HandlerFunc) (client *http.Client, connections *atomic.Int64) {
	t.Helper()
	connections = new(atomic.Int64)
	listener := wire.NewMemoryListener()
	server := &http.Server{
		Handler:   handler,
		TLSConfig: &tls.Config{Certificates: []tls.Certificate{certificate}},
		ErrorLog:  wire.ErrorLog(slog.New(slog.DiscardHandler)),
		ConnState: func(_ net.Conn, state http.ConnState) {
			if state == http.StateNew {
				connections.Add(1)
			}
		},
	}
	transport := &http.Transport{
		DialContext: listener.DialContext, TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, ForceAttemptHTTP2: true,
	}
	go server.ServeTLS(listener, "", "")
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		server.Close()
	})
	return &http.Client{Transport: transport}, connections
}

const http2URL = "https://" + wire.MemoryHost

// Over HTTP/2, net/http takes the header Connection: close for a GOAWAY: the next
// request comes on a connection of its own, and what is running is finished.
func TestConnectionCloseOverHTTP2(t *testing.T) {
	t.Parallel()
	certificate := testCertificate()
	synctest.Test(t, func(t *testing.T) {
		finish := make(chan struct{})
		client, connections := serveHTTP2(t, certificate, func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/slow" {
				<-finish
			}
			w.Header().Set("Connection", "close")
			io.WriteString(w, r.Proto)
		})
		slow := make(chan string)
		go func() {
			_, body := get(t, client, http2URL+"/slow")
			slow <- body
		}()
		synctest.Wait()
		for i, want := range []int64{1, 2, 3, 4} { // the first is on the connection of the slow one
			if status, body := get(t, client, http2URL); status != 200 || body != "HTTP/2.0" {
				t.Errorf("request %d is answered %d %s", i, status, body)
			}
			if got := connections.Load(); got != want {
				t.Errorf("after request %d there were %d connections, want %d", i, got, want)
			}
			synctest.Wait() // the GOAWAY has come
		}
		close(finish)
		if body := <-slow; body != "HTTP/2.0" {
			t.Errorf("the slow request is answered %q", body)
		}
		synctest.Wait()
	})
}

// Go's client does not repeat a request whose stream is reset, though the connection
// has been used before: over HTTP/2 no fault goes unseen.
func TestResetStreamsAreNotRepeated(t *testing.T) {
	t.Parallel()
	certificate := testCertificate()
	synctest.Test(t, func(t *testing.T) {
		var requests atomic.Int64
		client, connections := serveHTTP2(t, certificate, func(w http.ResponseWriter, r *http.Request) {
			requests.Add(1)
			if r.URL.Path == "/reset" {
				panic(http.ErrAbortHandler)
			}
		})
		for range 3 {
			get(t, client, http2URL)
			if response, err := client.Get(http2URL + "/reset"); err == nil {
				response.Body.Close()
				t.Error("the reset goes unseen")
			}
		}
		if r, c := requests.Load(), connections.Load(); r != 6 || c != 1 {
			t.Errorf("there were %d requests on %d connections, want 6 on 1", r, c)
		}
	})
}
