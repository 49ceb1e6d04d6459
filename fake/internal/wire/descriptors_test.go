//go:build unix

package wire_test

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"example.com/campaignfake/fake/internal/wire"
)

// A process that has no file descriptor left says so to its clients. Without a spare
// one it could not even accept their connections.
func TestNoDescriptorLeft(t *testing.T) {
	t.Parallel()
	const variable = "WIRE_TEST_SERVER"
	if os.Getenv(variable) != "" {
		serveWithoutDescriptors(t)
		return
	}
	url, input, lines := inChild(t, variable)
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: time.Minute} // so that a failure ends
	for range 5 {
		if status, body := get(t, client, url); status != 503 || !strings.Contains(body, "no file descriptor left") {
			t.Errorf("a request is answered %d %s", status, body)
		}
	}
	dial(t, strings.TrimPrefix(url, "http://")) // a client that says nothing holds up nobody for long
	if status, _ := get(t, client, url); status != 503 {
		t.Errorf("a request after a silent client is answered %d", status)
	}
	fmt.Fprintln(input, "close them")
	if lines.Scan(); lines.Text() != "closed" {
		t.Fatalf("the server says %q", lines.Text())
	}
	if status, body := get(t, client, url); status != 200 {
		t.Errorf("with descriptors, a request is answered %d %s", status, body)
	}
}

// serveWithoutDescriptors uses up the descriptors of the process, until it is told to
// close them.
func serveWithoutDescriptors(t *testing.T) {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
	limit.Cur = 64
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
	l := listen(t, wire.Config{})
	var files []*os.File
	for {
		file, err := os.Open(os.DevNull)
		if err != nil {
			break
		}
		files = append(files, file)
	}
	fmt.Println(serve(t, l)) // only now, since nobody else may take the spare descriptor
	input := bufio.NewScanner(os.Stdin)
	input.Scan()
	for _, file := range files {
		file.Close()
	}
	fmt.Println("closed")
	input.Scan() // to the end
}

// Nothing of a Listener that is closed stays open.
func TestListenersCloseTheirSpare(t *testing.T) {
	t.Parallel()
	const variable = "WIRE_TEST_LISTENERS"
	if os.Getenv(variable) == "" {
		child := exec.Command(os.Args[0], "-test.run=^TestListenersCloseTheirSpare$")
		child.Env = append(os.Environ(), variable+"=1")
		if output, err := child.CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, output)
		}
		return
	}
	limit := syscall.Rlimit{Cur: 64, Max: 64}
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
	for range 200 {
		listen(t, wire.Config{}).Close()
	}
	for range 2 { // one alone may be what a last listener could not hold
		file, err := os.Open(os.DevNull)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
	}
}

// Clients that say nothing do not hold up one that asks, when the connections take all
// of the file descriptors that they may. Nobody waits until those have timed out.
func TestSilentClientsTakeAllDescriptors(t *testing.T) {
	t.Parallel()
	const variable = "WIRE_TEST_SILENT"
	if os.Getenv(variable) == "" {
		url, _, _ := inChild(t, variable)
		bystander := &http.Client{Transport: &http.Transport{}, Timeout: time.Minute}
		if status, _ := get(t, bystander, url); status != 200 {
			t.Fatalf("a bystander is answered %d", status)
		}
		for range 200 {
			dial(t, strings.TrimPrefix(url, "http://"))
		}
		client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: time.Minute}
		if status, body := get(t, client, url); status != 503 || !strings.Contains(body, "by the limit of 64 file descriptors (ulimit -n)") {
			t.Errorf("a new client is answered %d %s", status, body)
		}
		if status, _ := get(t, bystander, url); status != 200 {
			t.Errorf("a bystander is answered %d", status)
		}
		return
	}
	limit := syscall.Rlimit{Cur: 64, Max: 64}
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
	fmt.Println(serve(t, listen(t, wire.Config{})))
	bufio.NewScanner(os.Stdin).Scan() // to the end
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
