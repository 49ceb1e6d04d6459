package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
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
	root := c.Listen.url()
	if c.URL != "" {
		u, err := url.Parse(c.URL)
		if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			return usageError{fmt.Errorf("%q is not a URL; write one as http://127.0.0.1:8642", c.URL)}
		}
		root = u.Scheme + "://" + u.Host
	}
	ctx, cancel := context.WithTimeout(context.Background(), healthTimeout)
	defer cancel()
	return askHealth(ctx, root)
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
