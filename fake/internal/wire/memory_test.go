package wire_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"testing"
	"testing/synctest"

	"example.com/campaignfake/fake/internal/wire"
)

// What a client sends over a connection, the listener receives.
func TestMemoryListener(t *testing.T) {
	t.Parallel()
	listener := wire.NewMemoryListener()
	defer listener.Close()
	if got := listener.Addr().String(); got != "campaignfake.test" {
		t.Errorf("the address is %s", got)
	}
	for _, port := range []string{"80", "443"} {
		accepted := make(chan net.Conn)
		go func() {
			conn, err := listener.Accept()
			if err != nil {
				t.Error(err)
			}
			accepted <- conn
		}()
		client, err := listener.DialContext(t.Context(), "tcp", wire.MemoryHost+":"+port)
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			io.WriteString(client, "sent to "+port)
			client.Close()
		}()
		server := <-accepted
		if got, err := io.ReadAll(server); string(got) != "sent to "+port || err != nil {
			t.Errorf("the listener receives %q, and then %v", got, err)
		}
		server.Close()
	}
}

// Who cannot be connected is told why.
func TestMemoryListenerRefuses(t *testing.T) {
	t.Parallel()
	open, closed := wire.NewMemoryListener(), wire.NewMemoryListener()
	t.Cleanup(func() { open.Close() })
	closed.Close()
	closed.Close() // does no harm
	enough := errors.New("enough")
	canceled, cancel := context.WithCancelCause(t.Context())
	cancel(enough)
	const host = "the client of an in-memory server reaches campaignfake.test alone, " +
		"not elsewhere.test:80; build the URL from the server's BaseURL"
	const bubble = "caller and server are not in the same testing/synctest bubble; " +
		"make the server inside the function that synctest.Test calls, " +
		"with the t that it passes, and use it there alone"
	for name, tt := range map[string]struct {
		listener *wire.MemoryListener
		ctx      context.Context
		address  string
		inBubble bool
		want     string
		is       error // nil if it does not matter
	}{
		"another host": {
			listener: open,
			ctx:      t.Context(),
			address:  "elsewhere.test:80",
			want:     host,
		},
		"a closed listener": {
			listener: closed,
			ctx:      t.Context(),
			want:     "the server is closed: " + net.ErrClosed.Error(),
			is:       net.ErrClosed,
		},
		"whoever has enough": {
			listener: open,
			ctx:      canceled,
			want:     "enough",
			is:       enough,
		},
		"a bubble": {
			listener: open,
			ctx:      t.Context(),
			inBubble: true,
			want:     bubble,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if tt.address == "" {
				tt.address = wire.MemoryHost + ":80"
			}
			dial := func(t *testing.T) {
				conn, err := tt.listener.DialContext(tt.ctx, "tcp", tt.address)
				if conn != nil || err == nil || err.Error() != tt.want {
					t.Errorf("DialContext returns %v, %v; want %s", conn, err, tt.want)
				}
				if tt.is != nil && !errors.Is(err, tt.is) {
					t.Errorf("%v is not %v", err, tt.is)
				}
			}
			if tt.inBubble {
				synctest.Test(t, dial)
			} else {
				dial(t)
			}
		})
	}
	if _, err := closed.Accept(); err != http.ErrServerClosed {
		t.Errorf("after Close, Accept returns %v", err)
	}
}
