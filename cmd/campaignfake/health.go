package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

type healthCommand struct {
	URL    string  `arg:"" optional:"" help:"Where the server is, as http://127.0.0.1:8642. Without it, the server is asked that the variables describe."`
	Listen address `default:"127.0.0.1:8642" placeholder:"HOST:PORT" help:"The server's --listen, if no URL is given (default ${default})."`
}

// healthTimeout is how long an answer may take.
const healthTimeout = 5 * time.Second

func (c *healthCommand) Run() error {
	root, err := c.root()
	if err != nil {
		return usageError{err}
	}
	ctx, cancel := context.WithTimeout(context.Background(), healthTimeout)
	defer cancel()
	return askHealth(ctx, root)
}

// root returns the URL of the server to ask, without a path.
func (c *healthCommand) root() (string, error) {
	if c.URL == "" {
		if _, port, _ := net.SplitHostPort(string(c.Listen)); strings.Trim(port, "0") == "" {
			return "", fmt.Errorf("a server that listens on %s has a port of its own choice; give its URL", c.Listen)
		}
		return c.Listen.url(), nil
	}
	u, err := url.Parse(c.URL)
	if err == nil && u.Port() != "" {
		_, err = strconv.ParseUint(u.Port(), 10, 16)
	}
	if err != nil || u.Hostname() == "" || u.Scheme != "http" && u.Scheme != "https" {
		return "", fmt.Errorf("%q is not a URL; write one as http://127.0.0.1:8642", c.URL)
	}
	return (&url.URL{Scheme: u.Scheme, Host: u.Host}).String(), nil
}

// askHealth asks the server at root whether it is ready.
func askHealth(ctx context.Context, root string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, root+"/_fake/health", nil)
	if err != nil {
		return err
	}
	// Variables for proxies are meant for the way out, not for this machine.
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	response, err := client.Do(request)
	if err != nil {
		if inner := (*url.Error)(nil); errors.As(err, &inner) {
			err = inner.Err
		}
		return fmt.Errorf("%s does not answer: %w", root, err)
	}
	defer response.Body.Close()
	body, _ := io.ReadAll(io.LimitReader(response.Body, 1<<10))
	if response.StatusCode != http.StatusOK || !strings.Contains(string(body), `"ready":true`) {
		return fmt.Errorf("%s is not a ready campaignfake: it answers %s", root, response.Status)
	}
	return nil
}
