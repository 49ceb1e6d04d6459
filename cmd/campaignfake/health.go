package main

import (
	"crypto/tls"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

const (
	healthTimeout = 5 * time.Second
	healthBytes   = 1 << 10 // Run reads at most 1 KiB of an answer; a fake answers with less

	// askedWithoutTLS is a part of the answer that an HTTPS server of net/http gives to a request
	// over plain HTTP.
	askedWithoutTLS = "sent an HTTP request to an HTTPS server"
)

// healthCommand has the flags of health. The container image runs health as its health check.
type healthCommand struct {
	URL          string `name:"url" type:"url" placeholder:"URL" help:"The server's URL, as http://127.0.0.1:8642. Any certificate is trusted."`
	addressFlags `group:"The server:"`
}

// Run fails unless the server answers GET /_fake/health that it is ready. The server has this path
// even with --control off.
func (c *healthCommand) Run(*call) error {
	root := c.URL
	if root == "" {
		root = c.url(c.address())
	}

	client := newHealthClient()
	response, err := client.Get(root + "/_fake/health")
	if err != nil {
		return fmt.Errorf("%s does not answer: %w; start the server, or name its URL with --url; "+
			"in a container, set its address and TLS by variables, "+
			"since health sees no flags there", root, err)
	}
	defer response.Body.Close()

	// An error of ReadAll is ignored: the message below shows the part of the body that was read.
	body, _ := io.ReadAll(io.LimitReader(response.Body, healthBytes))
	isReady := strings.Contains(string(body), `"ready":true`)
	if response.StatusCode != http.StatusOK || !isReady {
		shown := strings.TrimSuffix(plain(string(body), reasonWidth), ".")
		if strings.Contains(shown, askedWithoutTLS) {
			shown += "; write https:// in --url, or the --tls-cert and --tls-key of the server"
		}
		return fmt.Errorf("%s is not a ready campaignfake: it answers %s: %s",
			root, response.Status, shown)
	}
	return nil
}

// newHealthClient returns the client of the health check. The client ignores HTTP_PROXY and similar
// environment variables: a proxy would not reach a server on this machine. It trusts every
// certificate, since it sends no secrets.
func newHealthClient() *http.Client {
	return &http.Client{
		Timeout: healthTimeout,
		Transport: &http.Transport{
			DisableKeepAlives: true,
			TLSClientConfig:   &tls.Config{InsecureSkipVerify: true},
		},
	}
}
