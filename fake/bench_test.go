package fake_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// bare is what people write by hand: it looks the header up in a map, and
// writes stored bytes.
func bare(tb testing.TB, count int) http.Handler {
	body, err := fixtures.Service{}.Shape().AppendJSON(nil, "token", generated(count))
	if err != nil {
		tb.Fatal(err)
	}
	bodies := map[string][]byte{"Bearer token": body}
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

func generated(count int) fake.User {
	return fake.User{Generate: &fake.Generate{Count: count}}
}

func served(tb testing.TB, count int, options ...fake.Option) *fake.Server {
	server, err := fake.New(append(options, fake.WithUser("token", generated(count)))...)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(server.Close)
	return server
}

func request(tb testing.TB, url string) *http.Request {
	r, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		tb.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer token")
	return r
}

// discard is a response that keeps nothing, so that the handler is measured
// rather than a recorder.
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
		b.Run(fmt.Sprintf("fake-with-log/%d", count), func(b *testing.B) { run(b, served(b, count, logged)) })
	}
}

// BenchmarkHandler is one request through the handler alone.
func BenchmarkHandler(b *testing.B) {
	beside(b, func(b *testing.B, handler http.Handler) {
		r := request(b, "http://fake.test/api/user/campaigns")
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

// BenchmarkMemory is one request through the network of an in-memory server,
// beside a bare handler on the same kind of connection. Neither keeps it alive.
func BenchmarkMemory(b *testing.B) {
	b.Run("bare/10", func(b *testing.B) {
		pipes := make(pipeListener)
		server := &http.Server{Handler: bare(b, 10)}
		server.SetKeepAlivesEnabled(false)
		go server.Serve(pipes)
		b.Cleanup(func() { server.Close() })
		client := &http.Client{Transport: &http.Transport{DialContext: pipes.dial, DisableKeepAlives: true}}
		fetch(b, client, "http://fake.test")
	})
	b.Run("fake/10", func(b *testing.B) {
		server := fake.NewTestServer(b, fake.WithInMemory(), fake.WithLogger(nil), fake.WithUser("token", generated(10)))
		fetch(b, server.Client(), strings.TrimSuffix(server.BaseURL(), "/api"))
	})
}

// pipeListener accepts the connections that its dial makes in memory.
type pipeListener chan net.Conn

func (l pipeListener) dial(context.Context, string, string) (net.Conn, error) {
	client, server := net.Pipe()
	l <- server
	return client, nil
}

func (l pipeListener) Accept() (net.Conn, error) {
	if conn, ok := <-l; ok {
		return conn, nil
	}
	return nil, net.ErrClosed
}

func (l pipeListener) Close() error   { close(l); return nil }
func (l pipeListener) Addr() net.Addr { return &net.TCPAddr{} }

func fetch(b *testing.B, client *http.Client, base string) {
	r := request(b, base+"/api/user/campaigns")
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

// BenchmarkBody reads bodies of almost 1 MiB that are put over HTTP. The memory for it stands
// beside the size of the body.
func BenchmarkBody(b *testing.B) {
	const campaign = `{"id": "cmp_%d", "name": "Campaign", "status": "active", "created_at": "2026-01-05T09:30:00Z", "updated_at": "2026-02-05T09:30:00Z"}`
	reply := `{"status": 503, "times": 2, "delay": "20ms", "headers": {"Retry-After": "1", "X-Reply": "%d"}, "body": "` + strings.Repeat("sorry ", 30) + `"}`
	list := func(item string) string {
		var list strings.Builder
		for i := 0; list.Len() < 900_000; i++ {
			fmt.Fprintf(&list, item+", ", i)
		}
		return "[" + strings.TrimSuffix(list.String(), ", ") + "]"
	}
	for name, body := range map[string]string{"user": `{"campaigns": ` + list(campaign) + `}`, "replies": list(reply)} {
		b.Run(name, func(b *testing.B) {
			server := served(b, 10)
			method, path := http.MethodPut, "/_fake/users"
			if name == "replies" {
				method, path = http.MethodPost, "/_fake/replies"
			}
			b.ReportAllocs()
			for b.Loop() {
				w := httptest.NewRecorder()
				w.Body = nil
				server.ServeHTTP(w, httptest.NewRequest(method, "http://localhost"+path+"?token=token", strings.NewReader(body)))
				if w.Code != http.StatusOK {
					b.Fatalf("status is %d", w.Code)
				}
				server.ResetAll()
			}
			b.ReportMetric(float64(len(body)), "B/body")
		})
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
	run("fake-in-memory", func() { asTest(func(tb fake.TB) { fake.NewTestServer(tb, fake.WithInMemory()) }) })
}

// BenchmarkStartAndRequest starts a test server with a user, sends one request, and
// closes it.
func BenchmarkStartAndRequest(b *testing.B) {
	b.Run("httptest", func(b *testing.B) {
		handler := bare(b, 10)
		b.ReportAllocs()
		for b.Loop() {
			server := httptest.NewServer(handler)
			fetchOnce(b, server.Client(), request(b, server.URL+"/user/campaigns"))
			server.Close()
		}
	})
	b.Run("fake", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			asTest(func(tb fake.TB) {
				server := fake.NewTestServer(tb, fake.WithUser("token", generated(10)))
				fetchOnce(b, server.Client(), request(b, server.BaseURL()+"/user/campaigns"))
			})
		}
	})
}

// asTest calls a function with a TB of its own, which ends, since a benchmark would keep
// every server until its own end.
func asTest(test func(fake.TB)) {
	tb := new(recorder)
	test(tb)
	tb.finish()
}

// BenchmarkJournal is what a journal that is full of a browser's requests keeps,
// in bytes: what is in use with it less what is in use without. Each request has
// an answer whose start is kept.
func BenchmarkJournal(b *testing.B) {
	header := http.Header{"Authorization": {"Bearer token"}}
	for name, value := range map[string]string{
		"Accept": "application/json", "Accept-Encoding": "gzip, deflate, br, zstd", "Accept-Language": "en-GB,en;q=0.9", "Connection": "keep-alive",
		"Origin": "http://localhost:5173", "Referer": "http://localhost:5173/", "Sec-Ch-Ua": `"Chromium";v="156", "Not?A_Brand";v="24"`,
		"Sec-Ch-Ua-Mobile": "?0", "Sec-Ch-Ua-Platform": `"Linux"`, "Sec-Fetch-Dest": "empty", "Sec-Fetch-Mode": "cors", "Sec-Fetch-Site": "cross-site",
		"User-Agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36",
	} {
		header.Set(name, value)
	}
	inUse := func() float64 {
		var stats runtime.MemStats
		runtime.GC()
		runtime.GC() // which empties the pools
		runtime.ReadMemStats(&stats)
		return float64(stats.HeapAlloc)
	}
	for b.Loop() {
		server := served(b, 10)
		for i := range 3000 {
			r := httptest.NewRequest(http.MethodGet, "/api/user/campaigns", nil)
			r.Header = header.Clone()
			r.Header.Set("X-Request", strconv.Itoa(i)) // equal requests share their text
			server.ServeHTTP(httptest.NewRecorder(), r)
			if i == 0 {
				server.Requests()
			}
		}
		full := inUse()
		server.ClearRequests()
		b.ReportMetric((full-inUse())/(1<<20), "MiB/journal")
	}
}
