// Package ask sends requests to a real service, each request once. It refuses a base URL at which
// others could read the token. It bounds the time and the size of each answer, and follows no
// redirect.
//
//	ask          an endpoint, a request and its answer
//	campaigns    the campaigns in an answer
package ask

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"example.com/campaignfake/fake/internal/words"
	"example.com/campaignfake/fixtures/protocol"
)

// The bounds of time and size.
const (
	answerTimeout = 10 * time.Second // bounds the wait for one answer, to the end of its body
	WholeTimeout  = 60 * time.Second // bounds the wait for all answers
	MostBytes     = 8 << 20          // bounds one body, in bytes
)

// An Endpoint is the base URL of a service, real or fake, and what is needed to send requests to
// it.
type Endpoint struct {
	BaseURL   *url.URL
	Token     string
	Transport http.RoundTripper
}

// Request returns a request for a path below the base URL. It has no credentials if the token is
// "".
func (e Endpoint) Request(method, path, token string) *http.Request {
	target := *e.BaseURL
	target.Path = strings.TrimSuffix(target.Path, "/") + path
	target.RawPath = strings.TrimSuffix(e.BaseURL.EscapedPath(), "/") + path
	header := http.Header{
		"Accept":     {"application/json"},
		"User-Agent": {"campaignfake"},
	}
	if token != "" {
		header.Set("Authorization", "Bearer "+token)
	}
	return &http.Request{Method: method, URL: &target, Header: header}
}

// ParseURL parses the base URL of a service. The URL has to use HTTPS, or lead to this machine:
// otherwise others could read the token. The error does not repeat the URL, which may contain a
// password.
func ParseURL(text string) (*url.URL, error) {
	base, err := url.Parse(text)
	if err != nil || !hasHostAndPathAlone(base) {
		return nil, errors.New("the base URL cannot be used; " +
			"write one as https://example.com/api, without a user, a query or a fragment")
	}
	if strings.HasSuffix(strings.TrimSuffix(base.Path, "/"), protocol.CampaignsPath) {
		return nil, fmt.Errorf("the base URL ends in %s, which the command asks for below it; "+
			"leave that out", protocol.CampaignsPath)
	}
	isSafe := base.Scheme == "https" || base.Scheme == "http" && isThisMachine(base.Hostname())
	if !isSafe {
		return nil, errors.New("the base URL is neither HTTPS nor on this machine, " +
			"so that others could read the token; write https://…")
	}
	return base, nil
}

// hasHostAndPathAlone reports whether a URL has a host, and neither a user, a query nor a fragment.
func hasHostAndPathAlone(base *url.URL) bool {
	hasMore := base.User != nil || base.RawQuery != "" || base.Fragment != ""
	return base.Hostname() != "" && !hasMore
}

// isThisMachine reports whether a host is certainly this machine. A name such as app.localhost is
// not certain: the DNS may resolve it to another machine.
func isThisMachine(host string) bool {
	if host == "localhost" {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

// NewTransport returns a transport without a proxy. It sends each request once, on a connection of
// its own: net/http would silently repeat a GET on a connection that was used before.
func NewTransport() http.RoundTripper {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	return &http.Transport{DisableKeepAlives: true, Protocols: protocols}
}

// An Answer is what a service has sent in answer to a request.
type Answer struct {
	Status  int
	Header  http.Header
	Body    []byte
	Missing string // why there is no usable answer, as a phrase after "the service"; else ""
}

// Send sends one request, and reads the answer to its end. It follows no redirect.
func (e Endpoint) Send(ctx context.Context, request *http.Request) Answer {
	ctx, cancel := context.WithTimeout(ctx, answerTimeout)
	defer cancel()
	response, err := e.Transport.RoundTrip(request.WithContext(ctx))
	if err != nil {
		return Answer{Missing: words.Unanswered(e.BaseURL, err)}
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, MostBytes+1))
	a := Answer{Status: response.StatusCode, Header: response.Header, Body: body}
	switch {
	case a.Status == http.StatusTooManyRequests:
		a.Missing = "limits how often it is asked (429)"
	case a.Status >= http.StatusBadGateway && a.Status <= http.StatusGatewayTimeout:
		a.Missing = fmt.Sprintf("is not available (%d)", a.Status)
	case err != nil:
		a.Missing = words.Unanswered(e.BaseURL, err)
	case len(body) > MostBytes:
		a.Missing = fmt.Sprintf("sends more than %d MiB", MostBytes>>20)
	}
	return a
}

// CheckList returns an error if an answer cannot have the list of campaigns, because nothing was
// answered, or because the status is a refusal, a redirect or another error.
func (a Answer) CheckList() error {
	switch {
	case a.Missing != "":
		return errors.New("the service " + a.Missing)
	case a.Status == http.StatusUnauthorized || a.Status == http.StatusForbidden:
		return fmt.Errorf("the service refuses the token (%d); give one that it accepts", a.Status)
	case a.Status/100 == 3 && a.Status != http.StatusNotModified:
		return fmt.Errorf("the service redirects (%d), which would take the token along; "+
			"give the base URL to which it redirects", a.Status)
	case a.Status/100 != 2:
		return fmt.Errorf("the service answers %d to GET %s; is the base URL right? "+
			"It usually ends in /api", a.Status, protocol.CampaignsPath)
	}
	return nil
}
