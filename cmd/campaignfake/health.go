package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

type healthCommand struct {
	Place  serverURL `arg:"server" help:"The server's URL, as --url has it. By default it is the server that the variables describe, or the one in the same container."`
	Strict bool      `flag:"strict" env:"off" help:"Fail also if the server is in a container, and can be reached only from inside it."`
	running
}

// healthTimeout is how long an answer may take.
const healthTimeout = 5 * time.Second

func (c *healthCommand) run(call *call) error {
	c.URL = cmp.Or(c.Place, c.URL)
	if strings.HasSuffix(string(c.Control), ":0") {
		c.Control = "on" // health is also at the address of the API, whose port is known
	}
	root, err := c.root()
	if err != nil {
		return err
	}
	trust, err := c.trust(c.URL == "" || isHere(root))
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(call, healthTimeout)
	defer cancel()
	if err := askHealth(ctx, newClient(trust), root); err != nil {
		return err
	}
	if c.URL != "" || c.ReadyFile != "" || !call.inContainer || !isHere("http://"+string(c.Listen)) {
		return nil
	}
	on := c.Listen.withPort(c.Port)
	err = fmt.Errorf("the server listens on %s alone, and cannot be reached from outside of this container; start it without --listen, or with only the port, as --listen %s", on, on.onAllInterfaces())
	if c.Strict {
		return err
	}
	fmt.Fprintf(call.stderr, "campaignfake: warning: %v\n", err)
	return nil
}

// isHere reports whether a URL names this machine.
func isHere(root string) bool {
	u, err := url.Parse(root)
	return err == nil && (u.Hostname() == "localhost" || net.ParseIP(u.Hostname()).IsLoopback())
}

// askHealth returns an error unless the server at root is ready.
func askHealth(ctx context.Context, client *http.Client, root string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, root+"/_fake/health", nil)
	if err != nil {
		return err
	}
	response, err := client.Do(request)
	if inner := (*url.Error)(nil); errors.As(err, &inner) {
		err = inner.Err // without the URL, which the message has already
	}
	if err != nil {
		return fmt.Errorf("%s does not answer: %w", root, err)
	}
	defer response.Body.Close()
	body, _ := io.ReadAll(io.LimitReader(response.Body, 1<<10))
	if response.StatusCode == http.StatusBadRequest && strings.Contains(string(body), "HTTP request to an HTTPS server") {
		return fmt.Errorf("%s uses HTTPS; give a URL that begins with https://", root)
	}
	var refused struct{ Detail string }
	if response.StatusCode == http.StatusForbidden && json.Unmarshal(body, &refused) == nil && refused.Detail != "" {
		return fmt.Errorf("%s refuses this: %s", root, strings.TrimSuffix(refused.Detail, "."))
	}
	if response.StatusCode != http.StatusOK || !strings.Contains(string(body), `"ready":true`) {
		return fmt.Errorf("%s is not a ready campaignfake: it answers %s", root, response.Status)
	}
	return nil
}
