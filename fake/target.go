package fake

import (
	"errors"
	"net/http"

	"example.com/campaignfake/fake/internal/ask"
	"example.com/campaignfake/fake/internal/observe"
	"example.com/campaignfake/fixtures"
)

// A Target is a service that Compare, Observe and Record ask. They send the token only over HTTPS
// or to this machine, and follow no redirects.
type Target struct {
	BaseURL string // of HTTPS, or on this machine
	Token   string // a bearer token that the service accepts

	// Origin is the origin of a page, as http://localhost:5173. Without an origin, CORS is not
	// observed. Record does not use it.
	Origin string

	// Skip names settings and facts that Compare leaves out. The beginning of a name stands for all
	// names that begin with it: responses.not_found stands for responses.not_found.body and two
	// others. A name that matches nothing is a mistake.
	Skip []string

	Transport http.RoundTripper // sends the requests; nil for a transport without a proxy
}

// Check returns what is wrong with the token, the base URL, the origin, and the names to skip:
// every mistake, each on a line.
func (t Target) Check() error {
	_, err := t.endpoint()
	return err
}

// endpoint returns where the service is asked. It fails with the error of Check.
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
