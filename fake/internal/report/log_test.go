package report_test

import (
	"io"
	"strings"
	"testing"

	"example.com/campaignfake/fake/internal/report"
)

// A writing is a test that has an output, as the tests of package testing have.
type writing struct {
	recorder
	output strings.Builder
}

func (w *writing) Output() io.Writer { return &w.output }

// An embedding is a user's own TB that embeds a nil testing.TB.
type embedding struct{ *recorder }

func (embedding) Output() io.Writer { panic("no test is behind it") }

// The log of the server goes to the Output of a test, so that no line of our code stands before it.
// A test without Output gets it by Logf.
func TestLog(t *testing.T) {
	t.Parallel()
	const line = "campaignfake: level=INFO method=GET status=200"
	log := func(tb report.TB) {
		test := report.New(tb)
		test.Log.Info("request", "method", "GET", "status", 200)
		test.End()
		test.Log.Info("request", "method", "late", "status", 200)
	}
	with := new(writing)
	log(with)
	if got := with.output.String(); got != line+"\n" {
		t.Errorf("the output of the test is %q, want %q", got, line+"\n")
	}
	expectTold(t, "lines of a test with an output", with.logged)

	without := new(recorder)
	log(without)
	expectTold(t, "lines of a test without one", without.logged, line)

	embedded := new(recorder)
	log(embedding{embedded})
	expectTold(t, "lines of a test without one behind it", embedded.logged, line)
}

// The message is left out of the lines for requests. An attribute with the same key inside of a
// group stays.
func TestLogMessage(t *testing.T) {
	t.Parallel()
	tb := new(recorder)
	test := report.New(tb)
	test.Log.Warn("the fixtures are wrong", "msg", "request", "status", 200)
	test.Log.WithGroup("more").Warn("request", "msg", "request", "time", 1)
	expectTold(t, "lines", tb.logged,
		`campaignfake: level=WARN msg="the fixtures are wrong" status=200`,
		"campaignfake: level=WARN more.msg=request more.time=1")
}
