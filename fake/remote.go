package fake

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
)

// A Remote is a server in another process that a test controls, such as one in a
// container beside the test. Its methods do what those of a Server do. Any number of
// goroutines may use it at once, and so may parallel tests with tokens of their own.
//
// Errors of the server and of the network fail the test, unless it has ended. Methods
// with an error result return them as well.
//
// When the test ends, the tokens whose users or replies it has changed are put back to
// how the server started, as by ResetTokens, and settings that it has set are taken
// away, as by SetService(Service{}).
type Remote struct {
	client  *Client
	test    *test
	baseURL string

	mu      sync.Mutex
	changed []string // tokens to put back
	service bool     // settings have been set
}

// Connect returns the server at a base URL, as http://campaigns:8642/api. It fails
// the test at once if no server answers there, if the server has another base path,
// or if its control plane has another address (see WithControlURL). Programs that
// are not tests use Open.
//
// Unlike a test server, a Remote is not strict: requests that match nothing do not
// fail the test. They are Unmatched in the journal, and CheckRequests does not count
// them.
func Connect(tb TB, baseURL string, options ...ConnectOption) *Remote {
	tb.Helper()
	client, err := connect(baseURL, options)
	if err != nil {
		tb.Fatalf("campaignfake: Connect: %v", err)
		return nil
	}
	r := &Remote{client: client, test: &test{TB: tb}, baseURL: strings.TrimRight(baseURL, "/")}
	tb.Cleanup(func() {
		tb.Helper()
		r.giveBack()
		r.test.end()
	})
	return r
}

// giveBack undoes what the test has changed.
func (r *Remote) giveBack() {
	r.test.Helper()
	r.mu.Lock()
	tokens, service := r.changed, r.service
	r.mu.Unlock()
	ctx := context.Background()
	var err error
	for _, token := range tokens { // all of them, whatever becomes of one
		err = errors.Join(err, r.client.ResetTokens(ctx, token))
	}
	if service {
		err = errors.Join(err, r.client.SetService(ctx, Service{}))
	}
	r.test.refuse("at the end of the test, users and settings could not be put back", err)
}

// changes notes that the test changes what a token has.
func (r *Remote) changes(token string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !slices.Contains(r.changed, token) {
		r.changed = append(r.changed, token)
	}
}

// connect opens the server that has a base URL.
func connect(baseURL string, options []ConnectOption) (*Client, error) {
	u, ok := webURL(baseURL)
	if !ok || u.RawQuery != "" || u.Fragment != "" {
		return nil, fmt.Errorf("%q is not a base URL; give one as http://127.0.0.1:8642/api", baseURL)
	}
	client, err := newClient(u, options)
	if err != nil {
		return nil, err
	}
	if err := client.checkHealth(context.Background()); err != nil {
		return nil, fmt.Errorf("there is no server to control at the base URL %s: %w; if its control plane has its own address (--control HOST:PORT), use fake.WithControlURL", baseURL, err)
	}
	path, err := client.basePath(context.Background())
	if err == nil && strings.TrimRight(u.EscapedPath(), "/") != path {
		err = fmt.Errorf("the server has the base path %s, and %s has another; use %s://%s%s", path, baseURL, u.Scheme, u.Host, path)
	}
	return client, err
}

// BaseURL returns the base URL that was given to Connect, whatever SetService changes.
// It does not end in a slash.
func (r *Remote) BaseURL() string { return r.baseURL }

// Client returns an HTTP client that reaches the server. Each call returns a new
// one, so that its Timeout can be changed. All share a transport, which by default
// uses no proxy, and a new connection for each request.
func (r *Remote) Client() *http.Client {
	client := *r.client.api
	return &client
}

// SetUser gives the token a user, as Server.SetUser does.
func (r *Remote) SetUser(token string, u User) error {
	r.test.Helper()
	r.changes(token)
	return r.test.refuse("SetUser", r.client.SetUser(context.Background(), token, u))
}

// SetService lays settings over those of the server, as Server.SetService does.
func (r *Remote) SetService(service Service) error {
	r.test.Helper()
	r.mu.Lock()
	r.service = true
	r.mu.Unlock()
	return r.test.refuse("SetService", r.client.SetService(context.Background(), service))
}

// RemoveUser removes the user of a token, as Server.RemoveUser does.
func (r *Remote) RemoveUser(token string) error {
	r.test.Helper()
	r.changes(token)
	return r.test.refuse("RemoveUser", r.client.RemoveUser(context.Background(), token))
}

// Enqueue adds replies for the next requests that carry the token, as
// Server.Enqueue does; but no test fails if they are not played.
func (r *Remote) Enqueue(token string, replies ...Reply) error {
	r.test.Helper()
	r.changes(token)
	return r.test.refuse("Enqueue", r.client.Enqueue(context.Background(), token, replies...))
}

// Requests returns the requests in the journal that carry one of the tokens, or
// all of them if none is given, oldest first, as Server.Requests does.
func (r *Remote) Requests(tokens ...string) []Request {
	r.test.Helper()
	requests, err := r.client.Requests(context.Background(), tokens...)
	r.test.refuse("Requests", err)
	return requests
}

// AwaitRequests waits until at least n requests have arrived that carry the
// token, as Server.AwaitRequests does.
func (r *Remote) AwaitRequests(ctx context.Context, token string, n int) error {
	r.test.Helper()
	return r.awaited(ctx, "AwaitRequests", r.client.AwaitRequests(ctx, token, n))
}

// AwaitAnswers waits until at least n requests that carry the token have been
// answered, as Server.AwaitAnswers does.
func (r *Remote) AwaitAnswers(ctx context.Context, token string, n int) error {
	r.test.Helper()
	return r.awaited(ctx, "AwaitAnswers", r.client.AwaitAnswers(ctx, token, n))
}

// awaited returns the error of a call that waits. If the caller has given up, the test
// does not fail.
func (r *Remote) awaited(ctx context.Context, call string, err error) error {
	r.test.Helper()
	if ctx.Err() != nil {
		return err
	}
	return r.test.refuse(call, err)
}

// CheckRequests fails the test unless exactly n requests that carry the token
// matched the route, as Server.CheckRequests does.
func (r *Remote) CheckRequests(tb TB, token string, n int) {
	tb.Helper()
	count, err := r.client.matched(context.Background(), token)
	if err != nil {
		tb.Errorf("campaignfake: CheckRequests: %v", err)
		return
	}
	checkCount(tb, token, n, count, r.Requests)
}

// ClearRequests removes all requests from the journal, as Server.ClearRequests does.
func (r *Remote) ClearRequests() {
	r.test.Helper()
	r.test.refuse("ClearRequests", r.client.ClearRequests(context.Background()))
}

// ClearTokens removes the requests that carry one of the tokens from the journal, as
// Server.ClearTokens does. Without tokens it does nothing.
func (r *Remote) ClearTokens(tokens ...string) {
	r.test.Helper()
	r.test.refuse("ClearTokens", r.client.ClearTokens(context.Background(), tokens...))
}

// Reset puts the server back to how it started, as Server.Reset does.
func (r *Remote) Reset() {
	r.test.Helper()
	r.test.refuse("Reset", r.client.Reset(context.Background()))
}

// ResetTokens puts tokens back to how the server started, as Server.ResetTokens
// does. Without tokens it does nothing.
func (r *Remote) ResetTokens(tokens ...string) {
	r.test.Helper()
	r.test.refuse("ResetTokens", r.client.ResetTokens(context.Background(), tokens...))
}

// Reload makes the server read its fixtures again, as Server.Reload does.
func (r *Remote) Reload() error {
	r.test.Helper()
	return r.test.refuse("Reload", r.client.Reload(context.Background()))
}
