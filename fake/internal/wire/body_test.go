package wire_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/campaignfake/fake/internal/wire"
)

// A recordingWriter notes when it is written to.
type recordingWriter struct {
	start   time.Time
	sizes   []int
	moments []time.Duration
	fail    error // of the third write
}

func (w *recordingWriter) Write(data []byte) (int, error) {
	if w.fail != nil && len(w.sizes) == 2 {
		return 0, w.fail
	}
	w.sizes = append(w.sizes, len(data))
	w.moments = append(w.moments, time.Since(w.start))
	return len(data), nil
}

func TestPace(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for _, tt := range []struct{ size, rate, piece int }{
			{0, 10, 1}, {3, 1, 1}, {10, 10, 1}, {1000, 1000, 50}, {1010, 1000, 50}, {5, 1 << 30, 5},
		} {
			w := &recordingWriter{start: time.Now()}
			sent, err := wire.Pace(t.Context(), w, make([]byte, tt.size), tt.rate)
			if sent != tt.size || err != nil {
				t.Errorf("%d bytes at %d per second: %d, %v", tt.size, tt.rate, sent, err)
			}
			sum := 0
			for i, size := range w.sizes {
				sum += size
				if due := time.Duration(sum) * time.Second / time.Duration(tt.rate); w.moments[i] != due || size > tt.piece {
					t.Errorf("%d bytes at %d per second: %d come together, the last after %s, and should after %s", tt.size, tt.rate, size, w.moments[i], due)
				}
			}
			if sum != tt.size {
				t.Errorf("%d of %d bytes were written", sum, tt.size)
			}
		}
	})
}

func TestPaceThatEnds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		broken := errors.New("broken")
		if sent, err := wire.Pace(t.Context(), &recordingWriter{fail: broken}, make([]byte, 10), 10); sent != 2 || err != broken {
			t.Errorf("after a write that fails: %d, %v", sent, err)
		}
		ctx, cancel := context.WithTimeoutCause(t.Context(), 550*time.Millisecond, broken)
		defer cancel()
		if sent, err := wire.Pace(ctx, io.Discard, make([]byte, 10), 10); sent != 5 || err != broken {
			t.Errorf("after the end of the context: %d, %v", sent, err)
		}
	})
}

// The headers come at once, and each piece when it is written.
func TestPaceResponse(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		response, after := exchange(t, "GET / HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n", func(net.Conn) {}, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "3")
			if sent, err := wire.PaceResponse(r.Context(), w, []byte("abc"), 1); err == nil {
				t.Errorf("%d bytes were sent to nobody", sent)
			}
		})
		if response == nil || after != 0 {
			t.Errorf("after %s the answer is %v", after, response)
		}
	})
}

// What a client gets is a whole answer but for its last chunk.
func TestSendBrokenChunks(t *testing.T) {
	t.Parallel()
	for name, rate := range map[string]int{"at once": 0, "at a rate": 100} {
		for _, body := range []string{"", "half of the body"} {
			t.Run(name+" "+body, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					client, server := net.Pipe()
					header := http.Header{"X-Test": {"yes"}, "Content-Length": {"100"}}
					wire.SetChunked(header)
					go func() {
						if sent, err := wire.SendBrokenChunks(t.Context(), server, 418, header, []byte(body), rate); sent != len(body) || err != nil {
							t.Errorf("%d of %d bytes were sent, with %v", sent, len(body), err)
						}
					}()
					response, err := http.ReadResponse(bufio.NewReader(client), nil)
					if err != nil {
						t.Fatal(err)
					}
					if response.StatusCode != 418 || response.Header.Get("X-Test") != "yes" || response.ContentLength >= 0 || !response.Close {
						t.Errorf("the answer is %+v", response)
					}
					got, err := io.ReadAll(response.Body)
					if err == nil || string(got) != body {
						t.Errorf("the body is %q, with %v", got, err)
					}
				})
			})
		}
	}
}

func TestSendBrokenChunksToNobody(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for name, rate := range map[string]int{"at once": 0, "at a rate": 1} {
			client, server := net.Pipe()
			client.Close()
			if sent, err := wire.SendBrokenChunks(t.Context(), server, 200, http.Header{}, []byte("body"), rate); sent != 0 || err == nil {
				t.Errorf("%s: %d bytes were sent, with %v", name, sent, err)
			}
		}
	})
}

func TestSendGarbage(t *testing.T) {
	t.Parallel()
	client, server := net.Pipe()
	go wire.SendGarbage(t.Context(), server)
	if _, err := http.ReadResponse(bufio.NewReader(client), nil); err == nil || !strings.Contains(err.Error(), "malformed HTTP") {
		t.Errorf("the client reads %v", err)
	}
}

func TestCut(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		``:                                     ``,
		`x`:                                    ``,
		`no JSON`:                              `no `,
		`{"a":"bcde"}`:                         `{"a":"bc`,
		`{"key":"value","list":[1,2,3,4,5,6]}`: `{"key":"va`,
		`{"list":[1,2,3,4,5,6],"key":"value"}`: `{"list":[1,2,3,4,5,6],"key":"va`,
		`{"a":"` + strings.Repeat("漢", 5) + `"}`: `{"a":"漢`,
		`{"a":"\"\"\"\"","b":1}`:                 `{"a":"\"\"\`,
		`{"a":"漢字"}`:                             `{"a":"`,
		`{"a":"open`:                             `{"a":`,
	} {
		cut := wire.Cut([]byte(body))
		if got := body[:cut]; got != want {
			t.Errorf("of %s is left %s, want %s", body, got, want)
		}
	}
}

// Whatever the body is, something is missing of it.
func FuzzCut(f *testing.F) {
	for _, body := range []string{"", `"`, `"\`, `{"a":"b`, `{"a":"漢字"}`, `[{"name":"x"}]`, `:"":""`} {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body string) {
		cut := wire.Cut([]byte(body))
		if cut < 0 || cut > len(body) || cut == len(body) && body != "" {
			t.Errorf("%q is cut at %d", body, cut)
		}
	})
}
