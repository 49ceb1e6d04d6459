package wire_test

import (
	"bytes"
	"crypto/tls"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"

	"example.com/campaignfake/fake/internal/wire"
)

// listen makes a listener on a port.
func listen(t *testing.T, c wire.Config) net.Listener {
	t.Helper()
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return wire.NewConnections(c).Listener(inner)
}

// serve answers requests of a listener until the test ends.
func serve(t *testing.T, l net.Listener) (url string) {
	t.Helper()
	server := &http.Server{
		Handler:  http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "served") }),
		ErrorLog: wire.ErrorLog(slog.New(slog.DiscardHandler)),
	}
	wire.Track(server)
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

func dial(t *testing.T, address string) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

// A logLine is what a logger was given last.
type logLine chan string

func (l logLine) Write(text []byte) (int, error) {
	l <- string(text)
	return len(text), nil
}

// serveWithLog answers requests until the test ends, and has a log.
func serveWithLog(t *testing.T) (url string, lines logLine) {
	t.Helper()
	lines = make(logLine, 2)
	return serve(t, listen(t, wire.Config{Logger: slog.New(slog.NewTextHandler(lines, nil))})), lines
}

// A client that speaks TLS is logged, and one that does not is not.
func TestClientTLS(t *testing.T) {
	t.Parallel()
	url, lines := serveWithLog(t)
	if status, _ := get(t, &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}, url); status != 200 {
		t.Errorf("a client without TLS is answered %d", status)
	}
	conn := dial(t, strings.TrimPrefix(url, "http://"))
	if err := tls.Client(conn, &tls.Config{InsecureSkipVerify: true}).Handshake(); err == nil {
		t.Error("the handshake succeeds")
	}
	if got, want := <-lines, `a base URL that begins with http://, or have the server use TLS" client=`+conn.LocalAddr().String(); !strings.Contains(got, want) {
		t.Errorf("the log has %s, want %s", got, want)
	}
	if len(lines) > 0 {
		t.Errorf("the log has one more line: %s", <-lines)
	}
}

// A client that speaks HTTP/2 without TLS is answered, and logged.
func TestClientHTTP2(t *testing.T) {
	t.Parallel()
	url, lines := serveWithLog(t)
	conn := dial(t, strings.TrimPrefix(url, "http://"))
	if _, err := io.WriteString(conn, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	answer, err := io.ReadAll(conn)
	if text := string(answer); err != nil || !strings.HasPrefix(text, "HTTP/1.1 505 ") || !strings.Contains(text, "HTTP/2 without TLS") {
		t.Errorf("it is answered %q (%v)", text, err)
	}
	if got, want := <-lines, "client="+conn.LocalAddr().String(); !strings.Contains(got, "speaks HTTP/2 without TLS") || !strings.Contains(got, want) {
		t.Errorf("the log has %s, want %s", got, want)
	}
}

// A connection that is counted stays what it is to whoever unwraps it.
func TestCountedConnections(t *testing.T) {
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
