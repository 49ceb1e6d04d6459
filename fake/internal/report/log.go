package report

import (
	"fmt"
	"io"
	"log/slog"
	"strings"

	"example.com/campaignfake/fake/journal"
)

// newLog returns a logger that writes to the log of a test.
func newLog(t *Test) *slog.Logger {
	options := &slog.HandlerOptions{ReplaceAttr: withoutTime}
	return slog.New(slog.NewTextHandler(t, options))
}

// withoutTime removes the time from the log of a test, and the message of the lines for requests,
// which is always the same.
func withoutTime(groups []string, a slog.Attr) slog.Attr {
	isTime := a.Key == slog.TimeKey
	isRequest := a.Key == slog.MessageKey && a.Value.String() == journal.LogMessage
	if len(groups) == 0 && (isTime || isRequest) {
		return slog.Attr{}
	}
	return a
}

// Write writes a line of the server's log to the log of the test, unless the test has ended.
func (t *Test) Write(line []byte) (int, error) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if !t.ended {
		text := "campaignfake: " + strings.TrimSuffix(string(line), "\n")
		writeLine(t.TB, t.output, text)
	}
	return len(line), nil
}

// writeLine writes a line to the log of a test: to its output, where it stands as it is, or if
// there is none by Logf, which puts a line of our own code before it.
func writeLine(tb TB, output io.Writer, line string) {
	if output == nil {
		tb.Logf("%s", line)
		return
	}
	fmt.Fprintln(output, line)
}

// outputOf returns the output of a test, as those of package testing have since Go 1.25, and nil if
// there is none.
func outputOf(tb TB) (output io.Writer) {
	defer func() { recover() }() // of a struct that embeds a testing.TB which is nil
	withOutput, has := tb.(interface{ Output() io.Writer })
	if !has {
		return nil
	}
	return withOutput.Output()
}
