package upstream

import (
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"example.com/campaignfake/ci/process"
)

// A request is one that upstream and campaignfake are asked.
type request struct {
	method string
	path   string
	body   string
	header http.Header
}

// An answer is what a client has received.
type answer struct {
	status  int
	header  http.Header
	trailer http.Header
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

// ask sends a request to a base URL, and returns the answer.
func ask(t *testing.T, baseURL string, r request) answer {
	t.Helper()
	sent, err := http.NewRequestWithContext(
		t.Context(), r.method, baseURL+r.path, strings.NewReader(r.body))
	if err != nil {
		t.Fatal(err)
	}
	maps.Copy(sent.Header, r.header)
	response, err := direct.Do(sent)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer{response.StatusCode, response.Header, response.Trailer, string(body)}
}

// An answer that is passed on is the one that the upstream gives to whoever asks it directly, but
// for the headers of CORS.
func TestAnswersAreThoseOfTheUpstream(t *testing.T) {
	t.Parallel()
	upstream := startExpress(t)
	fake := process.Start(t, "--upstream", upstream)
	for name, r := range map[string]request{
		"HEAD":          {"HEAD", "/text", "", nil},
		"compressed":    {"GET", "/text", "", http.Header{"Accept-Encoding": {"gzip"}}},
		"not modified":  {"GET", "/text", "", http.Header{"If-None-Match": {"*"}}},
		"upload":        {"PUT", "/files/2", strings.Repeat("campaign ", 100_000), nil},
		"early hints":   {"GET", "/hints", "", nil},
		"trailers":      {"GET", "/trailers", "", nil},
		"escaped path":  {"GET", "/urls//a%2Fb%20c;d%3F/../e/?a=1;b&%zz=2&&", "", nil},
		"redirect away": {"GET", "/redirects/away", "", nil},
	} {
		want := ask(t, upstream, r)
		got := ask(t, fake.BaseURL, r)
		if got.status != want.status || got.body != want.body {
			t.Errorf("%s: the answer is %d %.500q, want %d %.500q",
				name, got.status, got.body, want.status, want.body)
		}
		ofOurs := func(name string, _ []string) bool {
			return name == "Date" || strings.HasPrefix(name, "Access-Control-")
		}
		maps.DeleteFunc(got.header, ofOurs)
		maps.DeleteFunc(want.header, ofOurs)
		want.header["Vary"] = append([]string{"Origin"}, want.header["Vary"]...)
		if !maps.EqualFunc(got.header, want.header, slices.Equal) {
			t.Errorf("%s: the headers are\n%v, want\n%v", name, got.header, want.header)
		}
		if !maps.EqualFunc(got.trailer, want.trailer, slices.Equal) {
			t.Errorf("%s: the trailers are %v, want %v", name, got.trailer, want.trailer)
		}
	}
}
