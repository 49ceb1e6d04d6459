package report

import (
	"fmt"
	"io"
	"log/slog"
	"strings"

	"example.com/campaignfake/fake/journal"
)

func newLog(t *Test) *slog.Logger {
	options := &slog.HandlerOptions{ReplaceAttr: withoutTime}
	return slog.New(slog.NewTextHandler(t, options))
}

// withoutTime removes two things from the log of a test: the time, and the message in the lines
// about requests, because this message is always the same.
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

// writeLine writes a line to the output of a test, or by Logf if the output is nil. Logf is second
// best: it puts a file name and a line number of our own code before the line.
func writeLine(tb TB, output io.Writer, line string) {
	if output == nil {
		tb.Logf("%s", line)
		return
	}
	fmt.Fprintln(output, line)
}

// outputOf returns the output of a test, and nil if the test has no output. The tests of package
// testing have an output since Go 1.25.
func outputOf(tb TB) (output io.Writer) {
	defer ignorePanic()
	withOutput, hasOutput := tb.(interface{ Output() io.Writer })
	if !hasOutput {
		return nil
	}
	return withOutput.Output()
}

// ignorePanic is deferred before a call of Output. A user's own TB may embed a nil testing.TB,
// whose Output panics.
func ignorePanic() {
	recover()
}
