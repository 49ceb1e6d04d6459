package upstream

import (
	"bufio"
	"crypto/sha256"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// peakMemory returns the most memory in MiB that a process has had at once.
func peakMemory(t *testing.T, pid int) int {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`VmHWM:\s+(\d+) kB`).FindSubmatch(status)
	if found == nil {
		t.Fatalf("the peak is not in\n%s", status)
	}
	kibibytes, err := strconv.Atoi(string(found[1]))
	if err != nil {
		t.Fatal(err)
	}
	return kibibytes / 1024
}

// An upload of 50 MB arrives whole, and is never in memory as a whole.
func TestUpload(t *testing.T) {
	t.Parallel()
	const size, mostMemory = 50_000_000, 64
	fake := startFake(t, startSecureExpress(t))
	hash := sha256.New()
	body := io.TeeReader(io.LimitReader(letters{}, size), hash)
	request, err := http.NewRequestWithContext(t.Context(), "PUT", fake.BaseURL+"/files/large",
		body)
	if err != nil {
		t.Fatal(err)
	}
	response, err := direct.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	want := fmt.Sprintf(`{"bytes":%d,"sha256":"%x"}`, size, hash.Sum(nil))
	if err != nil || string(text) != want {
		t.Errorf("the upload is answered %s %q: %v; want %q", response.Status, text, err, want)
	}
	if peak := peakMemory(t, fake.PID()); peak >= mostMemory {
		t.Errorf("the process has had %d MiB; want less than %d", peak, mostMemory)
	}
}

// letters are an endless body, which begins again with each part that is read.
type letters struct{}

func (letters) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte('a' + i%26)
	}
	return len(p), nil
}

// WebSockets of somebody else's making understand each other.
func TestWebSocket(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		start func(*testing.T) (baseURL string)
		path  string
	}{
		"Express":    {startSecureExpress, "/live"},
		"go-httpbin": {startHTTPBin, "/websocket/echo"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fake := startFake(t, tt.start(t))
			url := strings.Replace(fake.BaseURL, "http:", "ws:", 1) + tt.path
			out, err := exec.Command("node", "websocket.mjs", url).CombinedOutput()
			if err != nil || string(out) != "closed with 1000\n" {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// Events arrive one by one, and Ctrl-C ends the server in a second, with status 0, whatever streams
// are open: it does not wait for their ends.
func TestEndBesideStreams(t *testing.T) {
	t.Parallel()
	const most = time.Second
	fake := startFake(t, startSecureExpress(t))
	events, err := direct.Get(fake.BaseURL + "/events")
	if err != nil {
		t.Fatal(err)
	}
	defer events.Body.Close()
	lines := bufio.NewScanner(events.Body)
	for _, want := range []string{"data: first", "", "data: next", ""} {
		if !lines.Scan() || lines.Text() != want {
			t.Fatalf("a line of the events is %q, want %q: %v", lines.Text(), want, lines.Err())
		}
	}
	socket := openWebSocket(t, fake.Address, "/api/live")

	begin := time.Now()
	err = fake.Stop()
	took := time.Since(begin)
	if err != nil || took > most {
		t.Errorf("the server ends after %s with %v, want within %s with status 0", took, err, most)
	}
	if _, err := io.ReadAll(socket); err != nil && !strings.Contains(err.Error(), "reset") {
		t.Errorf("the WebSocket ends with %v", err)
	}
	if said := fake.Output(); !strings.Contains(said, "passed_on=2") {
		t.Errorf("the summary does not have two requests that were passed on:\n%s", said)
	}
}

// openWebSocket opens a WebSocket, and returns its connection.
func openWebSocket(t *testing.T, address, path string) io.Reader {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: %s\r\nConnection: Upgrade\r\n"+
		"Upgrade: websocket\r\n"+
		"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n", path,
		address)
	reader := bufio.NewReader(conn)
	answer, err := http.ReadResponse(reader, nil)
	if err != nil || answer.StatusCode != http.StatusSwitchingProtocols {
		t.Fatalf("the WebSocket does not open: %v %v", answer, err)
	}
	return reader
}
