package fake_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"example.com/campaignfake/fake"
	"example.com/campaignfake/fixtures"
)

// Every fault of the format is served: the handler does not panic for want of it.
func TestEveryFaultIsServed(t *testing.T) {
	t.Parallel()
	for _, fault := range fixtures.Faults() {
		srv, err := fake.New(fake.WithUser("alice", fake.User{Replies: []fake.Reply{{Fault: fault}}}))
		if err != nil {
			t.Fatal(err)
		}
		defer srv.Close()
		ctx, cancel := context.WithCancel(t.Context())
		cancel() // so that no fault waits for the client to go away
		r := httptest.NewRequestWithContext(ctx, "GET", listPath, nil)
		r.Header = bearer("alice")
		func() {
			defer func() {
				if p := recover(); p != nil && p != http.ErrAbortHandler {
					t.Errorf("%s: the handler panics: %v", fault, p)
				}
			}()
			srv.ServeHTTP(httptest.NewRecorder(), r)
		}()
		if got := srv.Requests()[0]; !strings.Contains(got.Reason, string(fault)) || strings.Contains(got.Reason, "panicked") {
			t.Errorf("%s: the reason is %q", fault, got.Reason)
		}
	}
}
