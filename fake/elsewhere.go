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
	"time"

	"example.com/campaignfake/fake/internal/control"
	"example.com/campaignfake/fake/internal/engine"
	"example.com/campaignfake/fake/internal/report"
	"example.com/campaignfake/fake/internal/words"
	"example.com/campaignfake/fake/journal"
	"example.com/campaignfake/fixtures"
)

const (
	// callTimeout is how long an answer of the control plane may take.
	callTimeout = 10 * time.Second

	// answerLimit is more bytes than an answer of the control plane has. The largest is the
	// journal, whose 8 MiB may be six times as much in JSON. The rest is room for the advice.
	answerLimit = 64 << 20
)

// elsewhere is the door to a server in another process, by its control plane.
type elsewhere struct {
	server string       // its URL, without a path
	http   *http.Client // follows no redirect, and has no timeout of its own
}

// CheckBubble returns nil: a connection cannot leave a bubble anyway.
func (e *elsewhere) CheckBubble() error { return nil }

func (e *elsewhere) SetUser(token string, u fixtures.User) error {
	if err := (fixtures.Service{}).CheckUser(token, u); err != nil {
		return err
	}
	return e.call("PUT", "users?anew=false&"+ofToken(token), u, nil)
}

func (e *elsewhere) RemoveUser(token string) error {
	return e.call("DELETE", "users?anew=false&"+ofToken(token), nil, nil)
}

func (e *elsewhere) Enqueue(token string, replies []fixtures.Reply) error {
	if err := (fixtures.Service{}).CheckUser(token, fixtures.User{Replies: replies}); err != nil {
		return err
	}
	return e.call("POST", "replies?"+ofToken(token), append([]fixtures.Reply{}, replies...), nil)
}

func (e *elsewhere) Release(token string) (int, error) {
	var answer struct{ Released int }
	err := e.call("POST", "release?"+ofToken(token), nil, &answer)
	return answer.Released, err
}

func (e *elsewhere) Reset(tokens ...string) error { return e.forTokens("POST", "reset", tokens) }
func (e *elsewhere) Clear(tokens ...string) error { return e.forTokens("DELETE", "requests", tokens) }

// forTokens sends a request for each of the tokens, until there is an error, or one for all.
func (e *elsewhere) forTokens(method, path string, tokens []string) error {
	if len(tokens) == 0 {
		return e.call(method, path, nil, nil)
	}
	for _, token := range tokens {
		if err := e.call(method, path+"?"+ofToken(token), nil, nil); err != nil {
			return err
		}
	}
	return nil
}

func (e *elsewhere) Requests(tokens ...string) ([]journal.Request, error) {
	var list control.RequestList
	err := e.call("GET", fmt.Sprintf("requests?oldest=true&limit=%d", control.MaxListed), nil, &list)
	isOther := func(r journal.Request) bool { return len(tokens) > 0 && !slices.Contains(tokens, r.Token) }
	return slices.DeleteFunc(list.Requests, isOther), err
}

func (e *elsewhere) Count(token string) (engine.Counts, error) {
	var list struct{ Count, Matched int }
	err := e.call("GET", "requests?limit=1&"+ofToken(token), nil, &list)
	return engine.Counts{Arrived: list.Count, Matched: list.Matched}, err
}

func (e *elsewhere) Unplayed() ([]report.Unplayed, error) {
	var list struct{ Unplayed []report.Unplayed }
	err := e.call("GET", "unplayed", nil, &list)
	return list.Unplayed, err
}

func (e *elsewhere) Await(ctx context.Context, token string, least engine.Counts) error {
	parameter, n, have := "await", least.Arrived, "arrived"
	if least.Answered > 0 {
		parameter, n, have = "await_answers", least.Answered, "been answered"
	}
	err := e.callUntil(ctx, "GET", fmt.Sprintf("requests?%s=%d&within=24h&limit=1&%s", parameter, max(n, 0), ofToken(token)), nil, nil)
	if err != nil && ctx.Err() != nil {
		return fmt.Errorf("fewer than %s %s have %s: %w", words.Counted(n, "request"), words.OfToken(token), have, context.Cause(ctx))
	}
	return err
}

// ofToken returns the parameter for a token.
func ofToken(token string) string { return "token=" + url.QueryEscape(token) }

// basePath returns the path of the server's base URL. It fails unless the control plane is on.
func (e *elsewhere) basePath() (string, error) {
	var answer control.Health
	if err := e.call("GET", "health", nil, &answer); err != nil {
		return "", err
	}
	if answer.BaseURL == "" { // which only a control plane sends
		return "", fmt.Errorf("the control plane is off at %s; start the server with --control on", e.server)
	}
	u, err := url.Parse(answer.BaseURL)
	if err != nil {
		return "", err
	}
	return u.EscapedPath(), nil
}

// call sends a request, with a value as JSON unless that is nil, and reads the answer into result
// unless that is nil. It ends after callTimeout.
func (e *elsewhere) call(method, path string, value, result any) error {
	ctx, cancel := context.WithTimeout(context.Background(), callTimeout)
	defer cancel()
	return e.callUntil(ctx, method, path, value, result)
}

// callUntil is call without its timeout: it ends when ctx is done.
func (e *elsewhere) callUntil(ctx context.Context, method, path string, value, result any) error {
	var body bytes.Buffer
	if value != nil {
		json.NewEncoder(&body).Encode(value) // it was checked, and so has a JSON
	}
	request, err := http.NewRequestWithContext(ctx, method, e.server+"/_fake/"+path, &body)
	if err != nil {
		return err
	}
	response, err := e.http.Do(request)
	if err != nil {
		return fmt.Errorf("no server answers at %s (%w)", e.server, err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(http.MaxBytesReader(nil, response.Body, answerLimit))
	switch {
	case err != nil:
		return fmt.Errorf("the answer of %s cannot be read: %w", e.server, err)
	case response.StatusCode >= 300, result != nil && json.Unmarshal(answer, result) != nil:
		return refusal(e.server, response, answer)
	}
	return nil
}
