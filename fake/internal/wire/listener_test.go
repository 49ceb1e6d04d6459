package wire_test

import (
	"bytes"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"example.com/campaignfake/fake/internal/wire"
)

// listen makes a Listener on a port.
func listen(t *testing.T, c wire.Config) *wire.Listener {
	t.Helper()
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return wire.NewListener(inner, c)
}

// serve answers requests of a Listener until the test ends.
func serve(t *testing.T, l *wire.Listener) (url string) {
	t.Helper()
	server := &http.Server{
		Handler:  http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "served") }),
		ErrorLog: wire.ErrorLog(nil),
	}
	go server.Serve(l)
	t.Cleanup(func() { server.Close() })
	return "http://" + l.Addr().String()
}

func get(t *testing.T, client *http.Client, url string) (status int, body string) {
	t.Helper()
	response, err := client.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(text)
}

func TestTooManyConnections(t *testing.T) {
	t.Parallel()
	url := serve(t, listen(t, wire.Config{Limit: 2}))
	newClient := func() *http.Client { return &http.Client{Transport: &http.Transport{}} }
	first, second, third := newClient(), newClient(), newClient()
	for range 3 {
		for i, client := range []*http.Client{first, second} {
			if status, body := get(t, client, url); status != 200 || body != "served" {
				t.Errorf("client %d is answered %d %s", i+1, status, body)
			}
		}
		want := `{"type":"about:blank","title":"Service Unavailable","status":503,"detail":"There are 2 connections, and no room for more. Close some."}`
		if status, body := get(t, third, url); status != 503 || body != want {
			t.Errorf("the third is answered %d %s", status, body)
		}
	}
	second.CloseIdleConnections()
	for status := 503; status != 200; status, _ = get(t, third, url) {
	}
	first.CloseIdleConnections()
	third.CloseIdleConnections()
}

// A server that speaks TLS cannot answer what it does not let in.
func TestTooManyConnectionsOverTLS(t *testing.T) {
	t.Parallel()
	address := strings.TrimPrefix(serve(t, listen(t, wire.Config{Limit: 1, Secured: true})), "http://")
	let := dial(t, address)
	io.WriteString(let, "GET / HTTP/1.1\r\nHost: a.test\r\n\r\n")
	if _, err := let.Read(make([]byte, 1)); err != nil {
		t.Errorf("the first connection is answered %v", err)
	}
	if n, err := dial(t, address).Read(make([]byte, 1)); err == nil {
		t.Errorf("the second is answered %d bytes", n)
	}
}

func dial(t *testing.T, address string) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

func TestClientTLS(t *testing.T) {
	t.Parallel()
	clients := make(chan net.Addr, 2)
	url := serve(t, listen(t, wire.Config{ClientTLS: func(client net.Addr) { clients <- client }}))
	if status, _ := get(t, &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}, url); status != 200 {
		t.Errorf("a client without TLS is answered %d", status)
	}
	conn := dial(t, strings.TrimPrefix(url, "http://"))
	if err := tls.Client(conn, &tls.Config{InsecureSkipVerify: true}).Handshake(); err == nil {
		t.Error("the handshake succeeds")
	}
	if got := <-clients; got.String() != conn.LocalAddr().String() {
		t.Errorf("the client is %s, want %s", got, conn.LocalAddr())
	}
	if len(clients) > 0 {
		t.Errorf("the other client is taken for one that speaks TLS: %s", <-clients)
	}
}

// A client that speaks HTTP/2 without TLS is told so.
func TestClientHTTP2(t *testing.T) {
	t.Parallel()
	clients := make(chan net.Addr, 1)
	url := serve(t, listen(t, wire.Config{ClientHTTP2: func(client net.Addr) { clients <- client }}))
	conn := dial(t, strings.TrimPrefix(url, "http://"))
	if _, err := io.WriteString(conn, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	answer, err := io.ReadAll(conn)
	if text := string(answer); err != nil || !strings.HasPrefix(text, "HTTP/1.1 505 ") || !strings.Contains(text, "HTTP/2 without TLS") {
		t.Errorf("it is answered %q (%v)", text, err)
	}
	if got := <-clients; got.String() != conn.LocalAddr().String() {
		t.Errorf("the client is %s, want %s", got, conn.LocalAddr())
	}
}

// A connection that is counted stays what it is to whoever unwraps it.
func TestLimitedConnections(t *testing.T) {
	t.Parallel()
	l := listen(t, wire.Config{})
	defer l.Close()
	client := dial(t, l.Addr().String())
	conn, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if inner, ok := conn.(interface{ NetConn() net.Conn }); !ok {
		t.Error("it has no NetConn")
	} else if _, ok := inner.NetConn().(*net.TCPConn); !ok {
		t.Errorf("inside is %T", inner.NetConn())
	}
	io.WriteString(conn, "the end")
	if err := conn.(interface{ CloseWrite() error }).CloseWrite(); err != nil {
		t.Error(err)
	}
	if got, err := io.ReadAll(client); err != nil || !bytes.Equal(got, []byte("the end")) {
		t.Errorf("the client reads %q, %v", got, err)
	}
}
