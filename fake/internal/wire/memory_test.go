package wire_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"testing"
	"testing/synctest"

	"example.com/campaignfake/fake/internal/wire"
)

// A client that cannot be connected gets an error that says why.
func TestMemoryListenerRefuses(t *testing.T) {
	t.Parallel()
	open, closed := wire.NewMemoryListener(), wire.NewMemoryListener()
	t.Cleanup(func() { open.Close() })
	closed.Close()
	enough := errors.New("enough")
	canceled, cancel := context.WithCancelCause(t.Context())
	cancel(enough)
	dial := func(ctx context.Context, listener *wire.MemoryListener, host, want string) {
		t.Helper()
		_, err := listener.DialContext(ctx, "tcp", host+":80")
		if err == nil || err.Error() != want {
			t.Errorf("DialContext returns %v, want %s", err, want)
		}
	}
	dial(t.Context(), open, "elsewhere.test", "the client of an in-memory server reaches "+
		"campaignfake.test alone, not elsewhere.test:80; build the URL from the server's BaseURL")
	dial(canceled, open, wire.MemoryHost, "enough")
	dial(t.Context(), closed, wire.MemoryHost, "the server is closed: "+net.ErrClosed.Error())
	if _, err := closed.Accept(); err != http.ErrServerClosed {
		t.Errorf("after Close, Accept returns %v", err)
	}
	synctest.Test(t, func(t *testing.T) {
		dial(t.Context(), open, wire.MemoryHost, "caller and server are not in the same "+
			"testing/synctest bubble; make the server inside the function that synctest.Test calls, "+
			"with the t that it passes, and use it there alone")
	})
}
