package fake

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"

	"example.com/campaignfake/fake/internal/engine"
	"example.com/campaignfake/fake/internal/report"
	"example.com/campaignfake/fake/journal"
)

// A Client controls a server, mostly one in another process, such as a container. Its methods do
// what those of a Server do. It comes from Connect, Server.For or Open.
//
// Methods that can fail return the error: over HTTP a *RefusedError, or *fixtures.Mistakes, if the
// server has refused the request. An error also fails the test of Connect or For, unless it has
// ended. A method waits for up to 10 seconds for each answer of the server; AwaitRequests and
// AwaitAnswers wait until their context is done. Any number of goroutines may use a Client at once.
//
// When the test ends, its token, and those whose users or replies it changed, are put back, as by
// Reset.
type Client struct {
	calls
	http    *http.Client // sends requests to the API
	baseURL string
	token   string // of its test
}

// A ConnectOption says how Open and Connect reach a server, and what fails a test.
type ConnectOption interface{ connect(*Client) }

// WithHTTPClient gives the client that sends all requests. Its Timeout and its
// CheckRedirect are not used for the control plane. By default requests use no proxy, and a
// new connection each.
func WithHTTPClient(client *http.Client) ConnectOption { return withHTTPClient{client} }

type withHTTPClient struct{ *http.Client }

func (o withHTTPClient) connect(c *Client) { c.http = o.Client }

// Open returns a client of the server at a URL: its base URL, as
// http://127.0.0.1:8642/api, or any other URL of that server. It fails if no server
// answers there, or if its control plane is off.
func Open(serverURL string, options ...ConnectOption) (*Client, error) {
	u, err := url.Parse(serverURL)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("%q is not the URL of a server; write one as http://127.0.0.1:8642/api", serverURL)
	}
	c := &Client{
		calls: calls{test: &report.Test{TB: report.NoTest{}, Strict: true}, sharing: new(report.Sharing)},
		http:  &http.Client{Transport: &http.Transport{DisableKeepAlives: true}},
	}
	for _, option := range options {
		option.connect(c)
	}
	plane := c.HTTPClient()
	plane.Timeout = 0
	// A redirect would be followed with GET, whatever the method was.
	plane.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	server := &elsewhere{u.Scheme + "://" + u.Host, plane}
	path, err := server.basePath()
	if err != nil {
		return nil, err
	}
	c.to, c.baseURL = server, server.server+path
	return c, nil
}

// Connect returns a client for a test, of the server at a base URL, as
// http://campaigns:8642/api. The client has a Token of the test's own, which needs no user if
// the server knows unknown tokens, and which can be like one of the server's users:
//
//	c := fake.Connect(t, os.Getenv("CAMPAIGNS_BASE_URL"))
//	client := NewClient(c.BaseURL(), "flaky~"+c.Token(), c.HTTPClient())
//
// When the test ends, it fails if requests with that token, like a user or not, matched
// nothing or had a query parameter, or if replies that it gave were not played. With
// WithLenient it does not. Nothing else on the server fails it: tests may run in parallel.
//
// Two runs of the same test that start at the same moment may get the same token: give each
// a server of its own.
//
// Connect fails the test at once if no server answers there, if the server has another base
// path, or if its control plane is off.
func Connect(tb TB, baseURL string, options ...ConnectOption) *Client {
	tb.Helper()
	c, err := Open(baseURL, options...)
	if own := strings.TrimRight(baseURL, "/"); err == nil && c.baseURL != own {
		err = fmt.Errorf("the server has the base URL %s, and not %s", c.baseURL, own)
	}
	if err == nil {
		// The package is in the token, since packages are tested at the same time.
		c.token = report.TokenOf(tb, report.PackageOf(), func(token string) bool {
			var counts engine.Counts
			counts, err = c.to.Count(token)
			return counts.Arrived > 0
		})
	}
	if err != nil {
		tb.Fatalf("campaignfake: Connect: %v", err)
		return nil
	}
	c.test.TB, c.changed = tb, new(sync.Map)
	tb.Cleanup(c.end)
	return c
}

// end ends the test of a client: it fails if requests matched nothing or replies were not played,
// and its tokens are put back.
func (c *Client) end() {
	c.test.Helper()
	requests, err := c.to.Requests()
	requests = slices.DeleteFunc(requests, func(r journal.Request) bool { return !c.isOwn(r.Token) })
	if _, another := c.to.(*elsewhere); another { // one in this process has said so when they arrived
		c.test.ReportUnmatched(requests)
	}
	tokens := []string{c.token}
	for _, r := range requests {
		tokens = append(tokens, r.Token)
	}
	for token := range c.changed.Range {
		tokens = append(tokens, token.(string))
	}
	var unplayed []report.Unplayed
	if err == nil {
		unplayed, err = c.to.Unplayed()
	}
	c.test.ReportUnplayed(slices.DeleteFunc(unplayed, func(u report.Unplayed) bool { return !slices.Contains(tokens, u.Token) }), requests)
	if err == nil {
		err = c.to.Reset(slices.Compact(slices.Sorted(slices.Values(tokens)))...)
	}
	c.test.Refuse("at the end of the test, users could not be put back", err)
	c.test.End()
}

// isOwn reports whether a token is that of the test, or like a user and of the test, as
// flaky~TestRetry.
func (c *Client) isOwn(token string) bool { return report.Own(token) == c.token }

// BaseURL returns the URL that a client of the service is configured with. It does not
// end in a slash.
func (c *Client) BaseURL() string { return c.baseURL }

// Token returns the token of the test: its name, with an @ and a number if the token is in use.
// In front of it, Connect writes the package. It is the same in each run, so that what is generated
// is, too. A token as "flaky~" + c.Token() is the test's as well, and is answered like the user
// flaky. Open gives none: "".
func (c *Client) Token() string { return c.token }

// HTTPClient returns an HTTP client that reaches the server, as Server.Client does.
func (c *Client) HTTPClient() *http.Client {
	client := *c.http
	return &client
}

// Requests returns the requests in the journal that carry one of the tokens, or all of
// them if none is given, oldest first, as Server.Requests does.
func (c *Client) Requests(tokens ...string) ([]journal.Request, error) {
	c.test.Helper()
	requests, err := c.to.Requests(tokens...)
	return requests, c.test.Refuse("Requests", err)
}

// Release answers the requests of a token that are held, as Server.Release does.
func (c *Client) Release(token string) (requests int, err error) {
	c.test.Helper()
	requests, err = c.to.Release(token)
	return requests, c.test.Refuse("Release", err)
}

// Reset puts tokens back to how the server started, as Server.Reset does. It ends at the
// first error.
func (c *Client) Reset(token string, more ...string) error {
	c.test.Helper()
	return c.test.Refuse("Reset", c.to.Reset(append([]string{token}, more...)...))
}

// ResetAll puts everything back to how the server started, as Server.ResetAll does, also
// for others who use the server.
func (c *Client) ResetAll() error {
	c.test.Helper()
	return c.test.Refuse("ResetAll", c.to.Reset())
}

// ClearRequests removes the requests that carry one of the tokens from the journal, or
// all of them if none is given, as Server.ClearRequests does. It ends at the first error.
func (c *Client) ClearRequests(tokens ...string) error {
	c.test.Helper()
	return c.test.Refuse("ClearRequests", c.to.Clear(tokens...))
}
