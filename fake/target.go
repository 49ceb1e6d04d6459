package fake

import (
	"errors"
	"net/http"

	"example.com/campaignfake/fake/internal/ask"
	"example.com/campaignfake/fake/internal/observe"
	"example.com/campaignfake/fixtures"
)

// A Target is the service to which Compare, Observe and Record send requests. They send the token
// only over HTTPS or to this machine, and follow no redirects.
type Target struct {
	BaseURL string // with https, or with http on localhost or a loopback address
	Token   string // a bearer token that the service accepts

	// Origin is the origin of a page, such as http://localhost:5173. Without an origin, Compare and
	// Observe send no requests to find out about CORS. Record does not use Origin.
	Origin string

	// Skip has the names of settings and facts that Compare leaves out. The part of a name before a
	// dot skips all names under it: responses.not_found also skips responses.not_found.body. A name
	// that skips nothing is a mistake.
	Skip []string

	Transport http.RoundTripper // sends the requests; nil for a transport without a proxy
}

// Check returns what is wrong with the token, the base URL, the origin, and the names to skip:
// every mistake, each on a line.
func (t Target) Check() error {
	_, err := t.endpoint()
	return err
}

// endpoint returns the base URL, the token and the transport for requests to the service. It fails
// with the error of Check.
func (t Target) endpoint() (ask.Endpoint, error) {
	base, badURL := ask.ParseURL(t.BaseURL)
	var badOrigin error
	if t.Origin != "" {
		badOrigin = fixtures.CheckOrigin(t.Origin)
	}
	err := errors.Join(checkSecretToken(t.Token), badURL, badOrigin, observe.CheckSkip(t.Skip))
	endpoint := ask.Endpoint{BaseURL: base, Token: t.Token, Transport: t.Transport}
	if endpoint.Transport == nil {
		endpoint.Transport = ask.NewTransport()
	}
	return endpoint, err
}

// checkSecretToken returns what is wrong with a token, without repeating it.
func checkSecretToken(token string) error {
	if fixtures.CheckToken(token) != nil {
		return errors.New("the token cannot be sent; " +
			"give it alone, in visible ASCII characters without spaces")
	}
	return nil
}
