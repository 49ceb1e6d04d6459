package fake

import "example.com/campaignfake/fake/internal/report"

// Main runs the tests of a package that share a server, and returns the exit status for
// os.Exit. A TestMain calls it with its *testing.M, and with a function that makes the
// server for a TB, whose test is all the tests together: what fails it makes the status 1,
// and is written to the standard error. Its log is not written. Each test calls For.
func Main(tests interface{ Run() int }, setUp func(TB)) (status int) {
	tb := new(report.Main)
	if tb.Complete(func() { setUp(tb) }) {
		status = tests.Run()
	}
	tb.End()
	if tb.Failed() && status == 0 {
		status = 1
	}
	return status
}
