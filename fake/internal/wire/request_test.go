package wire_test

import (
	"bufio"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/campaignfake/fake/internal/wire"
)

// A body is read before the answer, but not for long, and not if it is large. A test server, which
// closes every connection, does not show that the others are closed whose body was not read.
func TestDrain(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		headers, body string
		leaves        time.Duration // how long after that the client goes away
		gone, part    bool          // it has gone, or a part of the body is left
	}{
		"no body":         {"", "", 0, false, false},
		"a body":          {"Content-Length: 4\r\n", "body", 0, false, false},
		"chunks":          {"Transfer-Encoding: chunked\r\n", "4\r\nbody\r\n0\r\n\r\n", 0, false, false},
		"no chunk":        {"Transfer-Encoding: chunked\r\n", "what?\r\n", 0, false, true},
		"half a body":     {"Content-Length: 8\r\n", "body", 0, false, true},
		"half, and gone":  {"Content-Length: 8\r\n", "body", 0, true, false},
		"half, and going": {"Content-Length: 8\r\n", "body", 100 * time.Millisecond, true, false},
		"8 MiB":           {"Content-Length: 8388608\r\n", strings.Repeat("x", 8<<20), 0, false, false},
		"more than 8 MiB": {"Content-Length: 8388609\r\n", strings.Repeat("x", 8<<20+1), 0, false, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				listener := wire.NewMemoryListener()
				server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					time.Sleep(time.Nanosecond) // until the client has done what it does at once
					start := time.Now()
					if gone := wire.Drain(w, r); gone != tt.gone || time.Since(start) > 500*time.Millisecond {
						t.Errorf("Drain returns %t after %s, want %t", gone, time.Since(start), tt.gone)
					}
				})}
				go server.Serve(listener)
				defer server.Shutdown(t.Context()) // which waits for connections that linger
				client, err := listener.DialContext(t.Context(), "tcp", wire.MemoryHost+":80")
				if err != nil {
					t.Fatal(err)
				}
				defer client.Close()
				go func() {
					io.WriteString(client, "GET / HTTP/1.1\r\nHost: a.test\r\n"+tt.headers+"\r\n"+tt.body)
					if tt.gone {
						time.Sleep(tt.leaves)
						client.Close()
					}
				}()
				response, err := http.ReadResponse(bufio.NewReader(client), nil)
				if (err != nil) != tt.gone || err == nil && response.Close != tt.part {
					t.Errorf("the answer is %+v, %v; want that it closes the connection: %t", response, err, tt.part)
				}
			})
		})
	}
}
