//go:build unix

package wire_test

import (
	"bufio"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"example.com/campaignfake/fake/internal/wire"
)

// A process that has no file descriptor left closes its oldest connections for new ones.
func TestNoDescriptorLeft(t *testing.T) {
	t.Parallel()
	const variable = "WIRE_TEST_SERVER"
	if os.Getenv(variable) != "" {
		serveWithoutDescriptors(t)
		return
	}
	url, input, lines := inChild(t, variable)
	ask := func(conn net.Conn) {
		t.Helper()
		fmt.Fprint(conn, "GET / HTTP/1.1\r\nHost: a.test\r\n\r\n")
		if response, err := http.ReadResponse(bufio.NewReader(conn), nil); err != nil || response.StatusCode != 200 {
			t.Fatalf("a connection is answered %v, %v", response, err)
		}
	}
	var conns []net.Conn
	for range 5 {
		conns = append(conns, dial(t, strings.TrimPrefix(url, "http://")))
		ask(conns[len(conns)-1])
	}
	fmt.Fprintln(input, "use them up")
	if lines.Scan(); lines.Text() != "used up" {
		t.Fatalf("the server says %q", lines.Text())
	}
	client := &http.Client{Transport: &http.Transport{}, Timeout: time.Minute} // so that a failure ends
	for range 2 {
		if status, body := get(t, client, url); status != 200 {
			t.Errorf("a new client is answered %d %s", status, body)
		}
	}
	if n, err := conns[0].Read(make([]byte, 1)); err == nil {
		t.Errorf("on the oldest connection come %d bytes", n)
	}
	ask(conns[len(conns)-1])
}

// serveWithoutDescriptors serves, and uses up the descriptors of the process when it is
// told to.
func serveWithoutDescriptors(t *testing.T) {
	setDescriptors(t)
	fmt.Println(serve(t, listen(t, wire.Config{Limit: 1000})))
	input := bufio.NewScanner(os.Stdin)
	input.Scan()
	var files []*os.File
	for {
		file, err := os.Open(os.DevNull)
		if err != nil {
			break
		}
		files = append(files, file)
	}
	fmt.Println("used up")
	input.Scan() // to the end
	runtime.KeepAlive(files)
}

// setDescriptors lets the process have 64 descriptors.
func setDescriptors(t *testing.T) {
	limit := syscall.Rlimit{Cur: 64, Max: 64}
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
}

// Silent clients do not lock anybody out when the connections take all of the file
// descriptors that they may. The log names the limit.
func TestSilentClientsTakeAllDescriptors(t *testing.T) {
	t.Parallel()
	const variable = "WIRE_TEST_SILENT"
	if os.Getenv(variable) != "" {
		setDescriptors(t)
		logger := slog.New(slog.NewTextHandler(os.Stdout, nil))
		fmt.Println(serve(t, listen(t, wire.Config{Limit: 1000, Logger: logger})))
		bufio.NewScanner(os.Stdin).Scan() // to the end
		return
	}
	url, _, lines := inChild(t, variable)
	first := dial(t, strings.TrimPrefix(url, "http://"))
	for range 200 {
		dial(t, strings.TrimPrefix(url, "http://"))
	}
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: time.Minute}
	for range 3 {
		if status, body := get(t, client, url); status != 200 {
			t.Errorf("a new client is answered %d %s", status, body)
		}
	}
	if n, err := first.Read(make([]byte, 1)); err == nil {
		t.Errorf("on the first connection come %d bytes", n)
	}
	if lines.Scan(); !strings.Contains(lines.Text(), "(ulimit -n)") || !strings.Contains(lines.Text(), "limit=40") {
		t.Errorf("the log has %s", lines.Text())
	}
}

// inChild runs the test in a process of its own, which has a variable and may lower its
// limits, until the test ends. It returns the URL that the process prints first, its
// input, and the lines that it prints later.
func inChild(t *testing.T, variable string) (url string, input io.WriteCloser, lines *bufio.Scanner) {
	t.Helper()
	child := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	child.Env = append(os.Environ(), variable+"=1")
	child.Stderr = os.Stderr
	input, err := child.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	output, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		input.Close()
		child.Wait()
	})
	lines = bufio.NewScanner(output)
	if !lines.Scan() {
		t.Fatalf("the server does not start: %v", lines.Err())
	}
	return lines.Text(), input, lines
}
