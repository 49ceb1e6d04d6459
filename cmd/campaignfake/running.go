package main

import (
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
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/alecthomas/kong"

	"example.com/campaignfake/fake"
)

// running has the flags that name a running server. The first one that is given applies.
type running struct {
	URL       string `name:"url" type:"url" placeholder:"URL" help:"The server's URL, as http://127.0.0.1:8642, or any other URL of it."`
	ReadyFile string `type:"file" placeholder:"FILE" help:"The server's --ready-file, if no URL is given."`
	where
	tlsFlags
}

// where has the flags that say where a server listens.
type where struct {
	Listen string `type:"address" default:"${listen}" placeholder:"HOST:PORT" help:"Where the server listens; port 0 takes any free port (default ${default})."`
	Port   string `type:"port" env:"-" placeholder:"N" help:"The port that it listens on, 0 for any free one; the host stays that of --listen."`
}

// address returns the address that the flags name.
func (w *where) address(call *call) (address, error) {
	on := address(w.Listen).withPort(w.Port)
	if call.places["port"] != "" && call.places["listen"] == "--listen" {
		return on, usageError{fmt.Errorf("--listen and --port both name a port; write the port into --listen alone, as --listen %s", on)}
	}
	return on, nil
}

// root returns the URL of the server, without a path, and whether the flags alone say that
// it is on this machine.
func (r *running) root(call *call) (string, error) {
	on, err := r.address(call)
	switch _, port, _ := net.SplitHostPort(string(on)); {
	case err != nil:
		return "", err
	case r.URL != "":
		return rootOf(r.URL)
	case r.ReadyFile != "":
		content, err := readReady(r.ReadyFile)
		if err != nil {
			return "", err
		}
		return rootOf(content.URL)
	case strings.Trim(port, "0") == "":
		return "", usageError{fmt.Errorf("the port of a server that listens on %s is not known; give its URL", on)}
	}
	return on.url(r.scheme()), nil
}

// client is for requests to a server that runs. It ignores the variables for proxies: a
// proxy would not reach a server on this machine. It trusts every certificate, since it
// sends no secrets, and reads only what a fake has received.
var client = &http.Client{Transport: &http.Transport{DisableKeepAlives: true, TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}

type requestsCommand struct {
	Token     string `type:"token" env:"-" placeholder:"TOKEN" help:"Only requests that carry this bearer token."`
	Unmatched bool   `type:"switch" env:"-" help:"Only requests with a path or a method that the service does not have."`
	JSON      bool   `type:"switch" name:"json" env:"-" help:"Print each request as JSON on a line, with its headers and its answer."`
	running   `group:"The server:"`
}

func (c *requestsCommand) Run(call *call) error {
	root, err := c.root(call)
	if err != nil {
		return err
	}
	control, err := fake.Open(root, fake.WithHTTPClient(client))
	if err != nil && !errors.As(err, new(*fake.RefusedError)) {
		return fmt.Errorf("%w; start one with campaignfake, or name another with --url", err)
	}
	var requests []fake.Request
	if err == nil {
		requests, err = control.Requests(slices.DeleteFunc([]string{c.Token}, func(token string) bool { return token == "" })...)
	}
	if err != nil {
		return fmt.Errorf("%s refuses this: %w", root, err)
	}
	out := &rows{coloured: call.mayColour(call.stdout)}
	for _, request := range requests {
		switch {
		case c.Unmatched && !request.Unmatched:
		case c.JSON:
			if err := writeJSON(out, request); err != nil {
				return err
			}
		default:
			out.request(request)
		}
	}
	_, err = out.WriteTo(call.stdout)
	return err
}

// writeJSON writes a value on a line. It escapes characters that could change the
// terminal, or turn the text around.
func writeJSON(out io.Writer, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	var safe []byte
	for _, r := range string(text) {
		if strconv.IsPrint(r) {
			safe = utf8.AppendRune(safe, r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			safe = fmt.Appendf(safe, `\u%04x`, unit)
		}
	}
	_, err = out.Write(append(safe, '\n'))
	return err
}

type healthCommand struct {
	Server  string `arg:"" optional:"" type:"url" help:"The server's URL, as --url has it. By default it is the server that the variables describe, or the one in the same container."`
	running `group:"The server:"`
}

// healthTimeout is how long an answer may take.
const healthTimeout = 5 * time.Second

// Run asks the server at its address, since its health is there even if its control plane
// is off.
func (c *healthCommand) Run(call *call) error {
	c.URL = cmp.Or(c.Server, c.URL)
	root, err := c.root(call)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(call, healthTimeout)
	defer cancel()
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
	if response.StatusCode != http.StatusOK || !strings.Contains(string(body), `"ready":true`) {
		return fmt.Errorf("%s is not a ready campaignfake: it answers %s: %s", root, response.Status, plain(string(body), reasonWidth))
	}
	return nil
}

// neighbour returns the command line of the server in the same container, if the engine
// runs this command beside it, as a health check: it has no parent process there. It
// returns none outside of containers, where a client could find the wrong server.
func neighbour() []string {
	if os.Getpid() == 1 || os.Getppid() != 0 {
		return nil
	}
	files, _ := filepath.Glob("/proc/[1-9]*/cmdline") // is sorted
	for _, file := range files {
		text, _ := os.ReadFile(file)
		words := strings.Split(strings.TrimSuffix(string(text), "\x00"), "\x00")
		isOwn := filepath.Dir(file) == "/proc/"+strconv.Itoa(os.Getpid())
		if !isOwn && filepath.Base(words[0]) == filepath.Base(os.Args[0]) {
			return words[1:]
		}
	}
	return nil
}

// adopted returns the flags of the server in the same container that mean the same to a
// command. They come before its own ones, which override them. A port does not replace
// that of an own --listen.
func (c *call) adopted(command *kong.Node) (flags []string) {
	serve := c.parser.Model.Children[0]
	words := c.neighbour
	if len(words) > 0 && words[0] == serve.Name {
		words = words[1:]
	}
	flags, _, _ = sorted(serve, words)
	return slices.DeleteFunc(flags, func(flag string) bool {
		name, _, _ := strings.Cut(flag, "=")
		isShared := slices.ContainsFunc(command.Flags, func(f *kong.Flag) bool { return "--"+f.Name == name })
		return command == serve || !isShared || name == "--port" && c.places["listen"] != ""
	})
}
