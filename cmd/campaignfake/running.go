package main

import (
	"cmp"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"example.com/campaignfake/fake"
)

// running has the flags that name a running server. The first one that is given applies.
type running struct {
	URL       serverURL `flag:"url" placeholder:"URL" help:"The server's URL, as http://127.0.0.1:8642, or any other URL of it."`
	ReadyFile readyFile `flag:"ready-file" placeholder:"FILE" help:"The server's --ready-file, if no URL is given."`
	Listen    address   `flag:"listen" default:"${listen}" placeholder:"HOST:PORT" help:"The server's --listen, if neither is given (default ${default})."`
	Port      port      `flag:"port" env:"off" placeholder:"N" help:"The server's --port, which goes before the one in --listen."`
	Control   control   `flag:"control" default:"on" placeholder:"HOST:PORT" help:"The server's --control, if it is an address of its own."`
	tlsFlags
}

// root returns the URL of the control plane, without a path.
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
	on := cmp.Or(r.Control.own(), r.Listen.withPort(r.Port))
	if _, port, _ := net.SplitHostPort(string(on)); strings.Trim(port, "0") == "" {
		return "", usageError{fmt.Errorf("the port of a server that listens on %s is not known; give its URL", on)}
	}
	return on.url(r.scheme()), nil
}

// control calls a function with a client of the server. Its error names the server and
// what to do.
func (r *running) control(do func(*fake.Client) error) error {
	root, err := r.root()
	if err != nil {
		return err
	}
	trust, err := r.trust(r.URL == "" && r.ReadyFile == "")
	if err != nil {
		return err
	}
	client, err := fake.Open(root, fake.WithHTTPClient(newClient(trust)))
	var untrusted *tls.CertificateVerificationError
	switch {
	case err == nil:
		return refusedBy(root, do(client))
	case errors.As(err, new(*fake.RefusedError)):
		return refusedBy(root, err)
	case errors.As(err, &untrusted): // err itself advises programs in Go
		return fmt.Errorf("the certificate of %s cannot be trusted (%w); name it with --tls-cert", root, untrusted)
	}
	return fmt.Errorf("%w; start one with campaignfake, or name another with --url", err)
}

// refusedBy adds the server's URL to an error if the server has refused a request.
func refusedBy(root string, err error) error {
	var refused *fake.RefusedError
	if !errors.As(err, &refused) {
		return err
	}
	if refused.Mistakes != nil {
		return fmt.Errorf("%s refuses this:\n%w", root, replyMistakes(refused.Mistakes.List))
	}
	return fmt.Errorf("%s refuses this: %w", root, err)
}

// newClient returns a client that ignores the variables for proxies: a proxy would not
// reach a server on this machine.
func newClient(trust *tls.Config) *http.Client {
	return &http.Client{Transport: &http.Transport{DisableKeepAlives: true, TLSClientConfig: trust}}
}

// serverURL is the URL of a server, without a path.
type serverURL string

func (u *serverURL) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		return emptyValue()
	}
	root, err := rootOf(string(text))
	*u = serverURL(root)
	return err
}

// rootOf returns a URL without its path.
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
