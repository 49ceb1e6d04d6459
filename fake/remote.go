package fake

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/campaignfake/fixtures"
)

// A Remote is a server in another process, as in a container beside the test,
// that is steered through its control plane. It has the methods of a Server that
// a test needs, and they do the same. It may be used by any number of goroutines
// at once, and by tests that run in parallel, each with tokens of its own.
//
// What the server refuses, or the network, is returned where there is an error to
// return, and fails the test in any case.
type Remote struct {
	tb      TB
	baseURL string
	root    *url.URL     // of the control plane
	client  *http.Client // to be given away
	control *http.Client
}

// remoteTimeout is how long an answer of the control plane may take, if nobody
// asked it to wait.
const remoteTimeout = 10 * time.Second

// Connect returns the server that has a base URL, as http://campaigns:8642/api.
// It fails the test at once if no server answers there that can be steered. If the
// control plane has an address of its own (--control HOST:PORT), its URL is given
// as well, as http://campaigns:9000/_fake. Over TLS, the system has to trust its
// certificate, which the variable SSL_CERT_FILE adds to.
//
// Unlike that of a test server, nothing of it is strict: what clients should not
// have asked for is in the journal, as Unmatched.
func Connect(tb TB, baseURL string, controlURL ...string) *Remote {
	tb.Helper()
	u, ok := webURL(baseURL)
	if !ok {
		tb.Fatalf("campaignfake: Connect: %q is not a base URL; give one as http://127.0.0.1:8642/api", baseURL)
		return nil
	}
	if len(controlURL) > 0 {
		if u, ok = webURL(controlURL[0]); !ok || len(controlURL) > 1 {
			tb.Fatalf("campaignfake: Connect: %q is not the URL of a control plane; give one as http://127.0.0.1:9000/_fake", controlURL)
			return nil
		}
	}
	transport := &http.Transport{DisableKeepAlives: true}
	r := &Remote{
		tb:      tb,
		baseURL: strings.TrimRight(baseURL, "/"),
		root:    &url.URL{Scheme: u.Scheme, Host: u.Host, Path: "/_fake/"},
		client:  &http.Client{Transport: transport},
		// A redirection would make a GET of everything else.
		control: &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }},
	}
	if err := r.call(context.Background(), "GET", "users", nil, nil, new(struct{})); err != nil {
		tb.Fatalf("campaignfake: Connect: no server that can be steered has the base URL %s: %v\n"+
			"The server has to run, and its control plane has to be on (--control on), or its own URL be given to Connect (--control HOST:PORT).", baseURL, err)
		return nil
	}
	return r
}

func webURL(text string) (*url.URL, bool) {
	u, err := url.Parse(text)
	return u, err == nil && u.Host != "" && (u.Scheme == "http" || u.Scheme == "https") && u.RawQuery == "" && u.Fragment == ""
}

// BaseURL returns the base URL that was given to Connect. It does not end in a
// slash.
func (r *Remote) BaseURL() string { return r.baseURL }

// Client returns an HTTP client that reaches the server. It uses no proxy, and no
// connection twice.
func (r *Remote) Client() *http.Client { return r.client }

// SetUser gives the token a user, as Server.SetUser does.
func (r *Remote) SetUser(token string, u User) error {
	r.tb.Helper()
	err := Service{}.CheckUser(token, u)
	if err == nil {
		err = r.send("PUT", "users", token, u)
	}
	return r.refuse("SetUser", err)
}

// RemoveUser takes the user of a token away, as Server.RemoveUser does.
func (r *Remote) RemoveUser(token string) error {
	r.tb.Helper()
	return r.refuse("RemoveUser", r.call(context.Background(), "DELETE", "users", ofTheToken(token), nil, nil))
}

// Enqueue has replies played for the next requests that carry the token, as
// Server.Enqueue does; but no test fails if they are not played.
func (r *Remote) Enqueue(token string, replies ...Reply) error {
	r.tb.Helper()
	err := Service{}.CheckUser(token, User{Replies: replies})
	if err == nil {
		err = r.send("POST", "replies", token, append([]Reply{}, replies...))
	}
	return r.refuse("Enqueue", err)
}

// send sends what has been checked in JSON.
func (r *Remote) send(method, path, token string, value any) error {
	body, err := json.Marshal(value)
	if err == nil && len(body) > controlBytes {
		err = fmt.Errorf("%d bytes of JSON are more than the %d MiB that a server takes; let campaigns be generated", len(body), controlBytes>>20)
	}
	if err != nil {
		return err
	}
	return r.call(context.Background(), method, path, ofTheToken(token), body, nil)
}

// Requests returns what the journal holds of the given tokens, or of all requests
// if none is given, oldest first, as Server.Requests does.
func (r *Remote) Requests(tokens ...string) []Request {
	r.tb.Helper()
	var all []Request
	journal := 0
	query := url.Values{"limit": {strconv.Itoa(listedMost)}}
	for {
		var list requestList
		if r.refuse("Requests", r.call(context.Background(), "GET", "requests", query, nil, &list)) != nil {
			return nil
		}
		if len(all) > 0 && list.Journal != journal { // the rest has been forgotten meanwhile
			all = nil
			query.Del("before")
			journal = list.Journal
			continue
		}
		journal = list.Journal
		all = append(all, list.Requests...)
		if !list.More {
			break
		}
		query.Set("before", strconv.Itoa(all[len(all)-1].Number))
	}
	slices.Reverse(all)
	if len(tokens) > 0 {
		all = slices.DeleteFunc(all, func(q Request) bool { return !slices.Contains(tokens, q.Token) })
	}
	return all
}

// AwaitRequests waits until at least n requests have arrived that carry the
// token, as Server.AwaitRequests does.
func (r *Remote) AwaitRequests(ctx context.Context, token string, n int) error {
	r.tb.Helper()
	if n <= 0 {
		return nil
	}
	query := ofTheToken(token)
	query.Set("await", strconv.Itoa(n))
	query.Set("limit", "1")
	var list requestList
	err := r.call(ctx, "GET", "requests", query, nil, &list)
	switch {
	case err == nil && list.Count != nil:
		return nil
	case err != nil && ctx.Err() != nil:
		return fmt.Errorf("campaignfake: fewer than %d requests %s have arrived: %w", n, ofToken(token), context.Cause(ctx))
	case err == nil:
		return uncountable(token)
	}
	return r.refuse("AwaitRequests", err)
}

// CheckRequests fails the test unless exactly n requests carried the token, as
// Server.CheckRequests does.
func (r *Remote) CheckRequests(tb TB, token string, n int) {
	tb.Helper()
	query := ofTheToken(token)
	query.Set("limit", "1")
	var list requestList
	if err := r.call(context.Background(), "GET", "requests", query, nil, &list); err != nil {
		tb.Errorf("campaignfake: CheckRequests: %v", err)
		return
	}
	count := 0
	if list.Count != nil {
		count = *list.Count
	}
	checkCount(tb, token, n, count, list.Count != nil, r.Requests)
}

// ClearRequests forgets the requests of the given tokens, or all of them, as
// Server.ClearRequests does.
func (r *Remote) ClearRequests(tokens ...string) {
	r.tb.Helper()
	r.forTokens("ClearRequests", "DELETE", "requests", tokens)
}

// Reset puts the given tokens back to how the server started, or everything if
// none is given, as Server.Reset does.
func (r *Remote) Reset(tokens ...string) {
	r.tb.Helper()
	r.forTokens("Reset", "POST", "reset", tokens)
}

// forTokens sends a request for each of the tokens, or one for all if there are
// none.
func (r *Remote) forTokens(call, method, path string, tokens []string) {
	r.tb.Helper()
	if len(tokens) == 0 {
		r.refuse(call, r.call(context.Background(), method, path, nil, nil, nil))
	}
	for _, token := range tokens {
		r.refuse(call, r.call(context.Background(), method, path, ofTheToken(token), nil, nil))
	}
}

// Reload has the server read its fixtures once more, as Server.Reload does.
func (r *Remote) Reload() error {
	r.tb.Helper()
	return r.refuse("Reload", r.call(context.Background(), "POST", "reload", nil, nil, nil))
}

func ofTheToken(token string) url.Values { return url.Values{"token": {token}} }

// refuse returns err, if it is one, and tells the test.
func (r *Remote) refuse(call string, err error) error {
	if err != nil {
		r.tb.Helper()
		r.tb.Errorf("campaignfake: %s: %v", call, err)
	}
	return err
}

// call sends a request to the control plane, and reads its answer into result
// unless that is nil. An answer that is none of those for success is an error.
func (r *Remote) call(ctx context.Context, method, path string, query url.Values, body []byte, result any) error {
	if !query.Has("await") {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, remoteTimeout)
		defer cancel()
	}
	to := r.root.JoinPath(path)
	to.RawQuery = query.Encode()
	request, err := http.NewRequestWithContext(ctx, method, to.String(), bytes.NewReader(body))
	if err != nil {
		return err
	}
	response, err := r.control.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		return fmt.Errorf("%s %s: the answer breaks off: %w", method, to.Path, err)
	}
	if response.StatusCode >= 300 {
		return refusal(response, answer)
	}
	if result == nil {
		return nil
	}
	if err := json.Unmarshal(answer, result); err != nil {
		return fmt.Errorf("%s %s: the answer is none of this server's: %w", method, to.Path, err)
	}
	return nil
}

// refusal returns what an answer says: all mistakes that it lists, as
// *fixtures.Mistakes, if it does.
func refusal(response *http.Response, answer []byte) error {
	var document problemDocument
	if location := response.Header.Get("Location"); location != "" {
		return fmt.Errorf("%s %s is sent on to %s; give Connect the URL that answers itself", response.Request.Method, response.Request.URL.Path, location)
	}
	if json.Unmarshal(answer, &document) != nil || document.Detail == "" {
		return fmt.Errorf("%s %s is answered %s", response.Request.Method, response.Request.URL.Path, response.Status)
	}
	if len(document.Mistakes) == 0 {
		return fmt.Errorf("%s", strings.TrimSuffix(document.Detail, "."))
	}
	mistakes := fixtures.Mistakes{More: document.More}
	for _, m := range document.Mistakes {
		mistakes.List = append(mistakes.List, fixtures.Mistake(m))
	}
	return &mistakes
}
