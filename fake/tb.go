package fake

// TB is the part of testing.TB that a test server needs. *testing.T and *testing.B
// implement it. Until the cleanup has run, Errorf and Logf are also called from the
// goroutines of requests, several at once.
type TB interface {
	Helper()
	Cleanup(func())
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
	Failed() bool
	Logf(format string, args ...any)
}
