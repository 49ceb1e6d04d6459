package fake

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"

	"example.com/campaignfake/fake/internal/control"
	"example.com/campaignfake/fake/internal/report"
)

// A Client controls a server in another process, such as one in a container, through its
// control plane. Its methods do what those of a Server do. Programs get one from Open, and
// tests from Connect, or from Server.For if they share a server; the zero Client is of no use.
//
// Methods that can fail return the error, which is a *RefusedError if the server has
// refused a request. A method waits for up to 10 seconds for each answer of the server;
// AwaitRequests and AwaitAnswers wait until their context is done.
//
// A client that Connect or For returned also fails its test where a method says so, unless the
// test has ended. When the test ends, the tokens whose users or replies were changed are
// put back, as by Reset.
//
// Any number of goroutines may use a Client at once, and so may parallel tests with tokens
// of their own.
type Client struct {
	root    *url.URL     // of the control plane; its path is /_fake/
	control *http.Client // follows no redirect, and has no timeout of its own
	http    *http.Client // sends requests to the API
	baseURL string
	token   string          // of its test, if For made it
	sharing *report.Sharing // the tests of its server, if For made it
	test    *report.Test

	mu      sync.Mutex
	changed []string // tokens to put back when the test ends
}

// Open returns a client of the server at a URL: its base URL, as
// http://127.0.0.1:8642/api, or any other URL of that server. It fails if no server
// answers there, or if its control plane is off.
func Open(serverURL string, options ...ConnectOption) (*Client, error) {
	u, ok := webURL(serverURL)
	if !ok {
		return nil, fmt.Errorf("%q is not the URL of a server; write one as http://127.0.0.1:8642/api", serverURL)
	}
	c, err := newClient(u, options)
	if err != nil {
		return nil, err
	}
	path, err := c.basePath()
	if err != nil {
		return nil, err
	}
	c.baseURL = u.Scheme + "://" + u.Host + path
	return c, nil
}

// Connect returns a client for a test, of the server at a base URL, as
// http://campaigns:8642/api. It fails the test at once if no server answers there, if the
// server has another base path, or if its control plane is off.
//
// Unlike a test server, the server is not strict: requests that match nothing do not fail
// the test. They are Unmatched in the journal, and CheckRequests does not count them.
// Replies that were not played do not fail the test either.
func Connect(tb TB, baseURL string, options ...ConnectOption) *Client {
	tb.Helper()
	c, err := connect(baseURL, options)
	if err != nil {
		tb.Fatalf("campaignfake: Connect: %v", err)
		return nil
	}
	c.test = &report.Test{TB: tb}
	tb.Cleanup(func() {
		tb.Helper()
		c.putBack()
		c.test.End()
	})
	return c
}

// connect opens the server that has a base URL.
func connect(baseURL string, options []ConnectOption) (*Client, error) {
	u, ok := webURL(baseURL)
	if !ok || u.RawQuery != "" || u.Fragment != "" {
		return nil, fmt.Errorf("%q is not a base URL; give one as http://127.0.0.1:8642/api", baseURL)
	}
	c, err := newClient(u, options)
	if err != nil {
		return nil, err
	}
	path, err := c.basePath()
	switch {
	case err != nil:
		return nil, fmt.Errorf("there is no server to control at the base URL %s: %w", baseURL, err)
	case strings.TrimRight(u.EscapedPath(), "/") != path:
		return nil, fmt.Errorf("the server has the base path %s, and %s has another; use %s://%s%s", path, baseURL, u.Scheme, u.Host, path)
	}
	c.baseURL = strings.TrimRight(baseURL, "/")
	return c, nil
}

// newClient makes a client without asking whether there is a server.
func newClient(u *url.URL, options []ConnectOption) (*Client, error) {
	c := &Client{
		root: &url.URL{Scheme: u.Scheme, Host: u.Host, Path: "/_fake/"},
		http: &http.Client{Transport: &http.Transport{DisableKeepAlives: true}},
		test: &report.Test{TB: report.NoTest{}},
	}
	for i, option := range options {
		if option == nil {
			return nil, fmt.Errorf("option %d is nil; leave it out", i+1)
		}
		option(c)
	}
	c.control = c.HTTPClient()
	c.control.Timeout = 0
	// A redirect would be followed with GET, whatever the method was.
	c.control.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return c, nil
}

// basePath returns the path of the server's base URL. It fails unless the server is ready
// and its control plane is on.
func (c *Client) basePath() (string, error) {
	var answer control.Health
	if err := c.call("GET", "health", nil, nil, &answer); err != nil {
		return "", err
	}
	switch {
	case !answer.Ready:
		return "", fmt.Errorf("the server at %s says that it is not ready", c.server())
	case answer.Fixtures == nil: // which only a control plane sends
		return "", fmt.Errorf("the control plane is off at %s; start the server with --control on", c.server())
	}
	u, err := url.Parse(answer.BaseURL)
	if err != nil {
		return "", notCampaignfake(c.server(), "has no base URL")
	}
	return u.EscapedPath(), nil
}

// putBack undoes what the test has changed.
func (c *Client) putBack() {
	c.test.Helper()
	c.mu.Lock()
	tokens := c.changed
	c.mu.Unlock()
	var err error
	for _, token := range tokens { // all of them, even after an error
		again := c.forTokens("POST", "reset", []string{token})
		if err == nil || again != nil && !strings.Contains(err.Error(), again.Error()) { // a server that is gone says the same each time
			err = errors.Join(err, again)
		}
	}
	c.test.Refuse("at the end of the test, users could not be put back", err)
}

// remember notes that a token has to be put back when the test ends. Without a test,
// nothing is put back.
func (c *Client) remember(token string) {
	if c.test.TB == (report.NoTest{}) {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if !slices.Contains(c.changed, token) {
		c.changed = append(c.changed, token)
	}
}

// BaseURL returns the URL that a client of the service is configured with. It does not
// end in a slash. It is the one that Connect was given, or the server's when Open was
// called.
func (c *Client) BaseURL() string { return c.baseURL }

// Token returns the token that For has given the test: its name, with an @ and a number
// if another test has it already, as in each further run under -count. What is generated and
// drawn is the same in each run. It is "" for other clients.
func (c *Client) Token() string { return c.token }

// HTTPClient returns an HTTP client that reaches the server. Each call returns a new one,
// so that its Timeout can be changed. All share a transport, which by default uses no
// proxy, and a new connection for each request.
func (c *Client) HTTPClient() *http.Client {
	client := *c.http
	return &client
}
