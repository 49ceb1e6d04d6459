package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"example.com/campaignfake/fixtures"
)

// A running is where the server is that a command is for: the first of these
// that is given says it.
type running struct {
	URL       serverURL `placeholder:"URL" help:"Where the server is, as http://127.0.0.1:8642, or any URL of it."`
	ReadyFile readyFile `placeholder:"FILE" help:"The server's --ready-file, if no URL is given."`
	Listen    address   `default:"${listen}" placeholder:"HOST:PORT" help:"The server's --listen, if neither is given (default ${default})."`
	Control   control   `default:"on" placeholder:"HOST:PORT" help:"The server's --control, if it is an address of its own."`
	tlsFlags  `embed:""`
}

// root returns the URL of what has the control plane, without a path.
func (r *running) root() (string, error) {
	switch {
	case r.URL != "":
		return string(r.URL), nil
	case r.ReadyFile != "":
		content, err := r.ReadyFile.read()
		if err != nil {
			return "", err
		}
		return rootOf(content.ControlURL)
	}
	root, err := cmp.Or(r.Control.own(), r.Listen).root(r.scheme())
	if err != nil {
		return "", usageError{err}
	}
	return root, nil
}

// controlPlane returns the control plane of the server, which answers.
func (r *running) controlPlane(ctx context.Context) (*controlPlane, error) {
	root, err := r.root()
	if err != nil {
		return nil, err
	}
	trust, err := r.trust(r.URL == "" && r.ReadyFile == "")
	if err != nil {
		return nil, err
	}
	client := newClient(trust)
	// A redirection would make a GET of everything else.
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	p := &controlPlane{root, client}
	var health struct {
		Ready    bool
		Fixtures *struct{} // which is left out where the control plane is
	}
	switch err := p.call(ctx, "GET", "health", nil, nil, &health); {
	case err != nil:
		return nil, err
	case !health.Ready:
		return nil, p.strange("says that it is not ready")
	case health.Fixtures == nil:
		return nil, fmt.Errorf("the control plane is off at %s; start the server with --control on, or, if it is at an address of its own, name that with --url", root)
	}
	return p, nil
}

// A controlPlane is that of a server that runs.
type controlPlane struct {
	root   string
	client *http.Client
}

// callTimeout is how long an answer may take.
const callTimeout = 10 * time.Second

// call sends a request, and reads the answer into result unless that is nil.
func (p *controlPlane) call(ctx context.Context, method, path string, query url.Values, body []byte, result any) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	response, err := p.open(ctx, method, path, query, body)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		return fmt.Errorf("the answer of %s breaks off: %w", p.root, err)
	}
	if result != nil && json.Unmarshal(answer, result) != nil {
		return p.strange("answers something else")
	}
	return nil
}

// open sends a request, and returns the answer if it is one of success.
func (p *controlPlane) open(ctx context.Context, method, path string, query url.Values, body []byte) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, method, p.root+"/_fake/"+path+"?"+query.Encode(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	response, err := p.client.Do(request)
	if errors.As(err, new(*tls.CertificateVerificationError)) {
		return nil, fmt.Errorf("the server at %s cannot be trusted (%w); name its certificate with --tls-cert", p.root, reason(err))
	}
	if err != nil {
		return nil, fmt.Errorf("no server answers at %s (%w); start one with campaignfake, or name another with --url", p.root, reason(err))
	}
	if response.StatusCode >= 300 {
		defer response.Body.Close()
		return nil, p.refusal(response)
	}
	return response, nil
}

// refusal says why the server refuses what it was sent.
func (p *controlPlane) refusal(response *http.Response) error {
	const longest = 1 << 20
	var document struct {
		Detail   string
		Mistakes []fixtures.Mistake
	}
	answer, _ := io.ReadAll(io.LimitReader(response.Body, longest))
	if json.Unmarshal(answer, &document) != nil || document.Detail == "" {
		return p.strange("answers " + plain(response.Status, textWidth))
	}
	if len(document.Mistakes) > 0 {
		return fmt.Errorf("%s refuses this:\n%w", p.root, replyMistakes(document.Mistakes))
	}
	return fmt.Errorf("%s refuses this: %s", p.root, strings.TrimSuffix(plain(document.Detail, longest), "."))
}

// strange says that this is not the server that was meant.
func (p *controlPlane) strange(does string) error {
	return fmt.Errorf("%s is no campaignfake that can be steered: it %s; name another server with --url", p.root, does)
}

// newClient returns a client for a server that runs. Variables for proxies are
// meant for the way out, not for this machine.
func newClient(trust *tls.Config) *http.Client {
	return &http.Client{Transport: &http.Transport{DisableKeepAlives: true, TLSClientConfig: trust}}
}

// reason takes the URL out of an error of a client's, since it is said anyway.
func reason(err error) error {
	if inner := (*url.Error)(nil); errors.As(err, &inner) {
		return inner.Err
	}
	return err
}

// serverURL is where a server is, without a path.
type serverURL string

func (u *serverURL) UnmarshalText(text []byte) error {
	root, err := rootOf(string(text))
	*u = serverURL(root)
	return cmp.Or(notEmpty(text), err)
}

// rootOf returns the URL of a server of which any URL is given, without a path.
func rootOf(text string) (string, error) {
	u, err := url.Parse(text)
	if err == nil && u.Port() != "" {
		_, err = strconv.ParseUint(u.Port(), 10, 16)
	}
	if err != nil || u.Hostname() == "" || u.Scheme != "http" && u.Scheme != "https" {
		return "", fmt.Errorf("%q is not a URL; write one as http://127.0.0.1:8642", text)
	}
	return (&url.URL{Scheme: u.Scheme, Host: u.Host}).String(), nil
}

// root returns the URL of a server that listens on a, without a path.
func (a address) root(scheme string) (string, error) {
	if _, port, _ := net.SplitHostPort(string(a)); strings.Trim(port, "0") == "" {
		return "", fmt.Errorf("a server that listens on %s has a port of its own choice; give its URL", a)
	}
	return a.url(scheme), nil
}
