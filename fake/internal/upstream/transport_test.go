package upstream_test

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	"example.com/campaignfake/fake/internal/upstream"
)

// An upstream with a private authority that SSL_CERT_FILE names is reached by HTTP/2.
func TestHTTP2(t *testing.T) {
	t.Parallel()
	server := newTLSUpstream(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("Trailer", "X-Trailer")
		io.WriteString(w, r.Proto+" "+r.Host+" "+r.RequestURI+" "+string(body))
		w.Header().Set("X-Trailer", "late")
	})
	f := newFront(t, setup{URL: server.URL + "/v1", BasePath: "/api"})
	r := newRequest(t, http.MethodPost, f.URL+"/api/a%2Fb?c;d", io.LimitReader(zeros{}, 3))
	response, body := do(t, f.Client(), r)
	if want := "HTTP/2.0 " + hostOf(t, server.URL) + " /v1/a%2Fb?c;d \x00\x00\x00"; body != want {
		t.Errorf("the upstream has received %q, want %q", body, want)
	}
	if response.Trailer.Get("X-Trailer") != "late" {
		t.Errorf("the trailers are %v", response.Trailer)
	}
}

// The proxy that HTTPS_PROXY names is used.
func TestHTTPSProxy(t *testing.T) {
	t.Parallel()
	server := newTLSUpstream(t, func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, r.Host)
	})
	tunnels.Store("www.example.com:443", server.Listener.Addr().String())
	f := newFront(t, setup{URL: "https://www.example.com"})
	if response, body := f.get(t, "/"); body != "www.example.com" {
		t.Errorf("the answer is %s: %s", response.Status, body)
	}
}

// A connection is used for further requests, and closed after four seconds without one. Close
// closes it at once.
func TestIdleConnections(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		listener := newMemoryListener()
		closed := make(chan time.Time, 2)
		connections := 0
		server := &http.Server{
			Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				io.WriteString(w, "body")
			}),
			ConnState: func(_ net.Conn, state http.ConnState) {
				switch state {
				case http.StateNew:
					connections++
				case http.StateClosed:
					closed <- time.Now()
				}
			},
		}
		go server.Serve(listener)
		defer server.Close()
		proxy := newProxy(t, setup{URL: "http://upstream.test", Dial: listener.Dial})
		get := func() {
			r := httptest.NewRequest(http.MethodGet, "/", nil)
			if _, err := proxy.Pass(httptest.NewRecorder(), r, upstream.Options{}); err != nil {
				t.Error(err)
			}
		}

		get()
		time.Sleep(3 * time.Second)
		get()
		start := time.Now()
		if took := (<-closed).Sub(start); took != 4*time.Second || connections != 1 {
			t.Errorf("%d connections were made, and the last closed after %s", connections, took)
		}
		get()
		start = time.Now()
		synctest.Wait() // until the connection is idle
		proxy.Close()
		if took := (<-closed).Sub(start); took != 0 || connections != 2 {
			t.Errorf("%d connections were made, and the last closed after %s", connections, took)
		}
	})
}
