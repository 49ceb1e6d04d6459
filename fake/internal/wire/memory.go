package wire

import (
	"context"
	"fmt"
	"net"
	"net/http"
)

// MemoryHost is the host of servers in memory. The domain "test" is reserved, so this host never
// leads to a real server.
const MemoryHost = "campaignfake.test"

// A MemoryListener accepts connections from its own method DialContext. The connections are in
// memory, and need no port. If the listener was made in a testing/synctest bubble, its clients must
// be in the same bubble. Otherwise its clients must be outside of every bubble.
type MemoryListener struct {
	accept   chan net.Conn
	inBubble bool
	closed   context.Context // done when Close was called
	close    context.CancelFunc
}

// NewMemoryListener returns a listener of connections in memory. It accepts connections until
// Close.
func NewMemoryListener() *MemoryListener {
	l := &MemoryListener{
		accept:   make(chan net.Conn),
		inBubble: InBubble(),
	}
	l.closed, l.close = context.WithCancel(context.Background())
	return l
}

// DialContext connects to the listener. It fails if the host of the address is not MemoryHost, if
// the listener is closed, or if caller and listener are not in the same testing/synctest bubble.
func (l *MemoryListener) DialContext(ctx context.Context, _, address string) (net.Conn, error) {
	if address != MemoryHost+":80" && address != MemoryHost+":443" {
		return nil, fmt.Errorf("the client of an in-memory server reaches %s alone, not %s; "+
			"build the URL from the server's BaseURL", MemoryHost, address)
	}
	if err := CheckBubble(l.inBubble); err != nil {
		return nil, err
	}
	client, server := net.Pipe()
	select {
	case l.accept <- server:
		return client, nil
	case <-l.closed.Done():
		return nil, fmt.Errorf("the server is closed: %w", net.ErrClosed)
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// Accept returns the next connection, or http.ErrServerClosed after Close.
func (l *MemoryListener) Accept() (net.Conn, error) {
	select {
	case conn := <-l.accept:
		return conn, nil
	case <-l.closed.Done():
		return nil, http.ErrServerClosed
	}
}

// Close ends Accept and DialContext. It may be called more than once.
func (l *MemoryListener) Close() error {
	l.close()
	return nil
}

// Addr returns an address. Its text is MemoryHost.
func (l *MemoryListener) Addr() net.Addr {
	return &net.UnixAddr{Name: MemoryHost, Net: "memory"}
}
