package fake

import (
	"net/url"

	"example.com/campaignfake/fixtures"
)

// SetUser gives the token a user, as Server.SetUser does. An error also fails the test.
func (c *Client) SetUser(token string, u User) error {
	c.test.Helper()
	c.remember(token)
	err := fixtures.Service{}.CheckUser(token, u)
	if err == nil {
		err = c.send("PUT", "users", keeping(token), u)
	}
	return c.test.Refuse("SetUser", err)
}

// RemoveUser removes the user of a token, as Server.RemoveUser does. An error also fails
// the test.
func (c *Client) RemoveUser(token string) error {
	c.test.Helper()
	c.remember(token)
	return c.test.Refuse("RemoveUser", c.call("DELETE", "users", keeping(token), nil, nil))
}

// Enqueue adds replies for the next requests that carry the token, as Server.Enqueue
// does. If they are not played, the test of a client that For returned fails, and no other.
// An error also fails the test.
func (c *Client) Enqueue(token string, replies ...Reply) error {
	c.test.Helper()
	c.remember(token)
	err := fixtures.Service{}.CheckUser(token, User{Replies: replies})
	if err == nil {
		err = c.send("POST", "replies", ofToken(token), append([]Reply{}, replies...))
	}
	return c.test.Refuse("Enqueue", err)
}

// Release answers the requests of a token that are held, as Server.Release does. An error
// also fails the test.
func (c *Client) Release(token string) (requests int, err error) {
	c.test.Helper()
	var answer struct{ Released int }
	err = c.call("POST", "release", ofToken(token), nil, &answer)
	return answer.Released, c.test.Refuse("Release", err)
}

// Reset puts tokens back to how the server started, as Server.Reset does. It ends at the
// first error, which also fails the test.
func (c *Client) Reset(token string, more ...string) error {
	c.test.Helper()
	return c.test.Refuse("Reset", c.forTokens("POST", "reset", append([]string{token}, more...)))
}

// ResetAll puts everything back to how the server started, as Server.ResetAll does, also
// for others who use the server. An error also fails the test.
func (c *Client) ResetAll() error {
	c.test.Helper()
	return c.test.Refuse("ResetAll", c.call("POST", "reset", nil, nil, nil))
}

// ClearRequests removes the requests that carry one of the tokens from the journal, or
// all of them if none is given, as Server.ClearRequests does. It ends at the first error,
// which also fails the test.
func (c *Client) ClearRequests(tokens ...string) error {
	c.test.Helper()
	if len(tokens) == 0 {
		return c.test.Refuse("ClearRequests", c.call("DELETE", "requests", nil, nil, nil))
	}
	return c.test.Refuse("ClearRequests", c.forTokens("DELETE", "requests", tokens))
}

// forTokens sends a request for each of the tokens, until there is an error.
func (c *Client) forTokens(method, path string, tokens []string) error {
	for _, token := range tokens {
		if err := c.call(method, path, ofToken(token), nil, nil); err != nil {
			return err
		}
	}
	return nil
}

// keeping is for a change of a token's user that keeps its requests and its queue.
func keeping(token string) url.Values { return url.Values{"token": {token}, "anew": {"false"}} }

func ofToken(token string) url.Values { return url.Values{"token": {token}} }
