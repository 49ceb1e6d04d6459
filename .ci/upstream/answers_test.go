package upstream

import (
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// An answer is what a client has received.
type answer struct {
	status  int
	header  http.Header
	trailer http.Header
	length  int64
	body    string
}

// direct sends each request on its own, and changes nothing of its answer.
var direct = &http.Client{
	Transport: &http.Transport{
		DisableCompression: true,
		DisableKeepAlives:  true,
	},
	CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	},
}

// ask sends a request, and returns the answer.
func ask(t *testing.T, method, url, body string, header http.Header) answer {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("User-Agent", "a test") // otherwise it tells the version of HTTP
	maps.Copy(request.Header, header)
	response, err := direct.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer{
		status:  response.StatusCode,
		header:  response.Header,
		trailer: response.Trailer,
		length:  response.ContentLength,
		body:    string(text),
	}
}

// A request is one that upstream and campaignfake are asked.
type request struct {
	method string
	path   string
	body   string
	header http.Header
}

// An answer that is passed on is the one that the upstream gives to whoever asks it directly.
func TestAnswersAreThoseOfTheUpstream(t *testing.T) {
	t.Parallel()
	gzip := http.Header{"Accept-Encoding": {"gzip"}}
	express := map[string]request{
		"JSON":           {"GET", "/me", "", nil},
		"HEAD":           {"HEAD", "/text", "", nil},
		"compressed":     {"GET", "/text", "", gzip},
		"not compressed": {"GET", "/text", "", nil},
		"204":            {"DELETE", "/files/1", "", nil},
		"304":            {"GET", "/text", "", http.Header{"If-None-Match": {"*"}}},
		"upload":         {"PUT", "/files/2", strings.Repeat("campaign ", 100_000), nil},
		"early hints":    {"GET", "/hints", "", nil},
		"trailers":       {"GET", "/trailers", "", nil},
		"no route":       {"GET", "/nothing", "", nil},
		"a broken body": {
			method: "POST",
			path:   "/session",
			body:   "{",
			header: http.Header{"Content-Type": {"application/json"}},
		},
		"escaped path":      {"GET", "/urls/a%2Fb%20c;d%3F", "", nil},
		"a query of no use": {"GET", "/urls?a=1;b&%zz=2&&", "", nil},
		"a query of nobody": {"GET", "/urls?", "", nil},
		"slashes":           {"GET", "/urls//a/../b/", "", nil},
		"redirect away":     {"GET", "/redirects/away", "", nil},
	}
	bin := map[string]request{
		"JSON":           {"GET", "/json", "", nil},
		"HEAD":           {"HEAD", "/head", "", nil},
		"compressed":     {"GET", "/gzip", "", gzip},
		"204":            {"DELETE", "/status/204", "", nil},
		"304":            {"GET", "/etag/a", "", http.Header{"If-None-Match": {`"a"`}}},
		"a part":         {"GET", "/range/1000", "", http.Header{"Range": {"bytes=10-19"}}},
		"teapot":         {"PATCH", "/status/418", "", nil},
		"slow":           {"GET", "/drip?delay=0&duration=100ms&numbytes=5", "", nil},
		"stream":         {"GET", "/stream-bytes/100000?seed=1&chunk_size=777", "", nil},
		"upload":         {"POST", "/upload", strings.Repeat("campaign ", 100_000), nil},
		"asks for basic": {"GET", "/basic-auth/a/b", "", nil},
		"image":          {"GET", "/image/webp", "", nil},
		"two values":     {"GET", "/response-headers?X-A=1&X-A=2", "", nil},
		"redirect away":  {"GET", "/redirect-to?url=https%3A%2F%2Fother.example.com%2F", "", nil},
	}
	for name, tt := range map[string]struct {
		start    func(*testing.T) (baseURL string)
		requests map[string]request
	}{
		"Express":    {startSecureExpress, express},
		"go-httpbin": {startHTTPBin, bin},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			upstream := tt.start(t)
			fake := startFake(t, upstream)
			for name, r := range tt.requests {
				t.Run(name, func(t *testing.T) {
					want := ask(t, r.method, upstream+r.path, r.body, r.header)
					got := ask(t, r.method, fake.BaseURL+r.path, r.body, r.header)
					compare(t, got, want)
				})
			}
		})
	}
}

// compare fails a test if an answer that was passed on differs from the one that the upstream gives
// to others, other than by what the fake does on purpose.
func compare(t *testing.T, got, want answer) {
	t.Helper()
	if got.status != want.status || got.length != want.length || got.body != want.body {
		t.Errorf("the answer is %d, of length %d:\n%.500q; want %d, of length %d:\n%.500q",
			got.status, got.length, got.body, want.status, want.length, want.body)
	}
	ofOurs := func(name string, _ []string) bool {
		return name == "Date" || name == "Connection" || strings.HasPrefix(name, "Access-Control-")
	}
	maps.DeleteFunc(got.header, ofOurs)
	maps.DeleteFunc(want.header, ofOurs)
	want.header["Vary"] = append([]string{"Origin"}, want.header["Vary"]...)
	if !maps.EqualFunc(got.header, want.header, slices.Equal) {
		t.Errorf("the headers are\n%v, want\n%v", got.header, want.header)
	}
	if !maps.EqualFunc(got.trailer, want.trailer, slices.Equal) {
		t.Errorf("the trailers are %v, want %v", got.trailer, want.trailer)
	}
}
