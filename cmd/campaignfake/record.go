package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

type recordCommand struct {
	From string `arg:"" optional:"" placeholder:"URL|FILE|-" help:"The base URL of the service, as https://example.com/api, or a file with an answer that was saved, or - for standard input: curl … | campaignfake record -"`

	Service serviceToken `embed:""`
	Token   string       `type:"token" env:"-" default:"recorded" placeholder:"NAME" help:"The token of the user in the fixture, not that of the service (default ${default})."`
}

// Run prints the campaigns of an answer as a file of fixtures, and notes to standard error.
func (c *recordCommand) Run(call *call) error {
	if c.From == "" {
		return usageError{errors.New("there is nothing to record; write the base URL of the " +
			"service, a file with its answer, or - for standard input")}
	}
	recording, err := c.record(call)
	if errors.As(err, new(usageError)) {
		return err
	}
	if err != nil {
		// The error is not wrapped, because mistakes in it are none of fixtures that were given.
		return fmt.Errorf("nothing was recorded: %v", err)
	}
	for _, note := range recording.Notes {
		fmt.Fprintf(call.process.stderr, "campaignfake: %s\n", printable(note))
	}
	set := fixtures.Set{Users: map[string]fixtures.User{c.Token: recording.User}}
	return set.WriteYAML(call.process.stdout)
}

// record returns the recording of the service, of a file, or of standard input.
func (c *recordCommand) record(call *call) (*fake.Recording, error) {
	isSaved := !strings.Contains(c.From, "://")
	isWithoutToken := c.Service == serviceToken{}
	token := ""
	if !isSaved || !isWithoutToken {
		var err error
		token, err = c.readToken(call)
		if err != nil {
			return nil, usageError{err}
		}
	}
	if isSaved {
		body, err := c.readAnswer(call)
		if err != nil {
			return nil, err
		}
		return fake.RecordAnswer(body, token)
	}
	target := fake.Target{BaseURL: c.From, Token: token}
	err := target.Check()
	if err != nil {
		return nil, usageError{err}
	}
	return fake.Record(call.ctx, target)
}

// readToken reads the token of the service, which may not be that of the fixture.
func (c *recordCommand) readToken(call *call) (string, error) {
	token, err := c.Service.read(call)
	if err != nil {
		return "", err
	}
	if token == c.Token {
		return "", errors.New("--token is that of the service, " +
			"which is never printed; name another one for the fixture, or none")
	}
	return token, nil
}

// readAnswer reads a file that has an answer, or standard input.
func (c *recordCommand) readAnswer(call *call) ([]byte, error) {
	if c.From == "-" {
		return readEnough(call.process.stdin)
	}
	file, err := os.Open(c.From)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("%w; a URL begins with https://", err)
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return readEnough(file)
}

// readEnough reads an answer, or as much of it as shows that it has too much.
func readEnough(from io.Reader) ([]byte, error) {
	const enough = 16 << 20
	return io.ReadAll(io.LimitReader(from, enough))
}
