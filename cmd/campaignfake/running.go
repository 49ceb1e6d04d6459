package main

import (
	"bytes"
	"cmp"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"example.com/campaignfake/fake"
)

// where has the flags that say where a server is. Clients have the same ones, so that they
// find it with the same variables.
type where struct {
	Listen   string  `type:"address" default:"${listen}" placeholder:"HOST:PORT" help:"Where the server listens (default ${default})."`
	Port     *uint64 `type:"port" env:"-" placeholder:"N" help:"Its port, 0 for any free one; the host is that of --listen."`
	tlsFlags `group:"HTTPS:"`
}

// running has the flags that name a running server. The first one that is given applies.
type running struct {
	URL string `name:"url" type:"url" placeholder:"URL" help:"The server's URL, as http://127.0.0.1:8642. Any certificate is trusted."`
	where
}

// address returns the address that the flags name.
func (w *where) address() address {
	if w.Port == nil {
		return address(w.Listen)
	}
	host, _, _ := net.SplitHostPort(w.Listen)
	return address(net.JoinHostPort(host, strconv.FormatUint(*w.Port, 10)))
}

// root returns the URL of the server, without a path.
func (r *running) root() (string, error) {
	if r.URL != "" {
		u, _ := url.Parse(r.URL) // is checked
		return u.Scheme + "://" + u.Host, nil
	}
	on := r.address()
	if _, port, _ := net.SplitHostPort(string(on)); strings.Trim(port, "0") == "" {
		return "", usageError{fmt.Errorf("the port of a server that listens on %s is not known; give its URL", on)}
	}
	return on.url(r.scheme()), nil
}

// client is for requests to a server that runs. It ignores the variables for proxies: a
// proxy would not reach a server on this machine. It trusts every certificate, since it
// sends no secrets, and reads only what a fake has received.
var client = &http.Client{
	Timeout:   5 * time.Second,
	Transport: &http.Transport{DisableKeepAlives: true, TLSClientConfig: &tls.Config{InsecureSkipVerify: true}},
}

type requestsCommand struct {
	Token     string `type:"token" placeholder:"TOKEN" help:"Only requests that carry this bearer token."`
	Unmatched bool   `type:"switch" env:"-" help:"Only requests with a path or a method that the service does not have."`
	JSON      bool   `type:"switch" name:"json" env:"-" help:"Print each request as JSON on a line, with its headers and its answer."`
	running   `group:"The server:"`
}

func (c *requestsCommand) Run(call *call) error {
	root, err := c.root()
	if err != nil {
		return err
	}
	var requests []fake.Request
	var tokens []string
	if c.Token != "" {
		tokens = append(tokens, c.Token)
	}
	control, err := fake.Open(root, fake.WithHTTPClient(client))
	if err == nil {
		requests, err = control.Requests(tokens...)
	}
	switch {
	case errors.As(err, new(*fake.RefusedError)):
		return fmt.Errorf("%s refuses this: %w", root, err)
	case err != nil:
		return fmt.Errorf("%w; start one with campaignfake, or name another with --url", err)
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	for _, request := range requests {
		switch {
		case c.Unmatched && !request.Unmatched:
		case c.JSON:
			encoder.Encode(request) // has no error in memory
		default:
			writeRow(&out, request)
		}
	}
	_, err = out.WriteTo(call.stdout)
	return err
}

type healthCommand struct {
	Server  string `arg:"" optional:"" type:"url" help:"The server's URL, if it is not where the flags say."`
	running `group:"The server:"`
}

// Run asks the server at its address, since its health is there even if its control plane
// is off.
func (c *healthCommand) Run(call *call) error {
	c.URL = cmp.Or(c.Server, c.URL)
	root, err := c.root()
	if err != nil {
		return err
	}
	response, err := client.Get(root + "/_fake/health")
	if err != nil {
		return fmt.Errorf("%s does not answer: %w", root, err)
	}
	defer response.Body.Close()
	body, _ := io.ReadAll(io.LimitReader(response.Body, 1<<10))
	if response.StatusCode != http.StatusOK || !strings.Contains(string(body), `"ready":true`) {
		return fmt.Errorf("%s is not a ready campaignfake: it answers %s: %s", root, response.Status, plain(string(body), reasonWidth))
	}
	return nil
}

// neighbour returns the line of the server in the same container, if the engine runs this
// command beside it, as a health check: such a process has no parent there. It returns
// none elsewhere, where a client could find the wrong server.
func neighbour() []string {
	if os.Getpid() == 1 || os.Getppid() != 0 {
		return nil
	}
	text, _ := os.ReadFile("/proc/1/cmdline") // of the server, or of an init that starts it
	return strings.Split(string(text), "\x00")
}
