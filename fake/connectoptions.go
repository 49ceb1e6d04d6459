package fake

import (
	"cmp"
	"net/http"
	"net/url"
)

// A ConnectOption says how Open and Connect reach a server.
type ConnectOption func(*Client)

// WithHTTPClient gives the client that sends all requests. Its Timeout and its
// CheckRedirect are not used for the control plane. By default, and with nil, requests use
// no proxy, and a new connection each.
func WithHTTPClient(client *http.Client) ConnectOption {
	return func(c *Client) { c.http = cmp.Or(client, c.http) }
}

func webURL(text string) (*url.URL, bool) {
	u, err := url.Parse(text)
	return u, err == nil && u.Host != "" && (u.Scheme == "http" || u.Scheme == "https")
}
