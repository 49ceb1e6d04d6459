package upstream_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"example.com/campaignfake/fake/internal/upstream"
)

// Each part of an answer is sent on at once, be its length known or not.
func TestDownloadStreams(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		name, value string // of a header of the answer
		isStream    bool
	}{
		"unknown length": {"X-Any", "any", false},
		"known length":   {"Content-Length", "8", false},
		"events":         {"Content-Type", "text/event-stream; charset=utf-8", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			goOn := make(chan bool)
			server := newUpstream(t, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set(tt.name, tt.value)
				for range 2 {
					io.WriteString(w, "part")
					http.NewResponseController(w).Flush()
					<-goOn
				}
			})
			f := newFront(t, setup{URL: server.URL})
			response, err := f.Client().Do(newRequest(t, http.MethodGet, f.URL, nil))
			if err != nil {
				t.Fatal(err)
			}
			defer response.Body.Close()
			if begun := receive(t, f.begun); begun.IsStream != tt.isStream {
				t.Errorf("it began as %+v", begun)
			}
			part := make([]byte, 4)
			for range 2 {
				_, err := io.ReadFull(response.Body, part)
				if err != nil || string(part) != "part" {
					t.Fatalf("%q has come: %v", part, err)
				}
				goOn <- true
			}
			if rest, err := io.ReadAll(response.Body); err != nil || len(rest) > 0 {
				t.Errorf("%q is left: %v", rest, err)
			}
			if ended := receive(t, f.ended); ended != (outcome{8, nil}) {
				t.Errorf("it ended as %+v", ended)
			}
		})
	}
}

// Each part of an upload is sent on at once.
func TestUploadStreams(t *testing.T) {
	t.Parallel()
	parts := make(chan string)
	server := newUpstream(t, func(w http.ResponseWriter, r *http.Request) {
		part := make([]byte, 4)
		for range 2 {
			io.ReadFull(r.Body, part)
			parts <- string(part)
		}
	})
	f := newFront(t, setup{URL: server.URL})
	c := dial(t, f.host())
	c.send(t, "POST / HTTP/1.1", "Host: fake.test", "Content-Length: 8", "")
	for _, part := range []string{"half", "rest"} {
		io.WriteString(c, part)
		if got := receive(t, parts); got != part {
			t.Errorf("%q has come, want %q", got, part)
		}
	}
	if c.readAnswer(t).Close {
		t.Error("the connection is closed")
	}
}

// zeros is a body that takes no memory.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// alone is the variable that says that a process of the test binary runs one test.
const alone = "TEST_BINARY_RUNS_ONE_TEST"

// runAlone runs the test that calls it once more, in a process of its own, and fails it if that
// fails.
func runAlone(t *testing.T) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self, "-test.run=^"+t.Name()+"$")
	cmd.Env = append(os.Environ(), alone+"=1")
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.HasPrefix(string(out), "PASS") {
		t.Errorf("the process of its own ends with %v:\n%s", err, out)
	}
}

// A large upload takes little memory.
func TestUploadTakesLittleMemory(t *testing.T) {
	t.Parallel()
	if os.Getenv(alone) == "" {
		runAlone(t) // since it counts what the whole process allocates
		return
	}
	const size = 50 << 20
	const most = 8 << 20
	received := make(chan int64, 1)
	server := newUpstream(t, func(w http.ResponseWriter, r *http.Request) {
		count, _ := io.Copy(io.Discard, r.Body)
		received <- count
	})
	f := newFront(t, setup{URL: server.URL})
	for name, length := range map[string]int64{"known length": size, "unknown length": -1} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		r := newRequest(t, http.MethodPut, f.URL, io.LimitReader(zeros{}, size))
		r.ContentLength = length
		do(t, f.Client(), r)
		runtime.ReadMemStats(&after)
		if count := receive(t, received); count != size {
			t.Errorf("%s: %d bytes have come, want %d", name, count, size)
		}
		if allocated := after.TotalAlloc - before.TotalAlloc; allocated > most {
			t.Errorf("%s: %d bytes were allocated, want at most %d", name, allocated, most)
		}
	}
}

// An upstream may answer while it reads.
func TestUploadAndDownloadAtOnce(t *testing.T) {
	t.Parallel()
	server := newUpstream(t, func(w http.ResponseWriter, r *http.Request) {
		controller := http.NewResponseController(w)
		controller.EnableFullDuplex()
		controller.Flush()
		lines := bufio.NewScanner(r.Body)
		for lines.Scan() {
			fmt.Fprintln(w, "got "+lines.Text())
			controller.Flush()
		}
	})
	f := newFront(t, setup{URL: server.URL})
	c := dial(t, f.host())
	c.send(t, "POST / HTTP/1.1", "Host: fake.test", "Transfer-Encoding: chunked", "")
	answer := bufio.NewReader(c.readAnswer(t).Body)
	for _, line := range []string{"one\n", "two\n"} {
		fmt.Fprintf(c, "%x\r\n%s\r\n", len(line), line)
		got, err := answer.ReadString('\n')
		if err != nil || got != "got "+line {
			t.Fatalf("%q has come: %v", got, err)
		}
	}
	io.WriteString(c, "0\r\n\r\n")
	if rest, err := io.ReadAll(answer); err != nil || len(rest) > 0 {
		t.Errorf("%q is left: %v", rest, err)
	}
	if ended := receive(t, f.ended); ended.err != nil {
		t.Error(ended.err)
	}
}

// An answer that comes before the body was read reaches the client, and so does that of the caller
// if there is no upstream.
func TestAnswerBeforeUpload(t *testing.T) {
	t.Parallel()
	server := newUpstream(t, func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusRequestEntityTooLarge)
	})
	for name, tt := range map[string]struct {
		url    string
		length int64
		want   int
	}{
		"known length":   {server.URL, 20 << 20, http.StatusRequestEntityTooLarge},
		"unknown length": {server.URL, -1, http.StatusRequestEntityTooLarge},
		"no upstream":    {"http://" + closed(t), 20 << 20, http.StatusBadGateway},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFront(t, setup{URL: tt.url})
			for range 20 {
				r := newRequest(t, http.MethodPost, f.URL, io.LimitReader(zeros{}, 20<<20))
				r.ContentLength = tt.length
				response, _ := do(t, f.Client(), r)
				if response.StatusCode != tt.want {
					t.Errorf("the answer is %s, want %d", response.Status, tt.want)
				}
			}
		})
	}
}

// A connection whose request had a body can be used again when there was no upstream.
func TestNextRequestWithoutUpstream(t *testing.T) {
	t.Parallel()
	f := newFront(t, setup{URL: "http://" + closed(t)})
	c := dial(t, f.host())
	for range 2 {
		c.send(t, "POST / HTTP/1.1", "Host: fake.test", "Content-Length: 6", "", "body")
		response := c.readAnswer(t)
		if response.StatusCode != http.StatusBadGateway || response.Close {
			t.Errorf("the answer is %s, and closes the connection: %t",
				response.Status, response.Close)
		}
		io.Copy(io.Discard, response.Body)
	}
}

// A client that has sent a part of its body, and waits, is answered as well.
func TestAnswerToHalfAnUpload(t *testing.T) {
	t.Parallel()
	server := newUpstream(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Connection", "close") // or net/http would wait for the rest
		http.Error(w, "too large", http.StatusRequestEntityTooLarge)
	})
	f := newFront(t, setup{URL: server.URL})
	c := dial(t, f.host())
	c.send(t, "POST / HTTP/1.1", "Host: fake.test", "Content-Length: 100", "", "half")
	response := c.readAnswer(t)
	body, err := io.ReadAll(response.Body)
	if response.StatusCode != http.StatusRequestEntityTooLarge || string(body) != "too large\n" ||
		err != nil {
		t.Errorf("the answer is %s: %q, %v", response.Status, body, err)
	}
	if !response.Close {
		t.Error("the connection is not closed, though it has the rest of the body")
	}
	if ended := receive(t, f.ended); ended.err != nil {
		t.Errorf("it ended with %v", ended.err)
	}
}

// A client that asks first whether it may send a body is answered by the upstream.
func TestExpectContinue(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		path string
		want []string // the first lines of the answers
	}{
		"allowed": {"/allowed", []string{"HTTP/1.1 100 Continue", "HTTP/1.1 200 OK"}},
		"refused": {"/refused", []string{"HTTP/1.1 413 Request Entity Too Large"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := newUpstream(t, func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/refused" {
					w.WriteHeader(http.StatusRequestEntityTooLarge)
					return
				}
				io.Copy(io.Discard, r.Body)
			})
			f := newFront(t, setup{URL: server.URL})
			c := dial(t, f.host())
			c.send(t, "POST "+tt.path+" HTTP/1.1", "Host: fake.test", "Expect: 100-continue",
				"Content-Length: 4", "")
			for _, want := range tt.want {
				if got := c.readLine(t); got != want {
					t.Fatalf("the answer begins with %s, want %s", got, want)
				}
				for c.readLine(t) != "" { // the headers
				}
				io.WriteString(c, "body")
			}
		})
	}
}

// switching is an upstream that repeats what it is sent, behind a prefix, once the connection is
// upgraded. When the client has sent all, it says so, and closes the connection.
func switching(w http.ResponseWriter, r *http.Request) {
	conn, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: %s\r\n"+
		"X-Origin: %s\r\nSet-Cookie: a=1; Secure\r\n\r\n", r.Header.Get("Upgrade"),
		r.Header.Get("Origin"))
	lines := bufio.NewScanner(buffered)
	for lines.Scan() {
		fmt.Fprintln(conn, "got "+lines.Text())
	}
	fmt.Fprintln(conn, "got the end")
}

// upgrade asks for a WebSocket.
func (c conn) upgrade(t *testing.T) *http.Response {
	t.Helper()
	c.send(t, "GET /live HTTP/1.1", "Host: fake.test", "Origin: http://localhost:5173",
		"Connection: Upgrade", "Upgrade: websocket", "")
	response, err := http.ReadResponse(c.reader, nil)
	if err != nil {
		t.Fatal(err)
	}
	return response
}

// echo sends a line, and checks that it is repeated.
func (c conn) echo(t *testing.T, line string) {
	t.Helper()
	io.WriteString(c, line+"\n")
	if got := c.readLine(t); got != "got "+line {
		t.Fatalf("%q has come for %q", got, line)
	}
}

// Connections are upgraded, over HTTPS as well, and each side may be closed on its own. That our
// server closes connections makes no difference.
func TestUpgrade(t *testing.T) {
	t.Parallel()
	for name, start := range map[string]func(t *testing.T) string{
		"HTTP": func(t *testing.T) string { return newUpstream(t, switching).URL },
		"HTTPS, with HTTP/2 for others": func(t *testing.T) string {
			return newTLSUpstream(t, switching).URL
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url := start(t)
			f := newFront(t, setup{
				URL: url,
				Header: http.Header{
					"Connection":                       {"close"},
					"Access-Control-Allow-Credentials": {"true"},
				},
			})
			c := dial(t, f.host())
			header := c.upgrade(t).Header
			if strings.Join(header["Connection"], "|") != "Upgrade" ||
				header.Get("Upgrade") != "websocket" ||
				header.Get("X-Origin") != url || header.Get("Set-Cookie") != "a=1" {
				t.Errorf("the headers are %v", header)
			}
			begun := receive(t, f.begun)
			if begun.Status != http.StatusSwitchingProtocols || !begun.IsStream {
				t.Errorf("it began as %+v", begun)
			}
			c.echo(t, "one")
			c.echo(t, "two")
			c.CloseWrite()
			if got := c.readLine(t); got != "got the end" {
				t.Errorf("%q has come", got)
			}
			if _, err := c.reader.ReadByte(); err != io.EOF {
				t.Errorf("the connection ends with %v", err)
			}
			if ended := receive(t, f.ended); ended != (outcome{0, nil}) {
				t.Errorf("it ended as %+v", ended)
			}
		})
	}
}

// hello upgrades a connection to the protocol websocket, and says hello.
func hello(t *testing.T, w http.ResponseWriter) net.Conn {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		t.Error(err)
		panic(http.ErrAbortHandler)
	}
	io.WriteString(conn, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\n"+
		"Upgrade: websocket\r\n\r\nhello\n")
	return conn
}

// When the upstream closes an upgraded connection, the client's side is closed as well, even if the
// client itself leaves it open.
func TestUpgradeEndsWithTheUpstream(t *testing.T) {
	t.Parallel()
	server := newUpstream(t, func(w http.ResponseWriter, r *http.Request) {
		hello(t, w).Close()
	})
	f := newFront(t, setup{URL: server.URL})
	c := dial(t, f.host())
	c.upgrade(t)
	if got := c.readLine(t); got != "hello" {
		t.Errorf("%q has come", got)
	}
	if ended := receive(t, f.ended); ended != (outcome{0, nil}) {
		t.Errorf("it ended as %+v", ended)
	}
	if _, err := c.reader.ReadByte(); err != io.EOF {
		t.Errorf("the connection ends with %v", err)
	}
}

// An upgraded connection ends with the server, even if one side does not take what is sent to it.
func TestUpgradeEndsWithTheServer(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		upstream func(c net.Conn)
		client   func(c net.Conn)
	}{
		"the client does not read": {
			upstream: func(c net.Conn) { io.Copy(c, zeros{}) },
			client:   func(net.Conn) {},
		},
		"the upstream does not read": {
			upstream: func(net.Conn) {},
			client:   func(c net.Conn) { io.Copy(c, zeros{}) },
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				expectEndWithTheServer(t, tt.upstream, tt.client)
			})
		})
	}
}

// expectEndWithTheServer upgrades a connection in memory, has both sides use it until they wait,
// and ends the server.
func expectEndWithTheServer(t *testing.T, ofUpstream, ofClient func(c net.Conn)) {
	ending, end := context.WithCancel(t.Context())
	upstreamListener := newMemoryListener()
	upstreamServer := &http.Server{
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			c := hello(t, w)
			t.Cleanup(func() { c.Close() })
			ofUpstream(c)
		}),
	}
	go upstreamServer.Serve(upstreamListener)
	defer upstreamServer.Close()

	ended := make(chan error, 1)
	proxy := newProxy(t,
		setup{URL: "http://upstream.test", Ending: ending, Dial: upstreamListener.Dial})
	listener := newMemoryListener()
	server := &http.Server{
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, err := proxy.Pass(w, r, upstream.Options{})
			ended <- err
		}),
	}
	go server.Serve(listener)
	defer server.Close()

	client, err := listener.Dial(t.Context(), "", "")
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	io.WriteString(client, "GET /live HTTP/1.1\r\nHost: fake.test\r\n"+
		"Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
	reader := bufio.NewReader(client)
	for line := ""; line != "hello\n"; {
		line, err = reader.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
	}
	go ofClient(client)
	synctest.Wait()
	end()
	if err := receive(t, ended); err != upstream.ErrServerClosed {
		t.Errorf("it ended with %v", err)
	}
}

// An upstream that refuses an upgrade is answered with that.
func TestUpgradeRefused(t *testing.T) {
	t.Parallel()
	server := newUpstream(t, func(w http.ResponseWriter, r *http.Request) {
		http.Error(w, "not here", http.StatusUpgradeRequired)
	})
	f := newFront(t, setup{URL: server.URL})
	response := dial(t, f.host()).upgrade(t)
	if response.StatusCode != http.StatusUpgradeRequired {
		t.Errorf("the answer is %s", response.Status)
	}
}

// A protocol that nobody has asked for is a failure of the upstream.
func TestUpgradeToAnotherProtocol(t *testing.T) {
	t.Parallel()
	server := newUpstream(t, func(w http.ResponseWriter, r *http.Request) {
		r.Header.Set("Upgrade", "other")
		switching(w, r)
	})
	f := newFront(t, setup{URL: server.URL})
	response := dial(t, f.host()).upgrade(t)
	body, _ := io.ReadAll(response.Body)
	want := "the upstream " + hostOf(t, server.URL) + " gave no answer: " +
		"it changes to a protocol that was not asked for\n"
	if response.StatusCode != http.StatusBadGateway || string(body) != want {
		t.Errorf("the answer is %s: %s", response.Status, body)
	}
}

// If our side cannot upgrade its connection, as with a recorder, that is no failure of the
// upstream.
func TestUpgradeOfARecorder(t *testing.T) {
	t.Parallel()
	proxy := newProxy(t, setup{URL: newUpstream(t, switching).URL})
	r := newRequest(t, http.MethodGet, "http://fake.test/live", nil)
	r.Header.Set("Connection", "Upgrade")
	r.Header.Set("Upgrade", "websocket")
	_, err := proxy.Pass(httptest.NewRecorder(), r, upstream.Options{})
	if err != upstream.ErrClientGone {
		t.Errorf("Pass returns %v", err)
	}
}

// Streams end when the server ends. Ordinary answers finish, even if they have not begun yet.
func TestEndOfTheServer(t *testing.T) {
	t.Parallel()
	ending, end := context.WithCancel(t.Context())
	arrived := make(chan bool, 2)
	goOn := make(chan bool)
	server := newUpstream(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/live":
			switching(w, r)
			return
		case "/events":
			w.Header().Set("Content-Type", "text/event-stream")
			http.NewResponseController(w).Flush()
			<-r.Context().Done()
			return
		case "/begun":
			io.WriteString(w, "beginning, ")
			http.NewResponseController(w).Flush()
		}
		arrived <- true
		<-goOn
		io.WriteString(w, "end")
	})
	f := newFront(t, setup{URL: server.URL, Ending: ending})

	live := dial(t, f.host())
	live.upgrade(t)
	live.echo(t, "one")
	events := dial(t, f.host())
	events.send(t, "GET /events HTTP/1.1", "Host: fake.test", "")
	stream := events.readAnswer(t)
	bodies := make(chan string, 2)
	for _, path := range []string{"/begun", "/waiting"} {
		go func() {
			response, err := f.Client().Do(newRequest(t, http.MethodGet, f.URL+path, nil))
			if err != nil {
				bodies <- err.Error()
				return
			}
			defer response.Body.Close()
			body, err := io.ReadAll(response.Body)
			bodies <- fmt.Sprint(string(body), " ", err)
		}()
		receive(t, arrived)
	}

	end()
	if _, err := live.reader.ReadByte(); err == nil {
		t.Error("the upgraded connection does not end")
	}
	if _, err := io.ReadAll(stream.Body); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("the events end with %v", err)
	}
	for range 2 {
		if ended := receive(t, f.ended); ended.err != upstream.ErrServerClosed {
			t.Errorf("a stream ended with %v", ended.err)
		}
	}
	close(goOn)
	got := receive(t, bodies) + "|" + receive(t, bodies)
	if got != "beginning, end <nil>|end <nil>" &&
		got != "end <nil>|beginning, end <nil>" {
		t.Errorf("the other bodies are %s", got)
	}
}

// A counter is a context that counts the functions that wait for its end.
type counter struct {
	context.Context
	waiting atomic.Int32
	all     atomic.Int32
}

// AfterFunc is called by context.AfterFunc.
func (c *counter) AfterFunc(f func()) func() bool {
	c.all.Add(1)
	c.waiting.Add(1)
	stop := context.AfterFunc(c.Context, f)
	return func() bool {
		c.waiting.Add(-1)
		return stop()
	}
}

// Value hides that there is another context inside, which package context would use in place of
// this.
func (c *counter) Value(any) any {
	return nil
}

// Nothing is kept for a connection that has ended before the server does.
func TestStreamsAreLetGo(t *testing.T) {
	t.Parallel()
	const streams = 3
	ending := &counter{Context: t.Context()}
	server := newUpstream(t, switching)
	f := newFront(t, setup{URL: server.URL, Ending: ending})
	for range streams {
		c := dial(t, f.host())
		c.upgrade(t)
		c.echo(t, "one")
		c.Close()
		receive(t, f.ended)
	}
	all, waiting := ending.all.Load(), ending.waiting.Load()
	if all != streams || waiting != 0 {
		t.Errorf("of %d streams, %d are kept; want none of %d", all, waiting, streams)
	}
}
