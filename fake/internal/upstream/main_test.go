package upstream_test

import (
	"bufio"
	"context"
	"encoding/pem"
	"errors"
	"io"
	"log"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/campaignfake/fake/internal/upstream"
)

// tunnels has the address at which the proxy of HTTPS_PROXY reaches a host with its port.
var tunnels sync.Map

// TestMain sets the variables that net/http and crypto/x509 read once in a process: the authority
// of httptest's certificate is one of the system, and a proxy leads to hosts that are not on
// loopback.
func TestMain(m *testing.M) {
	os.Exit(run(m))
}

func run(m *testing.M) int {
	server := httptest.NewTLSServer(nil)
	server.Close()
	folder, err := os.MkdirTemp("", "upstream")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	authority := filepath.Join(folder, "authority.pem")
	block := &pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}
	if err := os.WriteFile(authority, pem.EncodeToMemory(block), 0o600); err != nil {
		panic(err)
	}

	proxy := httptest.NewServer(http.HandlerFunc(tunnel))
	defer proxy.Close()
	for _, name := range []string{
		"HTTP_PROXY", "http_proxy", "NO_PROXY", "no_proxy", "https_proxy",
	} {
		os.Unsetenv(name)
	}
	os.Setenv("HTTPS_PROXY", proxy.URL)
	os.Setenv("SSL_CERT_FILE", authority)
	return m.Run()
}

// tunnel connects a client to the host that it asks for, if a test has listed that.
func tunnel(w http.ResponseWriter, r *http.Request) {
	address, isListed := tunnels.Load(r.Host)
	if r.Method != http.MethodConnect || !isListed {
		http.Error(w, "this host is not listed", http.StatusForbidden)
		return
	}
	server, err := net.Dial("tcp", address.(string))
	if err != nil {
		panic(err)
	}
	defer server.Close()
	client, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(err)
	}
	defer client.Close()
	io.WriteString(client, "HTTP/1.1 200 OK\r\n\r\n")
	go func() {
		io.Copy(server, client)
		server.Close()
	}()
	io.Copy(client, server)
}

// needSystemAuthority skips a test where SSL_CERT_FILE means nothing.
func needSystemAuthority(t *testing.T) {
	if runtime.GOOS == "darwin" || runtime.GOOS == "windows" {
		t.Skip("the system has authorities of its own, and ignores SSL_CERT_FILE")
	}
}

// A setup is what a front is made with.
type setup struct {
	URL         string // of the upstream
	BasePath    string
	Header      http.Header // that the writer has before the request is passed on
	ReplaceCORS bool
	Ending      context.Context
	Dial        func(ctx context.Context, network, address string) (net.Conn, error)
	IsTLS       bool
}

// A front is a server that passes every request on, as package serve does with most.
type front struct {
	*httptest.Server
	setup setup
	proxy *upstream.Proxy
	begun chan upstream.ResponseHead
	ended chan outcome
}

// An outcome is what Pass returned.
type outcome struct {
	sent int64
	err  error
}

// newFront starts a front, and closes it at the end of the test.
func newFront(t testing.TB, s setup) *front {
	t.Helper()
	f := &front{
		setup: s,
		proxy: newProxy(t, s),
		begun: make(chan upstream.ResponseHead, 100),
		ended: make(chan outcome, 100),
	}
	f.Server = httptest.NewUnstartedServer(f)
	f.Config.DisableGeneralOptionsHandler = true // as that of the fake
	f.Config.ErrorLog = log.New(failing{t}, "", 0)
	if s.IsTLS {
		f.StartTLS()
	} else {
		f.Start()
	}
	t.Cleanup(f.Close)
	return f
}

// newProxy makes a proxy, and closes it at the end of the test.
func newProxy(t testing.TB, s setup) *upstream.Proxy {
	t.Helper()
	u, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	if err := upstream.CheckURL(u); err != nil {
		t.Fatal(err)
	}
	if s.Ending == nil {
		s.Ending = context.Background()
	}
	proxy := upstream.New(upstream.Settings{URL: u, Ending: s.Ending, Dial: s.Dial})
	t.Cleanup(proxy.Close)
	return proxy
}

// failing fails a test if something is logged.
type failing struct {
	testing.TB
}

func (f failing) Write(line []byte) (int, error) {
	f.Errorf("the front logs: %s", line)
	return len(line), nil
}

func (f *front) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	maps.Copy(w.Header(), f.setup.Header)
	sent, err := f.proxy.Pass(w, r, upstream.Options{
		BasePath:    f.setup.BasePath,
		ReplaceCORS: f.setup.ReplaceCORS,
		Begin: func(a upstream.ResponseHead) {
			f.begun <- a
		},
	})
	f.ended <- outcome{sent, err}
	var failed *upstream.Error
	if errors.As(err, &failed) && failed.Status != 0 {
		http.Error(w, failed.Error(), failed.Status)
		return
	}
	if err != nil {
		panic(http.ErrAbortHandler)
	}
}

// host returns the host and port of the front.
func (f *front) host() string {
	return f.Listener.Addr().String()
}

// get sends a request without a body, and returns the answer with all of its body.
func (f *front) get(t *testing.T, path string) (*http.Response, string) {
	t.Helper()
	return do(t, f.Client(), newRequest(t, http.MethodGet, f.URL+path, nil))
}

// newRequest makes a request that ends with the test.
func newRequest(t testing.TB, method, url string, body io.Reader) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, body)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// do sends a request, without following a redirect, and returns the answer with all of its body.
func do(t *testing.T, client *http.Client, r *http.Request) (*http.Response, string) {
	t.Helper()
	response, err := client.Transport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response, string(body)
}

// newUpstream starts an upstream with one handler.
func newUpstream(t testing.TB, handler http.HandlerFunc) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server
}

// newTLSUpstream starts an upstream that speaks HTTPS, and HTTP/2 if a client wants that.
func newTLSUpstream(t *testing.T, handler http.HandlerFunc) *httptest.Server {
	t.Helper()
	needSystemAuthority(t)
	server := httptest.NewUnstartedServer(handler)
	server.EnableHTTP2 = true
	server.StartTLS()
	t.Cleanup(server.Close)
	return server
}

// A conn is a connection whose requests and answers are written and read as text.
type conn struct {
	*net.TCPConn
	reader *bufio.Reader
}

// dial connects to a server.
func dial(t *testing.T, address string) conn {
	t.Helper()
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return conn{TCPConn: c.(*net.TCPConn), reader: bufio.NewReader(c)}
}

// send sends lines.
func (c conn) send(t *testing.T, lines ...string) {
	t.Helper()
	if _, err := io.WriteString(c, strings.Join(lines, "\r\n")+"\r\n"); err != nil {
		t.Fatal(err)
	}
}

// readLine reads a line.
func (c conn) readLine(t *testing.T) string {
	t.Helper()
	line, err := c.reader.ReadString('\n')
	if err != nil {
		t.Fatalf("after %q: %v", line, err)
	}
	return strings.TrimRight(line, "\r\n")
}

// readAnswer reads the answer to a GET.
func (c conn) readAnswer(t *testing.T) *http.Response {
	t.Helper()
	response, err := http.ReadResponse(c.reader, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { response.Body.Close() })
	return response
}

// receive receives from a channel, and fails the test if nothing comes for a long time.
func receive[T any](t *testing.T, from <-chan T) T {
	t.Helper()
	select {
	case received := <-from:
		return received
	case <-time.After(30 * time.Second):
		t.Fatal("nothing has come")
		panic("unreachable")
	}
}

// A memoryListener accepts connections that are in memory, so that a testing/synctest bubble can
// wait for what they do.
type memoryListener struct {
	accept chan net.Conn
	closed chan struct{}
}

func newMemoryListener() *memoryListener {
	return &memoryListener{
		accept: make(chan net.Conn),
		closed: make(chan struct{}),
	}
}

// Dial connects to the listener.
func (l *memoryListener) Dial(ctx context.Context, _, _ string) (net.Conn, error) {
	client, server := net.Pipe()
	select {
	case l.accept <- server:
		return client, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (l *memoryListener) Accept() (net.Conn, error) {
	select {
	case conn := <-l.accept:
		return conn, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *memoryListener) Close() error {
	close(l.closed)
	return nil
}

func (l *memoryListener) Addr() net.Addr {
	return &net.UnixAddr{Name: "memory", Net: "memory"}
}

// hostOf returns the host and port of a server.
func hostOf(t *testing.T, text string) string {
	t.Helper()
	u, err := url.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return u.Host
}
