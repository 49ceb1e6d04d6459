package fake

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"example.com/campaignfake/fixtures"
)

// A Client controls a server in another process, through its control plane. Its
// methods do what those of a Server do, and return the errors of the server and of
// the network. Each call waits for its answer for up to 10 seconds, or until its
// context is done; AwaitRequests and Follow wait only for their context.
//
// Any number of goroutines may use a Client at once. Tests use Connect, which
// returns a Remote that reports errors to the test.
type Client struct {
	root    *url.URL     // of the control plane; its path is /_fake/
	control *http.Client // follows no redirect, and has no timeout of its own
	api     *http.Client // sends requests to the API; see Remote.Client
}

// callTimeout is how long an answer of the control plane may take.
const callTimeout = 10 * time.Second

// Open returns a client of the server at a URL: its base URL, as
// http://127.0.0.1:8642/api, or any other URL of that server. It fails if no server
// answers there, or if the control plane has another address (see WithControlURL).
func Open(serverURL string, options ...ConnectOption) (*Client, error) {
	u, ok := webURL(serverURL)
	if !ok {
		return nil, fmt.Errorf("%q is not the URL of a server; write one as http://127.0.0.1:8642/api", serverURL)
	}
	c, err := newClient(u, options)
	if err == nil {
		err = c.checkHealth(context.Background())
	}
	if err != nil {
		return nil, err
	}
	return c, nil
}

// newClient makes a client without asking whether there is a server.
func newClient(u *url.URL, options []ConnectOption) (*Client, error) {
	o := connectOptions{control: u}
	for _, option := range options {
		option(&o)
	}
	if err := o.check(); err != nil {
		return nil, err
	}
	c := &Client{
		root:    &url.URL{Scheme: o.control.Scheme, Host: o.control.Host, Path: "/_fake/"},
		control: new(http.Client),
		api:     o.httpClient(),
	}
	*c.control = *c.api
	c.control.Timeout = 0
	// A redirect would be followed with GET, whatever the method was.
	c.control.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return c, nil
}

// checkHealth fails unless the server is ready and its control plane is on.
func (c *Client) checkHealth(ctx context.Context) error {
	var answer health
	if err := c.call(ctx, "GET", "health", nil, nil, &answer); err != nil {
		return err
	}
	switch {
	case !answer.Ready:
		return fmt.Errorf("the server at %s says that it is not ready", c.server())
	case answer.Fixtures == nil: // which only a control plane sends
		return fmt.Errorf("the control plane is off at %s; start the server with --control on, unless its control plane has an address of its own", c.server())
	}
	return nil
}

// basePath returns the path that the URLs of the API begin with.
func (c *Client) basePath(ctx context.Context) (path string, err error) {
	var answer struct{ Settings []Setting }
	if err := c.call(ctx, "GET", "service", nil, nil, &answer); err != nil {
		return "", err
	}
	for _, setting := range answer.Settings {
		if setting.Name == "base_path" {
			return path, json.Unmarshal(setting.Value, &path)
		}
	}
	return "", notCampaignfake(c.server(), "does not say its base path")
}

// SetUser gives the token a user, as Server.SetUser does.
func (c *Client) SetUser(ctx context.Context, token string, u User) error {
	if err := fixtures.CheckUser(token, u); err != nil {
		return err
	}
	return c.send(ctx, "PUT", "users", ofTheToken(token), u)
}

// SetService lays settings over those of the server, as Server.SetService does.
func (c *Client) SetService(ctx context.Context, service Service) error {
	return c.send(ctx, "PUT", "service", nil, service)
}

// RemoveUser removes the user of a token, as Server.RemoveUser does.
func (c *Client) RemoveUser(ctx context.Context, token string) error {
	return c.call(ctx, "DELETE", "users", ofTheToken(token), nil, nil)
}

// Enqueue adds replies for the next requests that carry the token, as
// Server.Enqueue does; but no test fails if they are not played.
func (c *Client) Enqueue(ctx context.Context, token string, replies ...Reply) error {
	if err := fixtures.CheckUser(token, User{Replies: replies}); err != nil {
		return err
	}
	return c.send(ctx, "POST", "replies", ofTheToken(token), append([]Reply{}, replies...))
}

// Replies returns the replies that wait to be played for a token, in order: first
// enqueued ones, then those of its user. It is an error if no user has the token.
func (c *Client) Replies(ctx context.Context, token string) ([]WaitingReply, error) {
	var answer struct{ Replies []WaitingReply }
	err := c.call(ctx, "GET", "replies", ofTheToken(token), nil, &answer)
	return answer.Replies, err
}

// DropReplies drops the replies that were enqueued for a token, but not those of its
// user.
func (c *Client) DropReplies(ctx context.Context, token string) error {
	return c.call(ctx, "DELETE", "replies", ofTheToken(token), nil, nil)
}

// Requests returns the requests in the journal that carry one of the tokens, or
// all of them if none is given, oldest first, as Server.Requests does.
func (c *Client) Requests(ctx context.Context, tokens ...string) ([]Request, error) {
	list, err := c.journal(ctx, tokens, true)
	return list.Requests, err
}

// journal reads what Requests returns, page by page, with whole bodies or their
// starts. Events continue from the version of the result, which is that of the first
// page.
func (c *Client) journal(ctx context.Context, tokens []string, bodies bool) (all requestList, err error) {
	query := url.Values{"limit": {strconv.Itoa(maxListed)}, "bodies": {strconv.FormatBool(bodies)}}
	if len(tokens) == 1 {
		query.Set("token", tokens[0])
	}
	for more := true; more; {
		var page requestList
		if err := c.call(ctx, "GET", "requests", query, nil, &page); err != nil {
			return requestList{}, err
		}
		if !query.Has("before") {
			all = page
		} else if page.Journal == all.Journal {
			all.Requests = append(all.Requests, page.Requests...)
		} else { // a reset has made the earlier pages invalid
			query.Del("before")
			continue
		}
		if more = page.More && len(page.Requests) > 0; more {
			query.Set("before", strconv.Itoa(page.Requests[len(page.Requests)-1].Number))
		}
	}
	slices.Reverse(all.Requests)
	if len(tokens) > 1 {
		all.Requests = slices.DeleteFunc(all.Requests, func(r Request) bool { return !slices.Contains(tokens, r.Token) })
	}
	return all, nil
}

// AwaitRequests waits until at least n requests have arrived that carry the
// token, as Server.AwaitRequests does.
func (c *Client) AwaitRequests(ctx context.Context, token string, n int) error {
	return c.await(ctx, token, n, awaitArrival)
}

// AwaitAnswers waits until at least n requests that carry the token have been
// answered, as Server.AwaitAnswers does.
func (c *Client) AwaitAnswers(ctx context.Context, token string, n int) error {
	return c.await(ctx, token, n, awaitAnswer)
}

func (c *Client) await(ctx context.Context, token string, n int, what awaited) error {
	if n <= 0 {
		return nil
	}
	query := ofTheToken(token)
	query.Set(what.parameter, strconv.Itoa(n))
	query.Set("limit", "1")
	var list requestList
	err := c.call(ctx, "GET", "requests", query, nil, &list)
	if err != nil && ctx.Err() != nil {
		return fmt.Errorf("fewer than %d requests %s have %s: %w", n, ofToken(token), what.verb, context.Cause(ctx))
	}
	return err
}

// matched returns how many requests carried the token and matched the route.
func (c *Client) matched(ctx context.Context, token string) (int, error) {
	query := ofTheToken(token)
	query.Set("limit", "1")
	var list requestList
	err := c.call(ctx, "GET", "requests", query, nil, &list)
	if err == nil && list.Matched == nil {
		err = notCampaignfake(c.server(), "does not say how many requests matched")
	}
	if err != nil {
		return 0, err
	}
	return *list.Matched, nil
}

// ClearRequests removes all requests from the journal, as Server.ClearRequests does.
func (c *Client) ClearRequests(ctx context.Context) error {
	return c.call(ctx, "DELETE", "requests", nil, nil, nil)
}

// ClearTokens removes the requests that carry one of the tokens from the journal, as
// Server.ClearTokens does. Without tokens it does nothing.
func (c *Client) ClearTokens(ctx context.Context, tokens ...string) error {
	return c.forTokens(ctx, "DELETE", "requests", tokens)
}

// Reset puts the server back to how it started, as Server.Reset does.
func (c *Client) Reset(ctx context.Context) error {
	return c.call(ctx, "POST", "reset", nil, nil, nil)
}

// ResetTokens puts tokens back to how the server started, as Server.ResetTokens
// does. Without tokens it does nothing.
func (c *Client) ResetTokens(ctx context.Context, tokens ...string) error {
	return c.forTokens(ctx, "POST", "reset", tokens)
}

// Reload makes the server read its fixtures again, as Server.Reload does.
func (c *Client) Reload(ctx context.Context) error {
	return c.call(ctx, "POST", "reload", nil, nil, nil)
}

// forTokens sends a request for each of the tokens.
func (c *Client) forTokens(ctx context.Context, method, path string, tokens []string) error {
	for _, token := range tokens {
		if err := c.call(ctx, method, path, ofTheToken(token), nil, nil); err != nil {
			return err
		}
	}
	return nil
}

func ofTheToken(token string) url.Values { return url.Values{"token": {token}} }

// send sends a value as JSON.
func (c *Client) send(ctx context.Context, method, path string, query url.Values, value any) error {
	body, err := json.Marshal(value)
	if most := LimitsOf(0).Body; err == nil && len(body) > most {
		err = fmt.Errorf("%d bytes of JSON are more than the %d MiB that a server accepts; use generated campaigns", len(body), most>>20)
	}
	if inner := (*json.MarshalerError)(nil); errors.As(err, &inner) {
		err = inner.Err // without words about encoding
	}
	if err != nil {
		return err
	}
	return c.call(ctx, method, path, query, body, nil)
}

// call sends a request, and reads the answer into result unless that is nil.
func (c *Client) call(ctx context.Context, method, path string, query url.Values, body []byte, result any) error {
	if !query.Has(awaitArrival.parameter) && !query.Has(awaitAnswer.parameter) {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, callTimeout)
		defer cancel()
	}
	response, err := c.request(ctx, method, path, query, body)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		return fmt.Errorf("the answer of %s is incomplete: %w", c.server(), err)
	}
	if result != nil && json.Unmarshal(answer, result) != nil {
		return notCampaignfake(c.server(), method+" "+response.Request.URL.Path+" answers something else")
	}
	return nil
}

// request sends a request, and returns the answer if its status is below 300.
func (c *Client) request(ctx context.Context, method, path string, query url.Values, body []byte) (*http.Response, error) {
	to := c.root.JoinPath(path)
	to.RawQuery = query.Encode()
	request, err := http.NewRequestWithContext(ctx, method, to.String(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	response, err := c.control.Do(request)
	if inner := (*url.Error)(nil); errors.As(err, &inner) {
		err = inner.Err // without the URL, which the message has already
	}
	switch {
	case errors.As(err, new(*tls.CertificateVerificationError)):
		return nil, fmt.Errorf("the certificate of %s cannot be trusted (%w)", c.server(), err)
	case err != nil:
		return nil, fmt.Errorf("no server answers at %s (%w)", c.server(), err)
	case response.StatusCode >= 300:
		defer response.Body.Close()
		return nil, refusal(c.server(), response)
	}
	return response, nil
}

// server returns the URL of the server, without a path.
func (c *Client) server() string { return c.root.Scheme + "://" + c.root.Host }
