package wire_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"syscall"
	"testing"

	"example.com/campaignfake/fake/internal/wire"
)

// resetAll resets the connection of each request.
var resetAll = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { wire.Reset(w) })

// The client sees that the connection was reset, and not that it has ended, with TLS, too.
func TestReset(t *testing.T) {
	t.Parallel()
	for name, start := range map[string]func(http.Handler) *httptest.Server{
		"TCP": httptest.NewServer,
		"TLS": httptest.NewTLSServer,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := start(resetAll)
			defer server.Close()
			_, err := server.Client().Get(server.URL)
			if !errors.Is(err, syscall.ECONNRESET) {
				t.Errorf("the client gets %v, want that the connection was reset", err)
			}
		})
	}
}
