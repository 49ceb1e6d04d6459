package fake_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fake/journal"
	"example.com/campaignfake/fixtures"
)

// A door is a way to control a server: in Go, or over HTTP.
type door interface {
	reachable
	SetUser(token string, u fixtures.User) error
	RemoveUser(token string) error
	Enqueue(token string, replies ...fixtures.Reply) error
	Requests(tokens ...string) []journal.Request
	AwaitRequests(ctx context.Context, token string, n int) error
	AwaitAnswers(ctx context.Context, token string, n int) error
	CheckRequests(tb fake.TB, token string, n int)
	ClearRequests(tokens ...string)
	Reset(token string, more ...string)
	ResetAll()
}

// onBoth runs a test through both doors, each of a new server with the same options, which is
// lenient.
func onBoth(t *testing.T, test func(t *testing.T, srv door), options ...fake.Option) {
	options = append(options, fake.WithLenient())
	t.Run("in Go", func(t *testing.T) {
		t.Parallel()
		test(t, fake.NewTestServer(t, options...))
	})
	t.Run("over HTTP", func(t *testing.T) {
		t.Parallel()
		srv := fake.NewTestServer(t, options...)
		test(t, overHTTP{t, srv})
	})
}

// An overHTTP is the door of a server that is its control plane.
type overHTTP struct {
	t   *testing.T
	srv *fake.Server
}

func (o overHTTP) BaseURL() string      { return o.srv.BaseURL() }
func (o overHTTP) Client() *http.Client { return o.srv.Client() }

// call sends a request, with a value as JSON unless that is nil, and reads the answer into result
// unless that is nil.
func (o overHTTP) call(ctx context.Context, method, path string, value, result any) error {
	body := ""
	if value != nil {
		text, err := json.Marshal(value)
		if err != nil {
			return err
		}
		body = string(text)
	}
	r, err := http.NewRequestWithContext(ctx, method, rootOf(o)+"/_fake/"+path,
		strings.NewReader(body))
	if err != nil {
		return err
	}
	response, err := o.Client().Do(r)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if response.StatusCode >= 300 {
		return errors.New(string(answer))
	}
	if result == nil {
		return nil
	}
	return json.Unmarshal(answer, result)
}

// must is call, which has to succeed.
func (o overHTTP) must(method, path string, result any) {
	o.t.Helper()
	if err := o.call(context.Background(), method, path, nil, result); err != nil {
		o.t.Errorf("%s %s: %v", method, path, err)
	}
}

// forTokens sends a request for each of the tokens, or one for all.
func (o overHTTP) forTokens(method, path string, tokens []string) {
	o.t.Helper()
	if len(tokens) == 0 {
		o.must(method, path, nil)
	}
	for _, token := range tokens {
		o.must(method, path+"?"+ofToken(token), nil)
	}
}

// ofToken returns the parameter for a token.
func ofToken(token string) string { return "token=" + url.QueryEscape(token) }

func (o overHTTP) SetUser(token string, u fixtures.User) error {
	return o.call(context.Background(), "PUT", "users?anew=false&"+ofToken(token), u, nil)
}

func (o overHTTP) RemoveUser(token string) error {
	return o.call(context.Background(), "DELETE", "users?anew=false&"+ofToken(token), nil, nil)
}

func (o overHTTP) Enqueue(token string, replies ...fixtures.Reply) error {
	list := append([]fixtures.Reply{}, replies...)
	return o.call(context.Background(), "POST", "replies?"+ofToken(token), list, nil)
}

func (o overHTTP) Requests(tokens ...string) []journal.Request {
	o.t.Helper()
	var all struct{ Requests []journal.Request }
	if len(tokens) == 0 {
		o.must("GET", "requests?oldest=true&limit=1000", &all)
		return all.Requests
	}
	requests := []journal.Request{}
	for _, token := range tokens {
		o.must("GET", "requests?oldest=true&limit=1000&"+ofToken(token), &all)
		requests = append(requests, all.Requests...)
	}
	return requests
}

func (o overHTTP) AwaitRequests(ctx context.Context, token string, n int) error {
	return o.call(ctx, "GET", fmt.Sprintf("requests?await=%d&%s", n, ofToken(token)), nil, nil)
}

func (o overHTTP) AwaitAnswers(ctx context.Context, token string, n int) error {
	return o.call(ctx, "GET", fmt.Sprintf("requests?await_answers=%d&%s", n, ofToken(token)), nil,
		nil)
}

func (o overHTTP) CheckRequests(tb fake.TB, token string, n int) {
	o.t.Helper()
	var counts struct{ Matched int }
	o.must("GET", "requests?limit=1&"+ofToken(token), &counts)
	if counts.Matched != n {
		tb.Errorf("%d requests of %q have matched, want %d", counts.Matched, token, n)
	}
}

func (o overHTTP) ClearRequests(tokens ...string) { o.forTokens("DELETE", "requests", tokens) }
func (o overHTTP) ResetAll()                      { o.forTokens("POST", "reset", nil) }

func (o overHTTP) Reset(token string, more ...string) {
	o.forTokens("POST", "reset", append([]string{token}, more...))
}
