package fake_test

import (
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// bare is a handler as people write one by hand: it looks the header up in a map, and writes stored
// bytes.
func bare(tb testing.TB, count int) http.Handler {
	w := httptest.NewRecorder()
	served(tb, count).ServeHTTP(w,
		newRequest(tb, "GET", "http://fake.test/api/user/campaigns", bearer("token")))
	bodies := map[string][]byte{"Bearer token": w.Body.Bytes()}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, ok := bodies[r.Header.Get("Authorization")]
		if !ok {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		w.Write(body)
	})
}

func generated(count int) fixtures.User {
	return fixtures.User{Generate: &fixtures.Generate{Count: count}}
}

func served(tb testing.TB, count int, options ...fake.Option) *fake.Server {
	return newHandler(tb, append(options, fake.WithUser("token", generated(count)))...)
}

// discard is a http.ResponseWriter that keeps nothing, so that a benchmark measures the handler and
// no recorder.
type discard struct{ header http.Header }

func (d discard) Header() http.Header         { return d.header }
func (d discard) Write(p []byte) (int, error) { return len(p), nil }
func (d discard) WriteHeader(int)             {}

// beside runs a benchmark of a bare handler, of a server, and of a server with a log.
func beside(b *testing.B, run func(*testing.B, http.Handler)) {
	logged := fake.WithLogger(slog.New(slog.NewTextHandler(io.Discard, nil)))
	for _, count := range []int{10, 1000} {
		b.Run(fmt.Sprintf("bare/%d", count), func(b *testing.B) { run(b, bare(b, count)) })
		b.Run(fmt.Sprintf("fake/%d", count), func(b *testing.B) { run(b, served(b, count)) })
		b.Run(fmt.Sprintf("fake-with-log/%d", count),
			func(b *testing.B) { run(b, served(b, count, logged)) })
	}
}

// BenchmarkHandler is one request through the handler alone.
func BenchmarkHandler(b *testing.B) {
	beside(b, func(b *testing.B, handler http.Handler) {
		r := newRequest(b, "GET", "http://fake.test/api/user/campaigns", bearer("token"))
		b.ReportAllocs()
		for b.Loop() {
			handler.ServeHTTP(discard{make(http.Header)}, r)
		}
	})
}

// BenchmarkLoopback is one request over a TCP connection that is kept alive.
func BenchmarkLoopback(b *testing.B) {
	beside(b, func(b *testing.B, handler http.Handler) {
		server := httptest.NewServer(handler)
		b.Cleanup(server.Close)
		fetch(b, server.Client(), server.URL)
	})
}

func fetch(b *testing.B, client *http.Client, base string) {
	r := newRequest(b, "GET", base+"/api/user/campaigns", bearer("token"))
	b.ReportAllocs()
	for b.Loop() {
		fetchOnce(b, client, r)
	}
}

func fetchOnce(b *testing.B, client *http.Client, r *http.Request) {
	response, err := client.Do(r)
	if err != nil {
		b.Fatal(err)
	}
	io.Copy(io.Discard, response.Body)
	response.Body.Close()
	if response.StatusCode != http.StatusOK {
		b.Fatalf("status is %d", response.StatusCode)
	}
}

// BenchmarkStart starts and closes a test server, on a port and in memory.
func BenchmarkStart(b *testing.B) {
	run := func(name string, startAndClose func()) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				startAndClose()
			}
		})
	}
	run("httptest", func() { httptest.NewServer(http.NotFoundHandler()).Close() })
	run("fake", func() { asTest(func(tb fake.TB) { fake.NewTestServer(tb) }) })
	run("fake-in-memory",
		func() { asTest(func(tb fake.TB) { fake.NewTestServer(tb, fake.WithInMemory()) }) })
}

// asTest calls a function with its own TB, and ends this TB afterwards: a benchmark as the TB would
// keep every server until its end.
func asTest(test func(fake.TB)) {
	tb := new(recorder)
	test(tb)
	tb.finish()
}
