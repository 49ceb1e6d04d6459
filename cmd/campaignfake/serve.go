package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

type serveCommand struct {
	Fixtures []string `arg:"" optional:"" help:"Files and folders of fixtures. Without any, the built-in gallery is served."`

	Listen        address       `default:"127.0.0.1:8642" placeholder:"HOST:PORT" help:"Where to listen: this machine alone unless another address is given, any free port with port 0 (default ${default})."`
	BasePath      basePath      `placeholder:"PATH" help:"What stands before /user/campaigns (default /api)."`
	Seed          seed          `placeholder:"N" help:"Seed of generated campaigns (default 0)."`
	CORS          origins       `name:"cors" placeholder:"WHO" help:"Whose pages may read answers: any, off, or origins with commas between them (default any)."`
	UnknownTokens unknownTokens `placeholder:"generate|reject" help:"What becomes of tokens that no user has (default generate)."`
	Gallery       bool          `help:"Serve the built-in users beside the fixtures; where both have a token, the fixtures hold."`
	Journal       number        `default:"1000" placeholder:"N" help:"How many requests to remember (default ${default})."`
	Quiet         bool          `help:"Do not log requests."`
	LogFormat     string        `default:"text" enum:"text,json" placeholder:"text|json" help:"How to log requests, on standard error (default ${default})."`
	ReadyFile     string        `placeholder:"FILE" help:"Write the server's address to a file, as JSON, once it answers; the file is removed when it stops."`
}

func (c *serveCommand) Run() error {
	set, err := c.load()
	if err != nil {
		return err
	}
	options := c.options(set)
	if !c.Quiet {
		lines := newLineWriter(os.Stderr)
		defer lines.Close()
		options = append(options, fake.WithLogger(c.logger(lines)))
	}
	server, err := fake.New(options...)
	if err != nil {
		return err
	}
	defer server.Close()

	// From here on a signal ends the server in order. A second one ends the
	// process at once.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	listener, err := net.Listen("tcp", string(c.Listen))
	if err != nil {
		return c.noListener(err)
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()

	root := address(listener.Addr().String()).url()
	service := server.Service()
	if c.ReadyFile != "" {
		remove, err := writeReadyFile(ctx, c.ReadyFile, root, service.BasePath)
		if err != nil {
			return err
		}
		defer remove()
	}
	b := banner{set: set, root: root, basePath: service.BasePath, unknown: service.UnknownTokens, source: c.source()}
	b.print(os.Stdout)
	select {
	case err = <-failed:
		return err
	case <-ctx.Done():
		stop()
		return nil
	}
}

// load reads the fixtures, and the gallery if it is wanted.
func (c *serveCommand) load() (*fixtures.Set, error) {
	set, err := loadFixtures(c.Fixtures)
	if err != nil || len(c.Fixtures) > 0 && !c.Gallery {
		return set, err
	}
	gallery, err := fixtures.LoadFS(fixtures.Gallery())
	if err != nil {
		return nil, err
	}
	if len(c.Fixtures) == 0 {
		return gallery, nil
	}
	return gallery.Overlay(set), nil
}

// loadFixtures loads what was named, and tells a misspelt command from a path.
func loadFixtures(paths []string) (*fixtures.Set, error) {
	for _, path := range paths {
		if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) || strings.ContainsAny(path, `/\.`) {
			continue
		}
		if near := nearestCommand(path); near != "" {
			return nil, usageError{fmt.Errorf("%q is neither a command nor a file or folder; did you mean %s?", path, near)}
		}
		return nil, usageError{fmt.Errorf("%q is neither a command nor a file or folder; the commands are serve, check, generate and health", path)}
	}
	set, err := fixtures.Load(paths...)
	if err != nil {
		return nil, fmt.Errorf("the fixtures cannot be used:\n%w", err)
	}
	return set, nil
}

// options puts flags before fixtures, and both before the defaults.
func (c *serveCommand) options(set *fixtures.Set) []fake.Option {
	options := []fake.Option{
		fake.WithService(fake.Service{UnknownTokens: "generate"}),
		fake.WithService(set.Service),
		fake.WithService(fake.Service{BasePath: string(c.BasePath), CORS: c.CORS, UnknownTokens: string(c.UnknownTokens)}),
		fake.WithJournal(int(c.Journal)),
	}
	if c.Seed.given {
		options = append(options, fake.WithSeed(c.Seed.value))
	}
	for token, user := range set.Users {
		options = append(options, fake.WithUser(token, user))
	}
	return options
}

func (c *serveCommand) logger(w io.Writer) *slog.Logger {
	if c.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(w, nil))
	}
	return slog.New(slog.NewTextHandler(w, nil))
}

func (c *serveCommand) source() string {
	switch {
	case len(c.Fixtures) == 0:
		return "the built-in gallery"
	case c.Gallery:
		return strings.Join(c.Fixtures, ", ") + " beside the built-in gallery"
	}
	return strings.Join(c.Fixtures, ", ")
}

// noListener explains why there is no listening on the address.
func (c *serveCommand) noListener(err error) error {
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return fmt.Errorf("%s is in use by another program; choose another port with --listen, or 127.0.0.1:0 for any free one", c.Listen)
	case errors.Is(err, syscall.EACCES):
		return fmt.Errorf("this user may not listen on %s; choose a port from 1024 on with --listen", c.Listen)
	}
	return fmt.Errorf("there is no listening on %s (%v); choose another address with --listen", c.Listen, errors.Unwrap(err))
}

// writeReadyFile writes the file in one piece once the server answers, and
// returns what removes it.
func writeReadyFile(ctx context.Context, name, root, basePath string) (remove func(), err error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	if err := askHealth(ctx, root); err != nil {
		return nil, fmt.Errorf("the server does not answer itself: %w", err)
	}
	content, err := json.Marshal(struct {
		URL        string `json:"url"`
		BaseURL    string `json:"base_url"`
		ControlURL string `json:"control_url"`
		PID        int    `json:"pid"`
	}{root, root + basePath, root + "/_fake", os.Getpid()})
	if err != nil {
		return nil, err
	}
	fail := func(err error) (func(), error) {
		var pathError *fs.PathError
		if errors.As(err, &pathError) {
			err = pathError.Err
		}
		return nil, fmt.Errorf("the ready-file %s cannot be written: %w; name a file in a folder that exists and may be written to", name, err)
	}
	// A rename within the folder is what makes the file appear whole.
	file, err := os.CreateTemp(filepath.Dir(name), ".campaignfake-ready-*")
	if err != nil {
		return fail(err)
	}
	_, err = file.Write(append(content, '\n'))
	err = errors.Join(err, file.Chmod(0o644), file.Close())
	if err == nil {
		err = os.Rename(file.Name(), name)
	}
	if err != nil {
		os.Remove(file.Name())
		return fail(err)
	}
	return func() { os.Remove(name) }, nil
}
