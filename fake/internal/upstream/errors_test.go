package upstream_test

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/campaignfake/fake/internal/upstream"
)

// pass passes a request on that has secrets, and returns the error. No error tells a secret.
func pass(t *testing.T, proxy *upstream.Proxy) *upstream.Error {
	t.Helper()
	r := newRequest(t, http.MethodPost, "http://fake.test/s3cret?key=s3cret",
		strings.NewReader("s3cret"))
	r.Header.Set("Authorization", "Bearer s3cret")
	r.Header.Set("Cookie", "id=s3cret")
	recorder := httptest.NewRecorder()
	_, err := proxy.Pass(recorder, r, upstream.Options{})
	var failed *upstream.Error
	if !errors.As(err, &failed) {
		t.Fatalf("Pass returns %v", err)
	}
	if strings.Contains(failed.Reason+failed.Advice, "s3cret") {
		t.Errorf("%q, %q tells a secret", failed.Reason, failed.Advice)
	}
	if recorder.Body.Len() > 0 || len(recorder.Header()) > 0 {
		t.Errorf("the client was sent %q, with %v", recorder.Body, recorder.Header())
	}
	return failed
}

// failWith returns a function that fails to connect.
func failWith(err error) func(context.Context, string, string) (net.Conn, error) {
	return func(context.Context, string, string) (net.Conn, error) {
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: err}
	}
}

// answerWith returns the address of a server that answers each request with a text, and closes the
// connection.
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

// certificate makes a certificate that no system trusts.
func certificate(t *testing.T) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1),
		NotAfter:     time.Now().AddDate(1, 0, 0),
		IPAddresses:  []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

// tlsWith returns the address of a server that speaks TLS with a configuration.
func tlsWith(t *testing.T, config *tls.Config) string {
	t.Helper()
	server := httptest.NewUnstartedServer(nil)
	server.TLS = config
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	t.Cleanup(server.Close)
	return server.Listener.Addr().String()
}

// closed returns an address at which nobody listens.
func closed(t *testing.T) string {
	t.Helper()
	server := httptest.NewServer(nil)
	server.Close()
	return server.Listener.Addr().String()
}

const correctURL = "Correct the URL of --upstream (in Go, of fake.WithUpstream)."

// The error names the host and the cause, and says what to change.
func TestFailures(t *testing.T) {
	t.Parallel()
	const (
		lookInLog    = "Look for the cause in the log of the upstream."
		correctProxy = "Correct that variable, or list the host in NO_PROXY."
		orHTTPS      = " If it speaks HTTPS, write its URL with https://."
		start        = "Start it, or correct the URL of --upstream (in Go, of fake.WithUpstream)."
	)
	for name, tt := range map[string]struct {
		scheme  string
		host    func(t *testing.T) string // or api.example.com
		dial    func(ctx context.Context, network, address string) (net.Conn, error)
		onLinux bool // the text is that of the system, or of its authorities

		reason string // {host} stands for the host
		advice string
	}{
		"down": {
			scheme: "http",
			host:   closed,
			reason: "the upstream is not there: nothing listens at {host}",
			advice: start,
		},
		"unknown name": {
			scheme: "http",
			dial: failWith(&net.DNSError{
				Err:        "no such host",
				Name:       "api.example.com",
				IsNotFound: true,
			}),
			reason: "the upstream {host} has a name that is unknown here",
			advice: correctURL,
		},
		"no name server": {
			scheme: "http",
			dial:   failWith(&net.DNSError{Err: "server misbehaving", Name: "api.example.com"}),
			reason: "the upstream {host} has a name that could not be looked up: " +
				"server misbehaving",
			advice: "Check that the name server can be reached.",
		},
		"no route": {
			scheme: "http",
			dial:   failWith(errors.New("network is unreachable")),
			reason: "the upstream {host} cannot be connected to: network is unreachable",
			advice: start,
		},
		"untrusted": {
			scheme:  "https",
			onLinux: true,
			host: func(t *testing.T) string {
				return tlsWith(t, &tls.Config{Certificates: []tls.Certificate{certificate(t)}})
			},
			reason: "the upstream {host} has a certificate of an authority that is not " +
				"trusted here",
			advice: "Name a file with the authority's certificate in the variable SSL_CERT_FILE, " +
				"or on macOS and Windows, have the system trust it.",
		},
		"another name": {
			scheme:  "https",
			onLinux: true,
			host: func(t *testing.T) string {
				return strings.Replace(tlsWith(t, nil), "127.0.0.1", "localhost", 1)
			},
			reason: "the upstream {host} has a certificate that cannot be used: " +
				"certificate is valid for example.com, *.example.com, not localhost",
			advice: "Write the host that the certificate names, or have a valid one made.",
		},
		"too old": {
			scheme: "https",
			host: func(t *testing.T) string {
				return tlsWith(t, &tls.Config{MaxVersion: tls.VersionTLS11})
			},
			reason: "the upstream {host} refused TLS: protocol version not supported",
			advice: lookInLog,
		},
		"no TLS": {
			scheme: "https",
			host: func(t *testing.T) string {
				return newUpstream(t, nil).Listener.Addr().String()
			},
			reason: "the upstream {host} does not speak TLS",
			advice: "Write its URL with http://, or with the port that speaks TLS.",
		},
		"silent": {
			scheme: "http",
			host:   func(t *testing.T) string { return answerWith(t, "") },
			reason: "the upstream {host} closed the connection before it answered",
			advice: lookInLog + orHTTPS,
		},
		"half of a header": {
			scheme: "http",
			host: func(t *testing.T) string {
				return answerWith(t, "HTTP/1.1 200 OK\r\nX-A: b\r\n")
			},
			reason: "the upstream {host} closed the connection before it answered",
			advice: lookInLog + orHTTPS,
		},
		"no HTTP": {
			scheme: "http",
			host:   func(t *testing.T) string { return answerWith(t, "220 s3cret ESMTP\r\n") },
			reason: "the upstream {host} sent something that is not HTTP",
			advice: correctURL,
		},
		"no status": {
			scheme: "http",
			host:   func(t *testing.T) string { return answerWith(t, "HTTP/1.1 s3cret\r\n\r\n") },
			reason: "the upstream {host} sent something that is not HTTP",
			advice: correctURL,
		},
		"an impossible status": {
			scheme: "http",
			host:   func(t *testing.T) string { return answerWith(t, "HTTP/1.1 099 Odd\r\n\r\n") },
			reason: "the upstream {host} gave no answer: its status is 099, and HTTP has " +
				"none below 100",
			advice: lookInLog,
		},
		"two lengths": {
			scheme: "http",
			host: func(t *testing.T) string {
				return answerWith(t,
					"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\na")
			},
			reason: "the upstream {host} gave no answer: " +
				`message cannot contain multiple Content-Length headers; got ["1" "2"]`,
			advice: lookInLog,
		},
		"silent with TLS": {
			scheme: "https",
			host:   func(t *testing.T) string { return answerWith(t, "") },
			reason: "the upstream {host} closed the connection before it answered",
			advice: lookInLog,
		},
		"refused by the proxy": {
			scheme: "https",
			host:   func(*testing.T) string { return "unlisted.example.com" },
			reason: "the upstream {host} cannot be reached: the proxy of HTTPS_PROXY answers " +
				"403 Forbidden",
			advice: correctProxy,
		},
		"no proxy": {
			scheme: "https",
			dial:   failWith(errors.New("network is unreachable")),
			reason: "the upstream {host} cannot be reached, since the proxy of HTTPS_PROXY or " +
				"HTTP_PROXY cannot: dial tcp: network is unreachable",
			advice: correctProxy,
		},
		"a long text": {
			scheme: "http",
			dial:   failWith(errors.New(strings.Repeat("é", 101) + "e")),
			reason: "the upstream {host} cannot be connected to: " + strings.Repeat("é", 100) + "…",
			advice: start,
		},
		"a long text, cut in a character": {
			scheme: "http",
			dial:   failWith(errors.New("e" + strings.Repeat("é", 100))),
			reason: "the upstream {host} cannot be connected to: e" + strings.Repeat("é", 99) + "…",
			advice: start,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if tt.onLinux {
				needSystemAuthority(t)
			}
			host := "api.example.com"
			if tt.host != nil {
				host = tt.host(t)
			}
			failed := pass(t,
				newProxy(t, setup{URL: tt.scheme + "://" + host + "/s3cret", Dial: tt.dial}))
			want := upstream.Error{
				Status: http.StatusBadGateway,
				Reason: strings.ReplaceAll(tt.reason, "{host}", host),
				Advice: tt.advice,
			}
			if *failed != want {
				t.Errorf("the error is\n%+v, want\n%+v", *failed, want)
			}
			if failed.Error() != want.Reason {
				t.Errorf("its text is %s", failed.Error())
			}
		})
	}
}

// An upstream that does not accept a connection, or does not speak, is not waited for longer than
// ten seconds.
func TestSlowUpstream(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		url    string
		dial   func(ctx context.Context, network, address string) (net.Conn, error)
		reason string
	}{
		"no connection": {
			"http://api.example.com",
			func(ctx context.Context, _, _ string) (net.Conn, error) {
				<-ctx.Done()
				return nil, ctx.Err()
			},
			"the upstream api.example.com did not accept a connection within 10s",
		},
		"no handshake": {
			"https://127.0.0.1", // for which no proxy is used
			func(ctx context.Context, _, _ string) (net.Conn, error) {
				client, server := net.Pipe()
				go io.Copy(io.Discard, server)
				return client, nil
			},
			"the upstream 127.0.0.1 did not agree on TLS within 10s",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				failed := pass(t, newProxy(t, setup{URL: tt.url, Dial: tt.dial}))
				if failed.Status != http.StatusBadGateway || failed.Reason != tt.reason {
					t.Errorf("the error is %+v", *failed)
				}
				if took := time.Since(start); took != 10*time.Second {
					t.Errorf("it took %s", took)
				}
			})
		})
	}
}

// An upstream that fails while the server ends is named nevertheless.
func TestFailureAtTheEnd(t *testing.T) {
	t.Parallel()
	ending, end := context.WithCancel(t.Context())
	end()
	failed := pass(t, newProxy(t, setup{URL: "http://" + closed(t), Ending: ending}))
	if failed.Status != http.StatusBadGateway {
		t.Errorf("the error is %+v", *failed)
	}
}

// An answer that the upstream does not finish is broken off for the client, too.
func TestBrokenAnswer(t *testing.T) {
	t.Parallel()
	for name, header := range map[string]string{
		"known length": "Content-Length: 10",
		"chunks":       "Transfer-Encoding: chunked\r\n\r\n4",
		"events":       "Content-Type: text/event-stream\r\nContent-Length: 10",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := "HTTP/1.1 200 OK\r\n" + header + "\r\n\r\nbody\r\n"
			if strings.HasSuffix(header, "\r\n4") {
				text = "HTTP/1.1 200 OK\r\n" + header + "\r\nbody\r\n"
			}
			host := answerWith(t, text)
			f := newFront(t, setup{URL: "http://" + host})
			response, err := f.Client().Do(newRequest(t, http.MethodGet, f.URL, nil))
			if err != nil {
				t.Fatal(err)
			}
			defer response.Body.Close()
			body, err := io.ReadAll(response.Body)
			if !strings.HasPrefix(string(body), "body") || !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Errorf("the client has read %q: %v", body, err)
			}
			ended := receive(t, f.ended)
			var failed *upstream.Error
			want := "the upstream " + host + " ended the connection in the middle of its answer"
			if !errors.As(ended.err, &failed) || failed.Status != 0 || failed.Reason != want {
				t.Errorf("it ended as %+v", ended)
			}
			if ended.sent != int64(len(body)) {
				t.Errorf("%d bytes were sent, and %d have come", ended.sent, len(body))
			}
		})
	}
}

// A client that goes away is no failure of the upstream. The upstream learns that it has gone.
func TestClientGone(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		lines   []string // of the request
		isBegun bool     // the client goes when the answer has begun
	}{
		"before the answer": {
			[]string{"GET /wait HTTP/1.1", "Host: fake.test", ""},
			false,
		},
		"in the request": {
			[]string{"POST /read HTTP/1.1", "Host: fake.test", "Content-Length: 8", "", "half"},
			false,
		},
		"in a chunk of the request": {
			[]string{
				"POST /read HTTP/1.1", "Host: fake.test", "Transfer-Encoding: chunked", "", "4",
				"half", "?",
			},
			false,
		},
		"in the answer": {
			[]string{"GET /write HTTP/1.1", "Host: fake.test", ""},
			true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			arrived := make(chan bool, 1)
			left := make(chan bool, 1)
			server := newUpstream(t, func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/write" {
					http.NewResponseController(w).Flush()
				}
				arrived <- true
				io.Copy(io.Discard, r.Body)
				<-r.Context().Done()
				left <- true
			})
			f := newFront(t, setup{URL: server.URL})
			c := dial(t, f.host())
			c.send(t, tt.lines...)
			receive(t, arrived)
			if tt.isBegun {
				c.readAnswer(t)
			}
			c.Close()
			receive(t, left)
			if ended := receive(t, f.ended); ended.err != upstream.ErrClientGone {
				t.Errorf("it ended with %v", ended.err)
			}
		})
	}
}

// A full is an http.ResponseWriter that takes no body.
type full struct {
	http.ResponseWriter
}

func (full) Write([]byte) (int, error) {
	return 0, errors.New("nobody reads it")
}

// A client that does not take the last byte has not received the answer, though the upstream has
// sent all of it.
func TestAnswerWhoseEndCannotBeWritten(t *testing.T) {
	t.Parallel()
	server := newUpstream(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "1")
		io.WriteString(w, "a")
	})
	proxy := newProxy(t, setup{URL: server.URL})
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://fake.test/", nil)
	_, err := proxy.Pass(full{httptest.NewRecorder()}, r, upstream.Options{})
	if err != upstream.ErrClientGone {
		t.Errorf("it ended with %v, want %v", err, upstream.ErrClientGone)
	}
}

// An ordinary answer that the upstream does not finish is its failure, also while the server ends.
func TestBrokenAnswerWhileTheServerEnds(t *testing.T) {
	t.Parallel()
	ending, end := context.WithCancel(t.Context())
	end()
	server := newUpstream(t, func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, "half")
		http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	})
	f := newFront(t, setup{URL: server.URL, Ending: ending})
	c := dial(t, f.host())
	c.send(t, "GET / HTTP/1.1", "Host: fake.test", "")
	ended := receive(t, f.ended)
	var failed *upstream.Error
	if !errors.As(ended.err, &failed) || failed.Status != 0 {
		t.Errorf("it ended with %v, want that the upstream ended the connection", ended.err)
	}
}

// A client that does not take the answer is no failure of the upstream either.
func TestClientGoneWhileAnswerIsWritten(t *testing.T) {
	t.Parallel()
	server := newUpstream(t, func(w http.ResponseWriter, r *http.Request) {
		io.Copy(w, zeros{}) // until nobody reads it any more
	})
	f := newFront(t, setup{URL: server.URL})
	c := dial(t, f.host())
	c.send(t, "GET / HTTP/1.1", "Host: fake.test", "")
	c.readAnswer(t)
	c.Close()
	ended := receive(t, f.ended)
	if ended.err != upstream.ErrClientGone || ended.sent == 0 {
		t.Errorf("it ended as %+v", ended)
	}
}

// A client that takes nothing any more is gone, even if net/http has not noticed it: the time to
// write is over. When the server ends, that is the reason.
func TestAnswerThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	ended, end := context.WithCancel(t.Context())
	end()
	for name, tt := range map[string]struct {
		ending context.Context
		want   error
	}{
		"running": {t.Context(), upstream.ErrClientGone},
		"ending":  {ended, upstream.ErrServerClosed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := newUpstream(t, func(w http.ResponseWriter, r *http.Request) {
				io.WriteString(w, strings.Repeat("body", 10000))
			})
			proxy := newProxy(t, setup{URL: server.URL, Ending: tt.ending})
			outcomes := make(chan error, 1)
			f := newUpstream(t, func(w http.ResponseWriter, r *http.Request) {
				http.NewResponseController(w).SetWriteDeadline(time.Now())
				_, err := proxy.Pass(w, r, upstream.Options{})
				outcomes <- err
			})
			dial(t, f.Listener.Addr().String()).send(t, "GET / HTTP/1.1", "Host: fake.test", "")
			if err := receive(t, outcomes); err != tt.want {
				t.Errorf("it ended with %v, want %v", err, tt.want)
			}
		})
	}
}

// A panic of the caller goes on to the caller.
func TestPanicGoesOn(t *testing.T) {
	t.Parallel()
	server := newUpstream(t, func(http.ResponseWriter, *http.Request) {})
	proxy := newProxy(t, setup{URL: server.URL})
	defer func() {
		if p := recover(); p != "of the caller" {
			t.Errorf("the panic is %v", p)
		}
	}()
	r := newRequest(t, http.MethodGet, "http://fake.test/", nil)
	proxy.Pass(httptest.NewRecorder(), r, upstream.Options{
		Begin: func(upstream.ResponseHead) {
			panic("of the caller")
		},
	})
}
