package main

import (
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"example.com/campaignfake/fixtures"
)

// A usageError is a mistake in the command line or in an environment variable. It makes the exit
// status 2. It has no method Unwrap: with Unwrap, printError would find the fixtures.Mistakes
// inside, and blame the fixtures.
type usageError struct{ error }

// printError prints the error that ends a command: as text, or as JSON if the log is JSON.
func (c *call) printError(err error) {
	if c.logsJSON() {
		c.logError(err)
		return
	}
	message := printable(err.Error())
	if errors.As(err, new(*fixtures.Mistakes)) {
		message = "the fixtures cannot be used:\n" + message
	}
	fmt.Fprintf(c.process.stderr, "campaignfake: %s\n", message)
	if errors.As(err, new(usageError)) {
		fmt.Fprintf(c.process.stderr, "%s shows what can be written.\n", c.help())
	}
}

// logError writes an error as lines of JSON, one for each mistake in fixtures.
func (c *call) logError(err error) {
	logger := slog.New(slog.NewJSONHandler(c.process.stderr, nil))
	var mistakes *fixtures.Mistakes
	if !errors.As(err, &mistakes) {
		logger.Error(err.Error())
		return
	}
	const message = "the fixtures cannot be used"
	for _, mistake := range mistakes.List {
		logger.Error(message, slog.String("error", mistake.String()))
	}
	if mistakes.More > 0 {
		logger.Error(message, slog.Int("further_mistakes", mistakes.More))
	}
}

// help returns the command line that prints the help for the command of this call, for example
// "campaignfake serve --help".
func (c *call) help() string {
	return strings.TrimSpace("campaignfake "+c.command) + " --help"
}

// logsJSON reports whether the command is serve with --log-format json. It looks for this flag
// itself: the parser stops at the first wrong flag, perhaps before --log-format.
func (c *call) logsJSON() bool {
	const flag = "--log-format"
	format := strings.TrimSpace(c.process.environ[variableOf("log-format")])
	words := c.process.args
	for i, word := range words {
		value, isJoined := strings.CutPrefix(word, flag+"=")
		switch {
		case isJoined:
			format = value
		case i > 0 && words[i-1] == flag:
			format = word
		}
	}
	return c.command == "serve" && format == formatJSON
}
