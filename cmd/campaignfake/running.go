package main

import (
	"cmp"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fake/journal"
)

// where has the flags that say where a server is. Clients have the same ones, so that they
// find it with the same variables.
type where struct {
	Listen   string  `type:"address" default:"${listen}" placeholder:"HOST:PORT" help:"Where the server listens (default ${default})."`
	Port     *uint64 `type:"port" env:"-" placeholder:"N" help:"Its port, 0 for any free one; the host is that of --listen."`
	tlsFlags `group:"HTTPS:"`
}

// address returns the host and the port that the flags name.
func (w *where) address() string {
	if w.Port == nil {
		return w.Listen
	}
	host, _, _ := net.SplitHostPort(w.Listen)
	return net.JoinHostPort(host, strconv.FormatUint(*w.Port, 10))
}

// url returns the URL by which a client on this machine reaches a server that listens on
// an address.
func (w *where) url(address string) string {
	host, port, _ := net.SplitHostPort(address)
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	// url.URL knows how to write the zone of an IPv6 address.
	return (&url.URL{Scheme: w.scheme(), Host: net.JoinHostPort(host, port)}).String()
}

// running has the flags that name a running server. The first one that is given applies.
type running struct {
	URL string `name:"url" type:"url" placeholder:"URL" help:"The server's URL, as http://127.0.0.1:8642. Any certificate is trusted."`
	where
}

// root returns the URL of the server, without a path.
func (r *running) root() string { return cmp.Or(r.URL, r.url(r.address())) }

// client is for requests to a server that runs. It ignores the variables for proxies: a
// proxy would not reach a server on this machine. It trusts every certificate, since it
// sends no secrets, and reads only what a fake has received.
var client = &http.Client{
	Timeout:   5 * time.Second,
	Transport: &http.Transport{DisableKeepAlives: true, TLSClientConfig: &tls.Config{InsecureSkipVerify: true}},
}

// requestsCommand prints what a server has received. Its flags leave some of it out.
type requestsCommand struct {
	Token     string `type:"token" placeholder:"TOKEN" help:"Only requests that carry this bearer token."`
	Unmatched bool   `type:"switch" env:"-" help:"Only requests with a path or a method that the service does not have."`
	running   `group:"The server:"`
}

// Run prints the requests that the journal of the server still has, as rows of its log.
func (c *requestsCommand) Run(call *call) error {
	var requests []journal.Request
	control, err := fake.Open(c.root(), fake.WithHTTPClient(client))
	if err == nil {
		requests, err = control.Requests()
	}
	if err != nil {
		return fmt.Errorf("%w; start one with campaignfake, or name another with --url", err)
	}

	var rows []byte
	for _, request := range requests {
		if (request.Unmatched || !c.Unmatched) && (c.Token == "" || c.Token == request.Token) {
			rows = appendRow(rows, request)
		}
	}
	_, err = call.stdout.Write(rows)
	return err
}

// healthCommand is the health check of the image.
type healthCommand struct {
	running `group:"The server:"`
}

// Run asks the server at its address, since its health is there even if its control plane
// is off.
func (c *healthCommand) Run(*call) error {
	root := c.root()
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
